import type { TerminalStatus } from "./observation";
import type { Word } from "./words";

/** What subscribers can be told. */
export const OUTBOX_TYPES = [
  "request.completed",
  "request.declined",
  "request.voided",
  "request.expired",
  "operation.settled",
] as const;

export type OutboxType = (typeof OUTBOX_TYPES)[number];

/** A message that a person sends to see whether a subscriber answers; no subscriber asks for it. */
export const TEST_TYPE = "subscriber.test";

export const OUTBOX_TYPE_WORDS: Record<OutboxType | typeof TEST_TYPE, string> = {
  "request.completed": "Request completed",
  "request.declined": "Request declined",
  "request.voided": "Request voided",
  "request.expired": "Request expired",
  "operation.settled": "Operation settled",
  "subscriber.test": "Test event",
};

/** The type that tells of a terminal status. */
export function typeOfEnd(status: TerminalStatus): OutboxType {
  return `request.${status}`;
}

/** Ids of what caused an event (PV-4: opaque references only), with the codes of an operation's end. */
export interface OutboxCause {
  readonly op?: string;
  readonly inbox?: string;
  readonly receipt?: string;
  readonly kind?: string;
  readonly state?: string;
  readonly reason?: string;
}

/** States of one delivery. `held`: not released yet, or behind an earlier event of the same request. */
export const DELIVERY_STATES = [
  "queued",
  "held",
  "retrying",
  "delivered",
  "dead",
  "discarded",
] as const;

export type DeliveryState = (typeof DELIVERY_STATES)[number];

export const DELIVERY_WORDS: Record<DeliveryState, Word> = {
  queued: {
    label: "Queued",
    icon: "clock",
    tone: "plain",
    sentence: "Released and next in line for this subscriber.",
  },
  held: {
    label: "Held for order",
    icon: "hourglass",
    tone: "quiet",
    sentence: "Waits for an earlier event of the same request, or for a read that agrees.",
  },
  retrying: {
    label: "Retrying[ {n}]",
    icon: "timer",
    tone: "wait",
    sentence: "The subscriber did not take it yet. The next try is planned.",
  },
  delivered: {
    label: "Delivered",
    icon: "circle-check",
    tone: "good",
    sentence: "The subscriber answered that it took it.",
  },
  dead: {
    label: "Dead letter",
    icon: "circle-x",
    tone: "danger",
    sentence: "Not taken in all tries. It stays until somebody sends it again or closes it.",
  },
  discarded: {
    label: "Closed without delivery",
    icon: "circle-slash",
    tone: "quiet",
    sentence: "A person decided that this subscriber is not told of it.",
  },
};

/** Whether a subscriber is told now. */
export type SubscriberHealth = "active" | "troubled" | "stopped" | "gone" | "target_refused";

export const SUBSCRIBER_WORDS: Record<SubscriberHealth, Word> = {
  active: {
    label: "Active",
    icon: "radio",
    tone: "good",
    sentence: "Told of everything that it asked for.",
  },
  troubled: {
    label: "Dead letters",
    icon: "triangle-alert",
    tone: "attention",
    sentence: "Told, but some of it was not taken in all tries.",
  },
  stopped: {
    label: "Stopped",
    icon: "octagon-pause",
    tone: "wait",
    sentence: "A person stopped deliveries. What waits is kept.",
  },
  gone: {
    label: "Answers gone",
    icon: "unplug",
    tone: "danger",
    sentence: "It answered that it wants no more. Deliveries are stopped; what waits is kept.",
  },
  target_refused: {
    label: "Address refused",
    icon: "ban",
    tone: "danger",
    sentence: "The address leads into an internal network. Nothing was sent; what waits is kept.",
  },
};

/** What one try came to, in words. */
export const TRY_WORDS: Readonly<Record<string, string>> = {
  delivered: "taken",
  answered: "not taken",
  gone: 'answered "gone"',
  redirect: "redirect, not followed",
  timeout: "no answer in time",
  connection_lost: "not reached",
  target_refused: "address leads into an internal network, nothing was sent",
};

/** `503, not taken`, `no answer in time`; null before the first try. */
export function answerWords(status: number | null, outcome: string | null): string | null {
  const words = outcome === null ? null : (TRY_WORDS[outcome] ?? outcome);
  if (status === null) return words;
  return words === null ? String(status) : `${status}, ${words}`;
}

/** How long a subscriber may take to answer; whoever needs longer is told again. Milliseconds. */
export const DELIVERY_TIMEOUT_MS = 10_000;

/** A claim that is not reported within this time is free for another worker. Above the time-out. Milliseconds. */
export const DELIVERY_LEASE_MS = 30_000;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The pause after each failed try. A day and a half in all, so that an outage over a night loses nothing. */
const PAUSES_MS = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
  8 * HOUR,
  12 * HOUR,
] as const;

/** After so many tries a delivery is a dead letter. */
export const DELIVERY_TRIES_MAX = PAUSES_MS.length + 1;

/** A subscriber that asks for more patience gets at most this. Milliseconds. */
const RETRY_AFTER_MAX_MS = 24 * HOUR;

/**
 * The pause after a failed try in milliseconds, with up to a quarter more by `chance` (0 to 1), so that what failed
 * together does not come back together. At least `retryAfterMs`, which the subscriber asked for, within a day. Null
 * when the tries are used up.
 */
export function pauseAfterTry(
  tries: number,
  chance: number,
  retryAfterMs: number | null = null,
): number | null {
  const pause = PAUSES_MS[tries - 1];
  if (pause === undefined) return null;
  const asked = Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX_MS);
  return Math.round(Math.max(pause * (1 + chance / 4), asked));
}

/** How long the secret before signs along after a rotation. Milliseconds. */
export const SECRET_OVERLAP_MS = 24 * HOUR;

/** At most so many deliveries are sent again by one request. */
export const REPLAY_MAX = 200;
