import { type BusinessDeadline, choiceWords } from "./business-deadline";
import { formatDeadline, formatLocal, formatUtc } from "./deadline";
import type { OperationKind } from "./operation";
import type { ExpectedState, ExtendPayload, Payload, PayloadSigner, SendPayload } from "./payload";
import { REQUEST_WORDS } from "./words";

export interface KindWord {
  /** At the beginning of a heading: `Extend req_7006`. */
  readonly verb: string;
  /** Inside a sentence: `Approve: extension of req_7006`. */
  readonly noun: string;
}

export const KIND_WORDS: Record<OperationKind, KindWord> = {
  send: { verb: "Send", noun: "send" },
  resend: { verb: "Resend", noun: "resend" },
  remind: { verb: "Remind", noun: "reminder" },
  extend: { verb: "Extend", noun: "extension" },
  expire: { verb: "Expire", noun: "expiry" },
  void: { verb: "Void", noun: "void" },
  sign: { verb: "Sign", noun: "signature" },
  finalize: { verb: "Finalize", noun: "finalization" },
};

export interface PayloadRow {
  readonly label: string;
  /** What the approver saw before; null where the payload holds no earlier value. */
  readonly before: string | null;
  /** What is approved; null where only the earlier value is part of the payload. */
  readonly after: string | null;
}

export interface PayloadDescription {
  readonly sentence: string;
  /** Every member of the payload, what changes first. */
  readonly rows: readonly PayloadRow[];
}

/** The payload in plain words and in full (AP-1). Deadlines are written in the zone that was approved. */
export function describePayload(payload: Payload): PayloadDescription {
  const rows = [...changesOf(payload), ...circumstancesOf(payload)];
  return { sentence: sentenceOfPayload(payload), rows };
}

/** What will happen, in one sentence without a full stop. */
export function sentenceOfPayload(payload: Payload): string {
  const ref = payload.request_ref;
  switch (payload.kind) {
    case "extend": {
      const { instant, zone } = payload.target.business_deadline;
      const before = expiryIn(payload.expected, zone);
      const after = formatDeadline(instant, zone).line1;
      return `Extend the deadline of ${ref}${before === null ? "" : ` from ${before}`} to ${after}`;
    }
    case "send": {
      const until = deadlineWords(payload.business_deadline);
      const documents = counted(payload.documents.length, "document");
      return `Send ${documents} of ${ref} to ${signersOf(payload.signers)} until ${until}`;
    }
    case "remind":
      return `Remind ${signersOf(payload.signers)} of ${ref}`;
    case "resend":
      return `Send ${ref} again to ${signersOf(payload.signers)}`;
    case "expire":
      return payload.business_deadline === null
        ? `Close ${ref} now`
        : `Close ${ref} at ${deadlineWords(payload.business_deadline)}`;
    case "void":
      return `Void ${ref}`;
  }
}

/** The approve button: verb, object and the value that matters (`Approve extension to 18 Dec 2026, 17:00 CET`). */
export function approveLabel(payload: Payload): string {
  const { noun } = KIND_WORDS[payload.kind];
  switch (payload.kind) {
    case "extend": {
      const { instant, zone } = payload.target.business_deadline;
      return `Approve ${noun} to ${formatLocal(instant, zone)}`;
    }
    case "send":
    case "remind":
      return `Approve ${noun} to ${signersOf(payload.signers)}`;
    case "resend":
      return `Approve ${noun}`;
    case "expire":
    case "void":
      return `Approve ${noun} of ${payload.request_ref}`;
  }
}

function changesOf(payload: Payload): readonly PayloadRow[] {
  switch (payload.kind) {
    case "extend": {
      const { expires_at, business_deadline } = payload.target;
      const { zone } = business_deadline;
      return [
        row("Platform expiry", formatLocal(expires_at, zone), expiryIn(payload.expected, zone)),
        ...shownRows(payload.target),
        ...deadlineRows(business_deadline),
        row("Reminders", "unchanged"),
      ];
    }
    case "send":
      return sendRows(payload);
    case "remind":
      return [
        ...signerRows("Reminded signer", payload.signers),
        row("Message", textWords(payload.message)),
      ];
    case "resend":
      return [
        ...signerRows("Contacted signer", payload.signers),
        row(
          "Platform expiry",
          payload.moves_expiry_to === null ? "unchanged" : formatUtc(payload.moves_expiry_to),
          expiryIn(payload.expected, "UTC"),
        ),
      ];
    case "expire":
      return payload.business_deadline === null
        ? [row("Closes", "now", expiryIn(payload.expected, "UTC"))]
        : deadlineRows(payload.business_deadline);
    case "void":
      return [row("Reason that signers see", textWords(payload.shown_reason))];
  }
}

