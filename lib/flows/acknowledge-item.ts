import { Refusal } from "@/lib/domain/refusal";
import { acknowledgeUntilMax } from "@/lib/domain/review-act";
import { clockWords } from "@/lib/domain/waiting";
import { epochOf, instantOf } from "@/lib/domain/zone";
import { asTenant } from "@/lib/store/db";
import { acknowledgeItem as acknowledge } from "@/lib/store/review-life";
import type { Actor, ConsoleContext } from "./context";
import { itemForAct, refuseLateAct } from "./item-for-act";

/**
 * Holds the escalation of an item back until an instant (RFC 3339), at most until the loss and a day (RV-4); then it
 * comes back. Throws Refusal `not_permitted`, `not_found`, `item_not_yours`, `item_closed`, `item_moved`,
 * `until_passed`, `until_too_late`.
 */
export async function acknowledgeItem(
  ctx: ConsoleContext,
  actor: Actor,
  wish: { readonly itemId: string; readonly until: string },
): Promise<{ readonly itemId: string; readonly until: string }> {
  const { itemId, until } = wish;
  return asTenant(ctx.db, actor.tenantId, async (tx) => {
    const { item, person, now } = await itemForAct(tx, actor, itemId, "acknowledge");
    refuseUntil(until, acknowledgeUntilMax(item.losesAt?.toISOString() ?? null, now), now);
    const by = `account:${person.accountId}`;
    const done = await acknowledge(tx, actor.tenantId, { itemId, until: new Date(until), by });
    if (!done) return refuseLateAct(tx, actor, itemId, "acknowledge");
    return { itemId, until: instantOf(epochOf(until)) };
  });
}

/** Throws Refusal `until_passed` or `until_too_late`; `max` in milliseconds since 1970. */
export function refuseUntil(until: string, max: number, now: string): void {
  if (epochOf(until) <= epochOf(now)) throw new Refusal("until_passed");
  if (epochOf(until) > max) {
    throw new Refusal("until_too_late", { values: { moment: clockWords(instantOf(max), now) } });
  }
}
