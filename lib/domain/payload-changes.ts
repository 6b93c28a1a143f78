import type { BusinessDeadline } from "./business-deadline";
import { formatLocal, formatUtc } from "./deadline";
import type { ExtendPayload, Payload, ResendPayload, SendPayload } from "./payload";
import {
  counted,
  deadlineRows,
  deadlineWords,
  expectedRows,
  expiryIn,
  type PayloadRow,
  row,
  signerRows,
  statusWord,
  textWords,
} from "./payload-row";

/** What a payload changes or brings about, member by member, what matters most first. */
export function changesOf(payload: Payload): readonly PayloadRow[] {
  switch (payload.kind) {
    case "extend": {
      const { expires_at, business_deadline } = payload.target;
      const { zone } = business_deadline;
      return [
        row("Platform expiry", formatLocal(expires_at, zone), expiryIn(payload.expected, zone)),
        ...shownRows(payload.target),
        ...deadlineRows(business_deadline),
        row("Reminders", "unchanged"),
        ...timerRows(payload.timers, business_deadline),
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
      return [...signerRows("Contacted signer", payload.signers), movedExpiry(payload)];
    case "expire": {
      const { business_deadline: deadline, expected } = payload;
      const at = deadline === null ? "now" : deadlineWords(deadline);
      return [
        row("Status", "Expired", statusWord(expected)),
        row("Closes", at, expiryIn(expected, deadline?.zone ?? "UTC")),
        ...(deadline === null ? [] : deadlineRows(deadline)),
      ];
    }
    case "void":
      return [
        row("Status", "Voided", statusWord(payload.expected)),
        row("Reason that signers see", textWords(payload.shown_reason)),
      ];
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

/** What the platform does to the expiry by itself on a resend. */
function movedExpiry(payload: ResendPayload): PayloadRow {
  const { moves_expiry_to: to, moves_expiry: moves, expected } = payload;
  const anew = "counted anew from the call";
  const about = to === null ? anew : `about ${formatUtc(to)}, ${anew}`;
  const after = moves === undefined ? (to === null ? "unchanged" : formatUtc(to)) : about;
  return row("Platform expiry", after, expiryIn(expected, "UTC"));
}

/** The timers that are approved with it: when this console reminds, and whether it closes the request (TM-3). */
function timerRows(
  timers: SendPayload["timers"],
  { zone }: BusinessDeadline,
): readonly PayloadRow[] {
  if (timers === undefined) return [];
  const { reminders, closes_at_deadline: closes, policies } = timers;
  return [
    row("Planned reminders", reminders.length === 0 ? "none" : String(reminders.length)),
    ...reminders.map((at, place) => row(`Planned reminder ${place + 1}`, formatLocal(at, zone))),
    row("Closed by this console", closes ? "at the business deadline" : "no"),
    row("Timers by", `policy remind v${policies.remind}, policy expire v${policies.expire}`),
  ];
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
    ...timerRows(payload.timers, payload.business_deadline),
    row("Title", textWords(payload.title)),
    row("Message", textWords(payload.message)),
    row("Template", template === null ? "none" : templateWords(template)),
    ...fields,
    ...payload.placement.map(placementRow),
    row("Contract revision", String(payload.revision)),
    ...replacedRows(payload.replaces),
  ];
}

/** The request at the platform that a corrected send takes the place of, and its void (ID-7). */
function replacedRows(replaces: SendPayload["replaces"]): readonly PayloadRow[] {
  if (replaces === undefined) return [];
  const {
    platform_ref: ref,
    expected,
    starts,
    reason_digest,
    shown_reason,
    void_policy,
  } = replaces;
  const earlier = expected === null ? [] : expectedRows(expected);
  return [
    row("Voided in its place", ref ?? "nothing that is known at the platform"),
    row("Starts", starts === "at_once" ? "at once" : "when the void is confirmed"),
    row("Reason that signers of the earlier one see", textWords(shown_reason)),
    row("Reason of the void, by digest", reason_digest),
    row("Void approved by", `policy void v${void_policy}`),
    ...earlier.map(({ label, before, after }) => row(`Earlier one: ${label}`, after, before)),
  ];
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
