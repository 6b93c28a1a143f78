import { Refusal } from "@/lib/domain/refusal";
import { recordControl } from "@/lib/store/control-events";
import { asTenant } from "@/lib/store/db";
import { endHold } from "@/lib/store/retention-holds";
import { storeText, textSubjectOf } from "@/lib/store/vault";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { permitPerson } from "./permit";
import { typedReason } from "./typed-reason";

/**
 * Lifts a hold (PV-5): from the next run on its records are removed when their time is over. Throws Refusal
 * `not_permitted`, `reason_empty`, `personal_data`, `not_found`, `hold_lifted`.
 */
export async function liftHold(
  ctx: ConsoleContext,
  actor: Actor,
  { id, reason: given }: { readonly id: string; readonly reason: string },
): Promise<{ readonly id: string }> {
  const person = permitPerson(actor, "retention.hold");
  const text = typedReason(given);
  const { tenantId } = actor;
  return asTenant(ctx.db, tenantId, async (tx) => {
    const known = await tx.retentionHold.findUnique({ where: { tenantId_id: { tenantId, id } } });
    if (known === null) throw new Refusal("not_found");
    const vault = { tenantId, vaultKey: ctx.vaultKey };
    const reason = await storeText(tx, vault, textSubjectOf(tenantId, "privacy"), text);
    const lifted = await endHold(tx, tenantId, { id, reason, by: person.accountId });
    if (lifted === null) throw new Refusal("hold_lifted");
    await recordControl(tx, tenantId, {
      kind: "hold_lifted",
      about: `hold:${id}`,
      actor: actorName(actor),
      body: { ...lifted, reason },
    });
    return { id };
  });
}
