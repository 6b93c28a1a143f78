import { randomUUID } from "node:crypto";
import { Refusal } from "@/lib/domain/refusal";
import { recordControl } from "@/lib/store/control-events";
import { asTenant } from "@/lib/store/db";
import { insertErasure } from "@/lib/store/erasures";
import { storeText, textSubjectOf } from "@/lib/store/vault";
import { isErased } from "@/lib/store/vault-rows";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { permitPerson } from "./permit";
import { typedReason } from "./typed-reason";

/**
 * Asks for the erasure of a person's data (PV-3); nothing is destroyed before another person confirms it. Throws Refusal
 * `not_permitted`, `reason_empty`, `personal_data`, `not_found` for a reference that the vault does not know,
 * `erasure_done` and `erasure_open`.
 */
export async function askErasure(
  ctx: ConsoleContext,
  actor: Actor,
  { subjectRef, reason: given }: { readonly subjectRef: string; readonly reason: string },
): Promise<{ readonly id: string }> {
  const person = permitPerson(actor, "erasure.request");
  const text = typedReason(given);
  const { tenantId } = actor;
  const id = randomUUID();
  return asTenant(ctx.db, tenantId, async (tx) => {
    const subject = await tx.vaultSubject.findUnique({
      where: { tenantId_subjectRef: { tenantId, subjectRef } },
      select: { subjectRef: true },
    });
    // Texts of a request have a subject of their own; they go with the people of that request.
    if (!subject?.subjectRef.startsWith("s_")) throw new Refusal("not_found");
    if (await isErased(tx, tenantId, subjectRef)) throw new Refusal("erasure_done");
    const scope = { tenantId, vaultKey: ctx.vaultKey };
    const reason = await storeText(tx, scope, textSubjectOf(tenantId, "privacy"), text);
    const asked = { id, subjectRef, askedBy: person.accountId, reason };
    if (!(await insertErasure(tx, tenantId, asked))) throw new Refusal("erasure_open");
    await recordControl(tx, tenantId, {
      kind: "erasure_asked",
      about: `erasure:${id}`,
      actor: actorName(actor),
      body: { subject: subjectRef, reason },
    });
    return { id };
  });
}
