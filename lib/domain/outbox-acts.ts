/** What people do to the outbox; each is an entry of the record of controls. */
export const OUTBOX_ACTS = [
  "subscriber_added",
  "subscriber_changed",
  "subscriber_secret_made",
  "subscriber_secret_ended",
  "subscriber_stopped",
  "subscriber_started",
  "subscriber_tested",
  "deliveries_replayed",
  "delivery_discarded",
] as const;

export type OutboxAct = (typeof OUTBOX_ACTS)[number];

/** One entry as a sentence; `body` is what the entry holds: codes, ids and numbers. */
export function outboxActSentence(act: OutboxAct, body: Readonly<Record<string, unknown>>): string {
  switch (act) {
    case "subscriber_added":
      return "Added.";
    case "subscriber_changed":
      return `Changed: ${listOf(body.fields)}.`;
    case "subscriber_secret_made":
      return `Made secret ${textOf(body.secret)}. ${textOf(body.previous)} signs along for a day.`;
    case "subscriber_secret_ended":
      return `Ended secret ${textOf(body.secret)} before its time.`;
    case "subscriber_stopped":
      return "Stopped deliveries.";
    case "subscriber_started":
      return "Started deliveries.";
    case "subscriber_tested":
      return "Sent a test event.";
    case "deliveries_replayed":
      return body.count === 1
        ? "Sent one delivery again."
        : `Sent ${textOf(body.count)} deliveries again.`;
    case "delivery_discarded":
      return "Closed a delivery without sending it.";
  }
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "(not recorded)";
}

function listOf(value: unknown): string {
  return Array.isArray(value) && value.length > 0 ? value.map(textOf).join(", ") : "nothing";
}
