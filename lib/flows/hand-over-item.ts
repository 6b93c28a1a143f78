import { asTenant } from "@/lib/store/db";
import { handOverItem as handOver } from "@/lib/store/review-life";
import type { Actor, ConsoleContext } from "./context";
import { itemForAct, refuseLateAct, refuseUnknownOwner } from "./item-for-act";
import { keepItemNote } from "./keep-item-note";
import { tellNewOwner } from "./tell-new-owner";
import { typedReason } from "./typed-reason";

export interface HandOverWish {
  readonly itemId: string;
  /** A team or `account:<uuid>`. */
  readonly to: string;
  readonly note: string;
  /** The owner that was on screen; left out for whoever has it now. */
  readonly from?: string | undefined;
}

/**
 * Hands an item over to a person or a team with a note (RV-4); the new owner is told. Throws Refusal `not_permitted`,
 * `not_found`, `item_not_yours`, `item_closed`, `item_moved`, `item_taken` when another one has it by now,
 * `owner_unknown`, `reason_empty`, `personal_data`.
 */
export async function handOverItem(
  ctx: ConsoleContext,
  actor: Actor,
  wish: HandOverWish,
): Promise<{ readonly itemId: string; readonly owner: string }> {
  const { tenantId } = actor;
  const { itemId, to } = wish;
  const text = typedReason(wish.note, "note");
  return asTenant(ctx.db, tenantId, async (tx) => {
    const { item, person } = await itemForAct(tx, actor, itemId, "hand_over");
    await refuseUnknownOwner(tx, tenantId, to);
    const note = await keepItemNote(tx, ctx, tenantId, item, text);
    const by = `account:${person.accountId}`;
    const from = wish.from ?? item.owner;
    const done = await handOver(tx, tenantId, { itemId, from, to, by, note });
    if (!done) return refuseLateAct(tx, actor, itemId, "hand_over");
    if (to !== by) await tellNewOwner(tx, tenantId, item, to);
    return { itemId, owner: to };
  });
}
