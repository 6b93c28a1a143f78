import { Refusal } from "@/lib/domain/refusal";
import { accountOf } from "@/lib/domain/team";
import { ownerWords } from "@/lib/domain/waiting";
import { asTenant } from "@/lib/store/db";
import { assignItem as assign } from "@/lib/store/review-life";
import type { Actor, ConsoleContext } from "./context";
import { itemForAct, refuseLateAct, refuseUnknownOwner } from "./item-for-act";
import { tellNewOwner } from "./tell-new-owner";

export interface ItemAssigned {
  readonly itemId: string;
  /** `account:<uuid>`. */
  readonly owner: string;
}

/**
 * Takes an item, or gives it to another member (RV-4): it is in work from then on, and no rule moves it any more. Only
 * what nobody works on can be taken; of two at once one wins and the other is told who has it. Throws Refusal
 * `not_permitted`, `not_found`, `item_not_yours`, `item_closed`, `item_moved`, `item_taken`, `owner_unknown`.
 */
export async function assignItem(
  ctx: ConsoleContext,
  actor: Actor,
  wish: { readonly itemId: string; readonly to: string },
): Promise<ItemAssigned> {
  const { tenantId } = actor;
  const { itemId, to } = wish;
  return asTenant(ctx.db, tenantId, async (tx) => {
    const { item, person } = await itemForAct(tx, actor, itemId, "assign");
    if (accountOf(to) === null) {
      throw new Refusal("owner_unknown", { values: { owner: ownerWords(to) } });
    }
    await refuseUnknownOwner(tx, tenantId, to);
    if (item.assignedTo !== null && item.owner === to) return { itemId, owner: to };
    const by = `account:${person.accountId}`;
    const done = await assign(tx, tenantId, { itemId, from: item.owner, to, by });
    if (!done) return refuseLateAct(tx, actor, itemId, "assign");
    if (to !== by) await tellNewOwner(tx, tenantId, item, to);
    return { itemId, owner: to };
  });
}
