import { sha256Hex } from "./canonical";

/** An event as its identity is made from it; instants are RFC 3339 in UTC. */
export interface IdentifiedEvent {
  readonly eventId: string | null;
  readonly type: string;
  readonly platformRef: string;
  readonly status: string | null;
  readonly occurredAt: string | null;
}

/**
 * What makes two deliveries the same event: the platform's id where it gives one, otherwise a hash over object, event,
 * state and the event's own time, never the delivery's (IN-2, IN-3, C-19).
 */
export function eventIdentity(event: IdentifiedEvent): string {
  if (event.eventId !== null) return `id:${event.eventId}`;
  const parts = [event.platformRef, event.type, event.status ?? "", event.occurredAt ?? ""];
  return `made:${sha256Hex(JSON.stringify(parts))}`;
}

export type InboxOutcome = "applied" | "unmatched" | "quarantined";

/**
 * What becomes of an authentic event (IN-4, C-13): about a known request it is applied; about an unknown one it waits
 * while a send of the connection is open, since that send may be its own; otherwise a person looks at it.
 */
export function inboxOutcome(facts: {
  readonly requestKnown: boolean;
  readonly sendOpen: boolean;
}): InboxOutcome {
  if (facts.requestKnown) return "applied";
  return facts.sendOpen ? "unmatched" : "quarantined";
}
