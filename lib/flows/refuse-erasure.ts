import { Refusal } from "@/lib/domain/refusal";
import { recordControl } from "@/lib/store/control-events";
import { asTenant } from "@/lib/store/db";
import { lockErasure, recordRefused } from "@/lib/store/erasures";
import { storeText, textSubjectOf } from "@/lib/store/vault";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { permitPerson } from "./permit";
import { typedReason } from "./typed-reason";

/**
 * Refuses an erasure that was asked for; nothing is destroyed. Throws Refusal `not_permitted`, `reason_empty`,
 * `personal_data`, `not_found`, `erasure_moved`.
 */
export async function refuseErasure(
  ctx: ConsoleContext,
  actor: Actor,
  { id, reason: given }: { readonly id: string; readonly reason: string },
): Promise<{ readonly id: string }> {
  const person = permitPerson(actor, "erasure.confirm");
  const text = typedReason(given);
  const { tenantId } = actor;
  return asTenant(ctx.db, tenantId, async (tx) => {
    const erasure = await lockErasure(tx, tenantId, id);
    if (erasure === null) throw new Refusal("not_found");
    const scope = { tenantId, vaultKey: ctx.vaultKey };
    const reason = await storeText(tx, scope, textSubjectOf(tenantId, "privacy"), text);
    const refused = { id, by: person.accountId, reason };
    if (!(await recordRefused(tx, tenantId, refused))) throw new Refusal("erasure_moved");
    await recordControl(tx, tenantId, {
      kind: "erasure_refused",
      about: `erasure:${id}`,
      actor: actorName(actor),
      body: { subject: erasure.subjectRef, reason },
    });
    return { id };
  });
}
