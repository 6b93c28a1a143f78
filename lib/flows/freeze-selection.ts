import { randomUUID } from "node:crypto";
import { Refusal } from "@/lib/domain/refusal";
import { asTenant } from "@/lib/store/db";
import { checkSelection, insertSelection } from "@/lib/store/decision-selections";
import type { Actor, ConsoleContext } from "./context";
import { permitPerson } from "./permit";

/** More items than anybody decides with one reason. */
export const SELECTION_MAX = 500;

/**
 * Freezes a counted list of items of one reason and kind, to be decided together (RV-3). Throws Refusal
 * `selection_mixed`, `selection_changed` when some of them are closed by now, `not_found` for what is not the tenant's.
 */
export async function freezeSelection(
  ctx: ConsoleContext,
  actor: Actor,
  itemIds: readonly string[],
): Promise<{ readonly id: string; readonly count: number }> {
  const { accountId } = permitPerson(actor, "review.decide");
  const { tenantId } = actor;
  const ids = [...new Set(itemIds)];
  return asTenant(ctx.db, tenantId, async (tx) => {
    const check = await checkSelection(tx, tenantId, ids);
    if (ids.length === 0 || check.found < ids.length) throw new Refusal("not_found");
    const [reason, otherReason] = check.reasons;
    if (reason === undefined || otherReason !== undefined || check.kinds.length > 1) {
      throw new Refusal("selection_mixed");
    }
    if (check.open < ids.length) {
      const values = { n: ids.length - check.open, m: ids.length };
      throw new Refusal("selection_changed", { values });
    }
    const id = randomUUID();
    const [kind = null] = check.kinds;
    await insertSelection(tx, {
      tenantId,
      id,
      reason,
      kind,
      by: accountId,
      itemIds: ids,
    });
    return { id, count: ids.length };
  });
}
