import { Refusal } from "@/lib/domain/refusal";
import { asTenant } from "@/lib/store/db";
import { lookNow, proposalById, secondsUntilLook } from "@/lib/store/proposals";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { permit } from "./permit";

/**
 * Makes the next look at an unknown operation come now (RC-1); it changes nothing at the platform. An operation that
 * is being looked at, or whose look is due anyway, is answered alike. Throws Refusal `too_many_tries` within a
 * minute of the last time, `operation_moved_on` when it is not unknown.
 */
export async function checkNow(
  ctx: ConsoleContext,
  actor: Actor,
  opId: string,
): Promise<{ readonly opId: string; readonly asked: boolean }> {
  permit(actor, "operation.check");
  const { tenantId } = actor;
  return asTenant(ctx.db, tenantId, async (tx) => {
    if (await lookNow(tx, tenantId, opId, actorName(actor))) return { opId, asked: true };
    const operation = await proposalById(tx, tenantId, opId);
    if (!operation) throw new Refusal("not_found");
    const { state } = operation;
    if (state !== "needs_reconcile" && state !== "reconciling") {
      throw new Refusal("operation_moved_on", { values: { state }, extensions: { state } });
    }
    const n = await secondsUntilLook(tx, tenantId, opId);
    if (state === "needs_reconcile" && n > 0)
      throw new Refusal("too_many_tries", { values: { n }, extensions: { retry_after: n } });
    return { opId, asked: false };
  });
}
