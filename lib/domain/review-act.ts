import { type Consequence, CRITICAL_WITHIN_MS } from "./consequence";
import type { Role } from "./role";
import { teamOf } from "./team";
import { epochOf } from "./zone";

/** Where a review item stands, as the ledger keeps it. `regressed` is shown beside it and is no status of its own. */
export type ItemStatus =
  | "open"
  | "claimed"
  | "acknowledged"
  | "snoozed"
  | "second_person"
  | "settled"
  | "closed_proven"
  | "closed_override";

/** What a person may do with an item besides deciding it (RV-4). */
export type ItemAct = "assign" | "hand_over" | "acknowledge" | "snooze" | "see";

/** Statuses in which an act is possible. A closed item has none: its status and `closed_at` say so. */
export const ACT_FROM: Record<ItemAct, readonly ItemStatus[]> = {
  assign: ["open", "claimed", "acknowledged", "snoozed", "second_person"],
  hand_over: ["open", "claimed", "acknowledged", "snoozed", "second_person"],
  acknowledge: ["open", "claimed", "acknowledged"],
  snooze: ["open", "claimed", "acknowledged"],
  see: ["settled"],
};

/** Whose an item is. */
export interface ItemOwner {
  readonly owner: string;
  readonly team: string;
  readonly assignedTo: string | null;
}

/** True when the item belongs to this person or to the person's team (RV-1). */
export function ownsItem(
  { owner, team, assignedTo }: ItemOwner,
  person: { readonly accountId: string; readonly role: Role },
): boolean {
  const { accountId, role } = person;
  return owner === `account:${accountId}` || assignedTo === accountId || team === teamOf(role);
}

/** True when this person may act on the item: those on call on every one, all others on their own and their team's. */
export function mayAct(
  item: ItemOwner,
  person: { readonly accountId: string; readonly role: Role },
): boolean {
  return person.role === "on_call" || ownsItem(item, person);
}

const HOUR = 3_600_000;
/** The longest acknowledgement and the longest snooze, in milliseconds. */
const ACKNOWLEDGE_MAX_MS = 24 * HOUR;
const SNOOZE_MAX_MS = 14 * 24 * HOUR;
/** An item whose loss has passed is held back no longer than this, in milliseconds. */
const PASSED_MAX_MS = HOUR / 2;

/** The latest instant, in milliseconds since 1970, up to which an item may be acknowledged: the loss, at most a day. */
export function acknowledgeUntilMax(losesAt: string | null, now: string): number {
  const at = epochOf(now);
  if (losesAt === null) return at + ACKNOWLEDGE_MAX_MS;
  const loses = epochOf(losesAt);
  return loses <= at ? at + PASSED_MAX_MS : Math.min(loses, at + ACKNOWLEDGE_MAX_MS);
}

/**
 * The latest instant, in milliseconds since 1970, up to which an item may be hidden: before it becomes critical, at most
 * two weeks. Null for a critical one, which is never hidden.
 */
export function snoozeUntilMax(
  item: { readonly consequence: Consequence; readonly losesAt: string | null },
  now: string,
): number | null {
  if (item.consequence === "critical") return null;
  const longest = epochOf(now) + SNOOZE_MAX_MS;
  if (item.losesAt === null) return longest;
  return Math.min(longest, epochOf(item.losesAt) - CRITICAL_WITHIN_MS);
}
