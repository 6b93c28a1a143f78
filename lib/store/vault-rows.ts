import type { Db, Tx } from "@/lib/store/db";

export type VaultKind = "contact" | "text" | "raw";

export interface SealedKeys {
  readonly cipherKeySealed: string;
  readonly digestKeySealed: string;
}

export interface SealedEntry {
  readonly id: string;
  readonly subjectRef: string;
  readonly kind: VaultKind;
  readonly ciphertext: string;
}

/** One insert that does nothing when the subject exists; a second caller waits for the first and changes nothing. */
export async function insertSubject(
  tx: Tx,
  tenantId: string,
  subjectRef: string,
  keys: SealedKeys,
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO vault_subjects (tenant_id, subject_ref, cipher_key_sealed, digest_key_sealed)
    VALUES (${tenantId}::uuid, ${subjectRef}, ${keys.cipherKeySealed}, ${keys.digestKeySealed})
    ON CONFLICT DO NOTHING`;
}

/** The sealed keys of a subject; null when it is unknown in this tenant or was erased. */
export async function sealedSubjectKeys(
  db: Db,
  tenantId: string,
  subjectRef: string,
): Promise<SealedKeys | null> {
  const row = await db.vaultSubject.findUnique({
    where: { tenantId_subjectRef: { tenantId, subjectRef } },
    select: { cipherKeySealed: true, digestKeySealed: true },
  });
  if (!row?.cipherKeySealed || !row.digestKeySealed) return null;
  return { cipherKeySealed: row.cipherKeySealed, digestKeySealed: row.digestKeySealed };
}

/** Gives a subject other keys in place of its own; an erased one is left as it is. */
export async function replaceSubjectKeys(
  tx: Tx,
  tenantId: string,
  subjectRef: string,
  keys: SealedKeys,
): Promise<boolean> {
  const { count } = await tx.vaultSubject.updateMany({
    where: { tenantId, subjectRef, erasedAt: null },
    data: { cipherKeySealed: keys.cipherKeySealed, digestKeySealed: keys.digestKeySealed },
  });
  return count === 1;
}

/** Destroys both keys of a subject (ID-5); false when it is unknown, or they were destroyed before. */
export async function destroySubjectKeys(
  tx: Tx,
  tenantId: string,
  subjectRef: string,
): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE vault_subjects SET cipher_key_sealed = NULL, digest_key_sealed = NULL, erased_at = ledger_now()
    WHERE tenant_id = ${tenantId}::uuid AND subject_ref = ${subjectRef} AND erased_at IS NULL`;
  return count === 1;
}

/** Empties all entries of subjects of one kind; references and digests stay. Returns how many held something. */
export async function emptyEntries(
  tx: Tx,
  tenantId: string,
  subjectRefs: readonly string[],
  kind: VaultKind,
): Promise<number> {
  return tx.$executeRaw`
    UPDATE vault_entries SET ciphertext = ''
    WHERE tenant_id = ${tenantId}::uuid AND subject_ref = ANY(${[...subjectRefs]}) AND kind = ${kind}
      AND ciphertext <> ''`;
}

/** True for a subject whose data were erased. */
export async function isErased(db: Db, tenantId: string, subjectRef: string): Promise<boolean> {
  const row = await db.vaultSubject.findUnique({
    where: { tenantId_subjectRef: { tenantId, subjectRef } },
    select: { erasedAt: true },
  });
  return row !== null && row.erasedAt !== null;
}

/** Adds a sealed entry in one statement. The same entry again only becomes the newest one of its subject. */
export async function insertEntry(
  tx: Tx,
  entry: SealedEntry & { readonly tenantId: string; readonly digest: string },
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO vault_entries (tenant_id, id, subject_ref, kind, ciphertext, digest)
    VALUES (${entry.tenantId}::uuid, ${entry.id}::uuid, ${entry.subjectRef}, ${entry.kind}, ${entry.ciphertext},
      ${entry.digest})
    ON CONFLICT (tenant_id, id) DO UPDATE SET created_at = excluded.created_at`;
}

/** One entry by its reference; null when there is none in this tenant. */
export async function entryById(db: Db, tenantId: string, id: string): Promise<SealedEntry | null> {
  const row = await db.vaultEntry.findUnique({
    where: { tenantId_id: { tenantId, id } },
    select: { id: true, subjectRef: true, kind: true, ciphertext: true },
  });
  return row && { ...row, kind: row.kind as VaultKind };
}

/** The contact entry that counts now: the newest of the subject; null when there is none. */
export async function newestContact(
  db: Db,
  tenantId: string,
  subjectRef: string,
): Promise<(SealedEntry & { readonly digest: string }) | null> {
  const row = await db.vaultEntry.findFirst({
    where: { tenantId, subjectRef, kind: "contact" },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    select: { id: true, subjectRef: true, ciphertext: true, digest: true },
  });
  return row && { ...row, kind: "contact" };
}

/** Records that somebody read a subject's data. Append-only: the database refuses to change or delete it. */
export async function recordVaultRead(
  tx: Tx,
  read: {
    readonly tenantId: string;
    readonly subjectRef: string;
    readonly purpose: string;
    readonly actor: string;
  },
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO vault_reads (tenant_id, id, subject_ref, actor, purpose)
    VALUES (${read.tenantId}::uuid, gen_random_uuid(), ${read.subjectRef}, ${read.actor}, ${read.purpose})`;
}

/**
 * The same for a page that asks again and again: one record of this person, subject and purpose within an hour. The
 * first reading is always recorded.
 */
export async function recordVaultReadOnce(
  tx: Tx,
  read: {
    readonly tenantId: string;
    readonly subjectRef: string;
    readonly purpose: string;
    readonly actor: string;
  },
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO vault_reads (tenant_id, id, subject_ref, actor, purpose)
    SELECT ${read.tenantId}::uuid, gen_random_uuid(), ${read.subjectRef}, ${read.actor}, ${read.purpose}
    WHERE NOT EXISTS (SELECT 1 FROM vault_reads v
      WHERE v.tenant_id = ${read.tenantId}::uuid AND v.subject_ref = ${read.subjectRef} AND v.actor = ${read.actor}
        AND v.purpose = ${read.purpose} AND v.at > ledger_now() - interval '1 hour')`;
}
