import { asTenant } from "@/lib/store/db";
import { seeItem as see } from "@/lib/store/review-life";
import type { Actor, ConsoleContext } from "./context";
import { itemForAct, refuseLateAct } from "./item-for-act";

/**
 * Takes an item that was settled by a read out of the queue, because its owner has seen it (RV-1). Only its owner or
 * somebody of its team can say so. Throws Refusal `not_permitted`, `not_found`, `item_not_yours`, `item_closed`,
 * `item_moved` while it is not settled.
 */
export async function seeItem(
  ctx: ConsoleContext,
  actor: Actor,
  { itemId }: { readonly itemId: string },
): Promise<{ readonly itemId: string }> {
  return asTenant(ctx.db, actor.tenantId, async (tx) => {
    const { person } = await itemForAct(tx, actor, itemId, "see");
    const { accountId } = person;
    const done = await see(tx, actor.tenantId, { itemId, accountId });
    return done ? { itemId } : refuseLateAct(tx, actor, itemId, "see");
  });
}