/** One row where the platform cannot keep the approved instant (C-24). */
function shownRows(target: ExtendPayload["target"]): readonly PayloadRow[] {
  const { shown_expires_at: shown, business_deadline } = target;
  if (shown === undefined) return [];
  const words =
    shown === null
      ? "later by less than a day, counted from the call"
      : formatLocal(shown, business_deadline.zone);
  return [row("Shown by the platform", words)];
}

function sendRows(payload: SendPayload): readonly PayloadRow[] {
  const { reminders, template } = payload;
  const documents = payload.documents.map(({ digest, version }, place) =>
    row(`Document ${place + 1}`, `version ${version}, digest ${digest}`),
  );
  const fields = payload.merge_fields.map(({ name, value_ref, value_digest }) =>
    row(`Field "${name}"`, textWords({ ref: value_ref, digest: value_digest })),
  );
  const owner = reminders.owner === "platform" ? "The platform reminds" : "This console reminds";
  const interval = reminders.interval_days;
  return [
    ...documents,
    ...signerRows("Signer", payload.signers),
    row("Order", payload.routing === "sequential" ? "one after the other" : "all at once"),
    row("Platform expiry", formatLocal(payload.expires_at, payload.business_deadline.zone)),
    ...deadlineRows(payload.business_deadline),
    row("Reminders", interval === null ? owner : `${owner} every ${counted(interval, "day")}`),
    row("Title", textWords(payload.title)),
    row("Message", textWords(payload.message)),
    row("Template", template === null ? "none" : templateWords(template)),
    ...fields,
    ...payload.placement.map(placementRow),
    row("Contract revision", String(payload.revision)),
  ];
}

function circumstancesOf(payload: Payload): readonly PayloadRow[] {
  const rows = [row("Request", payload.request_ref), row("Connection", payload.connection_id)];
  if (payload.kind === "send" || payload.kind === "extend") {
    rows.push(row("Signature policy", payload.signature_policy ?? "unchanged"));
  }
  if (payload.kind !== "send") {
    const { expected } = payload;
    rows.push(
      row("Reference at the platform", payload.platform_ref),
      row("Status when read", null, REQUEST_WORDS[expected.status].label),
      row("Expiry when read", null, expiryIn(expected, "UTC") ?? "none"),
      row("Version when read", null, expected.version ?? "none"),
      ...signerRows("Signer", expected.signers),
      row("Reason, by digest", payload.reason_digest),
    );
  }
  rows.push(row("Replaces", payload.supersedes_op_id ?? "nothing"));
  rows.push(row("Form of the payload", `version ${payload.schema}`));
  return rows;
}

function row(label: string, after: string | null, before: string | null = null): PayloadRow {
  return { label, before, after };
}

function deadlineRows(deadline: BusinessDeadline): readonly PayloadRow[] {
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

function signerRows(label: string, signers: readonly PayloadSigner[]): readonly PayloadRow[] {
  return signers.map(({ subject_ref, role, order, contact_digest }, place) =>
    row(
      `${label} ${place + 1}`,
      `subject ${subject_ref}, role ${role}, order ${order}, contact digest ${contact_digest}`,
    ),
  );
}

function placementRow(place: SendPayload["placement"][number], index: number): PayloadRow {
  const { subject_ref, document_digest, field, page, x, y, width, height } = place;
  const where = `page ${page}, ${x} × ${y} pt, ${width} × ${height} pt`;
  return row(
    `Place ${index + 1}`,
    `${field} of subject ${subject_ref} in document ${document_digest}, ${where}`,
  );
}

function templateWords(template: NonNullable<SendPayload["template"]>): string {
  return template.version === null
    ? `${template.id}, the platform reports no version`
    : `${template.id}, version ${template.version}`;
}

function textWords(text: { readonly ref: string; readonly digest: string } | null): string {
  return text === null ? "none" : `text ${text.ref}, digest ${text.digest}`;
}

function deadlineWords({ instant, zone }: BusinessDeadline): string {
  return formatDeadline(instant, zone).line1;
}

function expiryIn({ expires_at }: ExpectedState, zone: string): string | null {
  return expires_at === null ? null : formatLocal(expires_at, zone);
}

function signersOf(signers: readonly PayloadSigner[]): string {
  return counted(signers.length, "signer");
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
