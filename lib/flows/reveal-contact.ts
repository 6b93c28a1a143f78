import { Refusal } from "@/lib/domain/refusal";
import { asTenant } from "@/lib/store/db";
import { type Contact, resolveContact, storeText } from "@/lib/store/vault";
import { sealedSubjectKeys } from "@/lib/store/vault-rows";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { permitPerson } from "./permit";
import { typedReason } from "./typed-reason";

export interface RevealWish {
  readonly subjectRef: string;
  /** Optional for account managers only. */
  readonly reason?: string | null;
}

/**
 * Shows one person's contact details and records who looked and why (PV-3); the reason itself stands in the vault. Throws Refusal: `reason_empty` where
 * the role has to give one, `not_found` for an unknown or erased subject.
 */
export async function revealContact(
  ctx: ConsoleContext,
  actor: Actor,
  { subjectRef, reason }: RevealWish,
): Promise<Contact> {
  const person = permitPerson(actor, "vault.read");
  const given = reason ?? "";
  if (given !== "" || person.role !== "account_manager") typedReason(given);
  const { tenantId } = actor;
  const scope = { tenantId, vaultKey: ctx.vaultKey };
  return asTenant(ctx.db, tenantId, async (tx) => {
    if (!(await sealedSubjectKeys(tx, tenantId, subjectRef))) throw new Refusal("not_found");
    const kept = given === "" ? null : await storeText(tx, scope, subjectRef, given);
    const purpose = kept ? `reveal:${kept.ref}` : "reveal";
    const found = await resolveContact(tx, scope, subjectRef, purpose, actorName(actor));
    if (!found) throw new Refusal("not_found");
    return found.contact;
  });
}
