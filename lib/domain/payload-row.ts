import { type BusinessDeadline, choiceWords } from "./business-deadline";
import { formatDeadline, formatLocal, formatUtc } from "./deadline";
import type { ExpectedState, PayloadSigner } from "./payload";
import { REQUEST_WORDS } from "./words";

/** One member of a payload in plain words. */
export interface PayloadRow {
  readonly label: string;
  /** What the approver saw before; null where the payload holds no earlier value. */
  readonly before: string | null;
  /** What is approved; null where only the earlier value is part of the payload. */
  readonly after: string | null;
}

export function row(label: string, after: string | null, before: string | null = null): PayloadRow {
  return { label, before, after };
}

/** A business deadline with everything that was approved about it (TM-2, TM-6). */
export function deadlineRows(deadline: BusinessDeadline): readonly PayloadRow[] {
  const { date, time, zone, offset, instant, zoneData } = deadline;
  const answer = choiceWords(deadline);
  return [
    row("Business deadline", deadlineWords(deadline)),
    row("Business deadline in UTC", `${formatUtc(instant)}, offset ${offset}`),
    row("Chosen in words", `${date} ${time} ${zone}`),
    row("Change of the clock", answer ?? "The time exists once."),
    row("Zone rules", zoneData),
  ];
}

export function signerRows(
  label: string,
  signers: readonly PayloadSigner[],
): readonly PayloadRow[] {
  return signers.map(({ subject_ref, role, order, contact_digest }, place) =>
    row(
      `${label} ${place + 1}`,
      `subject ${subject_ref}, role ${role}, order ${order}, contact digest ${contact_digest}`,
    ),
  );
}

/** What the platform showed when it was proposed (PL-4). */
export function expectedRows(expected: ExpectedState): readonly PayloadRow[] {
  return [
    row("Status when read", null, statusWord(expected)),
    row("Expiry when read", null, expiryIn(expected, "UTC") ?? "none"),
    row("Version when read", null, expected.version ?? "none"),
    ...signerRows("Signer", expected.signers),
  ];
}

export function statusWord({ status }: ExpectedState): string {
  return REQUEST_WORDS[status].label;
}

export function textWords(text: { readonly ref: string; readonly digest: string } | null): string {
  return text === null ? "none" : `text ${text.ref}, digest ${text.digest}`;
}

export function deadlineWords({ instant, zone }: BusinessDeadline): string {
  return formatDeadline(instant, zone).line1;
}

export function expiryIn({ expires_at }: ExpectedState, zone: string): string | null {
  return expires_at === null ? null : formatLocal(expires_at, zone);
}

/** "1 document", "2 signers". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
