/** What people do to a connection; each is an entry of the record of controls. */
export const CONNECTION_ACTS = [
  "webhook_secret_made",
  "webhook_secret_ended",
  "polling_changed",
] as const;

export type ConnectionAct = (typeof CONNECTION_ACTS)[number];

/** How a connection is polled (IN-7). */
export const POLLING = ["off", "when_silent", "always"] as const;

export type Polling = (typeof POLLING)[number];

export const POLLING_WORDS: Record<Polling, string> = {
  off: "Off: only deliveries tell us",
  when_silent: "While deliveries are silent",
  always: "Always",
};

/** At most so many secrets of deliveries are active at once: the present one and the one before (IN-1). */
export const WEBHOOK_SECRETS_MAX = 2;

/** How many hours the secret before may go on to be accepted. */
export const OVERLAP_HOURS = [1, 24, 168] as const;

export type OverlapHours = (typeof OVERLAP_HOURS)[number];

export const OVERLAP_WORDS: Record<OverlapHours, string> = {
  1: "1 hour",
  24: "24 hours",
  168: "7 days",
};

/** One entry as a sentence; `body` is what the entry holds: codes, ids and numbers. */
export function connectionActSentence(
  act: ConnectionAct,
  body: Readonly<Record<string, unknown>>,
): string {
  switch (act) {
    case "webhook_secret_made": {
      const { previous, overlap_hours: hours } = body;
      const before =
        typeof previous === "string"
          ? ` ${previous} is accepted along for ${OVERLAP_WORDS[hours as OverlapHours] ?? "a time"}.`
          : "";
      return `Made secret ${textOf(body.secret)}.${before}`;
    }
    case "webhook_secret_ended":
      return typeof body.left === "string"
        ? `Removed secret ${textOf(body.secret)}. ${body.left} stays, without an end.`
        : `Removed secret ${textOf(body.secret)}. None was left.`;
    case "polling_changed":
      return `Changed polling from "${pollingOf(body.from)}" to "${pollingOf(body.to)}", silent after ${textOf(body.silent_after_minutes)} min.`;
  }
}

function pollingOf(value: unknown): string {
  return POLLING.includes(value as Polling) ? POLLING_WORDS[value as Polling] : textOf(value);
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "(not recorded)";
}
