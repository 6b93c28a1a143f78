import { asTenant } from "@/lib/store/db";
import { placeOf, sealedBy, unseal } from "@/lib/store/vault-cipher";
import { cipherKeyPlace, entryPlace } from "@/lib/store/vault-places";
import type { TestLedger } from "./tenants";

/** Every row of every table as text, as a dump holds it. */
export async function dumpOf({ owner }: TestLedger): Promise<string> {
  const tables = await owner.$queryRaw<{ name: string }[]>`
    SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') ORDER BY 1`;
  const parts: string[] = [];
  for (const { name } of tables) {
    const rows = await owner.$queryRawUnsafe<{ row: string }[]>(
      `SELECT t::text AS row FROM "${name}" t`,
    );
    parts.push(...rows.map(({ row }) => row));
  }
  return parts.join("\n");
}

/** Everything that whoever has a dump and the installation's key can open of vault and inbox. */
export async function openedDump({ owner, ctx }: TestLedger): Promise<string> {
  const tenants = await owner.tenant.findMany({ select: { id: true } });
  const texts: string[] = [];
  for (const { id: tenantId } of tenants) {
    await asTenant(owner, tenantId, async (tx) => {
      const bodies = await tx.inboxEvent.findMany({ where: { tenantId } });
      for (const { id, bodySealed } of bodies) {
        if (sealedBy(bodySealed) === null) continue;
        const place = placeOf("inbox_events", tenantId, id);
        texts.push(unseal(ctx.vaultKey, bodySealed, place).toString());
      }
      const entries = await tx.vaultEntry.findMany({ where: { tenantId } });
      for (const { id, subjectRef, ciphertext } of entries) {
        const subject = await tx.vaultSubject.findUniqueOrThrow({
          where: { tenantId_subjectRef: { tenantId, subjectRef } },
        });
        if (subject.cipherKeySealed === null || ciphertext === "") continue;
        const keyPlace = cipherKeyPlace(tenantId, subjectRef);
        const key = unseal(ctx.vaultKey, subject.cipherKeySealed, keyPlace);
        texts.push(unseal(key, ciphertext, entryPlace(tenantId, subjectRef, id)).toString());
      }
    });
  }
  return texts.join("\n");
}
