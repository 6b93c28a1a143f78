import { sha256Hex } from "./canonical";

/** An event as its identity is made from it; instants are RFC 3339. */
export interface IdentifiedEvent {
  readonly type: string;
  /** The platform's account that the event names; null where it names none. */
  readonly account: string | null;
  readonly platformRef: string;
  readonly status: string | null;
  /** Every time that the event itself tells, never one of its delivery. */
  readonly times: readonly string[];
}

/**
 * What makes two deliveries the same event: the platform's id where it gives one, otherwise a hash over account,
 * object, event, state and the event's own times (IN-2, IN-3, C-19). `eventId` is the id in the body and `deliveryId`
 * the signed one of the delivery, which counts only where the platform keeps it over its retries; it is hashed,
 * because it may hold anything.
 */
export function eventIdentity(
  event: IdentifiedEvent,
  ids: { readonly eventId: string | null; readonly deliveryId: string | null },
): string {
  if (ids.eventId !== null) return `id:${ids.eventId}`;
  if (ids.deliveryId !== null) return deliveryIdentity(ids.deliveryId);
  const { account, platformRef, type, status, times } = event;
  return `made:${sha256Hex(JSON.stringify([account, platformRef, type, status, times]))}`;
}

/** The identity of a delivery whose body tells none. */
export function deliveryIdentity(deliveryId: string): string {
  return `sent:${sha256Hex(deliveryId)}`;
}

/** Where an event belongs, as the ledger knows it. */
export interface PlaceFacts {
  /** The request that shows this reference at the platform now. */
  readonly requestRef: string | null;
  /** A send of this connection may have left and is not settled. */
  readonly sendOpen: boolean;
  /** The send whose reference the event carries; `platformRef` is what it is known to have made. */
  readonly ownSend: { readonly platformRef: string | null } | null;
  readonly platformRef: string;
}

export type EventPlace = "known" | "replaced" | "another" | "unmatched" | "unknown";

/**
 * Where an authentic event belongs (IN-4, C-13). `replaced`: about what a send of ours made and a newer one replaced.
 * `another`: it carries the reference of a send that is known to have made something else (SM-5). `unmatched`: it may
 * have overtaken the answer of a send that is still open.
 */
export function placeOfEvent(facts: PlaceFacts): EventPlace {
  if (facts.requestRef !== null) return "known";
  const made = facts.ownSend?.platformRef ?? null;
  if (made !== null) return made === facts.platformRef ? "replaced" : "another";
  return facts.sendOpen ? "unmatched" : "unknown";
}

/** A recorded event is tried this often before a person owns it (IN-8). */
export const APPLY_ATTEMPTS_MAX = 6;

/** An event waits at most this long for the send that it may belong to (IN-4). Milliseconds. */
export const UNMATCHED_MAX_MS = 30 * 60_000;

/** A recorded event that is not applied after this time is an alert (IN-2). Milliseconds. */
export const APPLY_AGE_MAX_MS = 60_000;

const APPLY_PAUSE_MS = 1_000;

/** The pause before the next try to apply an event that failed `attempts` times, in milliseconds: doubling. */
export function applyPauseMs(attempts: number): number {
  return APPLY_PAUSE_MS * 2 ** Math.max(0, attempts - 1);
}

/** So many deliveries of one connection that fail authentication within one hour are a matter for its owner (PV-6). */
export const AUTHENTICATION_FAILURES_MAX = 20;
