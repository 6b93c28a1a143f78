import { asTenant } from "@/lib/store/db";
import { proposalReasonRef } from "@/lib/store/reasons";
import { resolveText } from "@/lib/store/vault";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { permit } from "./permit";

/**
 * The words that a proposer gave for the newest version, as one reading of the vault that is recorded (PV-3). Null
 * where there are none or they were erased.
 */
export async function readReason(
  ctx: ConsoleContext,
  actor: Actor,
  opId: string,
): Promise<string | null> {
  permit(actor, "payload.view");
  const { tenantId } = actor;
  return asTenant(ctx.db, tenantId, async (tx) => {
    const ref = await proposalReasonRef(tx, tenantId, opId);
    if (ref === null) return null;
    const scope = { tenantId, vaultKey: ctx.vaultKey };
    const found = await resolveText(tx, scope, ref, "approval", actorName(actor));
    return found?.text ?? null;
  });
}
