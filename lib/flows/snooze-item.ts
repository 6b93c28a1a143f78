import { consequenceAt } from "@/lib/domain/consequence";
import { Refusal } from "@/lib/domain/refusal";
import { snoozeUntilMax } from "@/lib/domain/review-act";
import { epochOf, instantOf } from "@/lib/domain/zone";
import { asTenant } from "@/lib/store/db";
import { snoozeItem as snooze } from "@/lib/store/review-life";
import { refuseUntil } from "./acknowledge-item";
import type { Actor, ConsoleContext } from "./context";
import { itemForAct, refuseLateAct } from "./item-for-act";
import { keepItemNote } from "./keep-item-note";
import { typedReason } from "./typed-reason";

export interface SnoozeWish {
  readonly itemId: string;
  /** RFC 3339. */
  readonly until: string;
  readonly reason: string;
}

/**
 * Hides an item until an instant with a reason (RV-4): never a critical one, never into the day of its loss, at most
 * two weeks; it comes back sooner when the facts change. Throws Refusal `not_permitted`, `not_found`, `item_not_yours`,
 * `item_closed`, `item_moved`, `snooze_critical`, `until_passed`, `until_too_late`, `reason_empty`, `personal_data`.
 */
export async function snoozeItem(
  ctx: ConsoleContext,
  actor: Actor,
  wish: SnoozeWish,
): Promise<{ readonly itemId: string; readonly until: string }> {
  const { tenantId } = actor;
  const { itemId, until } = wish;
  const text = typedReason(wish.reason);
  return asTenant(ctx.db, tenantId, async (tx) => {
    const { item, person, now } = await itemForAct(tx, actor, itemId, "snooze");
    const losesAt = item.losesAt?.toISOString() ?? null;
    const max = snoozeUntilMax({ consequence: consequenceAt(item.consequence), losesAt }, now);
    if (max === null || max <= epochOf(now)) throw new Refusal("snooze_critical");
    refuseUntil(until, max, now);
    const note = await keepItemNote(tx, ctx, tenantId, item, text);
    const by = `account:${person.accountId}`;
    const done = await snooze(tx, tenantId, { itemId, until: new Date(until), by, note });
    if (!done) return refuseLateAct(tx, actor, itemId, "snooze");
    return { itemId, until: instantOf(epochOf(until)) };
  });
}
