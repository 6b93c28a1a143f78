import type { Destroyed } from "@/lib/domain/erasure";
import type { Db, Tx } from "./db";
import type { VaultEntryRef } from "./vault";

/** An erasure as it is stored. Typed reasons stand in the vault. */
export interface ErasureEntry {
  readonly id: string;
  readonly subjectRef: string;
  readonly state: "asked" | "confirmed" | "refused";
  readonly askedBy: string;
  readonly askedAt: Date;
  readonly reasonRef: string;
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
  readonly refusalRef: string | null;
  /** JSON of counts. */
  readonly destroyed: string | null;
  readonly checkId: string | null;
}

/** Asks for an erasure; false when one of this person is open: of two at once one wins. */
export async function insertErasure(
  tx: Tx,
  tenantId: string,
  erasure: {
    readonly id: string;
    readonly subjectRef: string;
    readonly askedBy: string;
    readonly reason: VaultEntryRef;
  },
): Promise<boolean> {
  const count = await tx.$executeRaw`
    INSERT INTO erasures (tenant_id, id, subject_ref, asked_by, reason_ref, reason_digest)
    VALUES (${tenantId}::uuid, ${erasure.id}::uuid, ${erasure.subjectRef}, ${erasure.askedBy}::uuid,
      ${erasure.reason.ref}::uuid, ${erasure.reason.digest})
    ON CONFLICT DO NOTHING`;
  return count === 1;
}

/** One erasure, locked until the transaction ends; null when the tenant has none of that id. */
export async function lockErasure(
  tx: Tx,
  tenantId: string,
  id: string,
): Promise<Pick<ErasureEntry, "id" | "subjectRef" | "state" | "askedBy"> | null> {
  const [row] = await tx.$queryRaw<Pick<ErasureEntry, "id" | "subjectRef" | "state" | "askedBy">[]>`
    SELECT id, subject_ref AS "subjectRef", state, asked_by AS "askedBy" FROM erasures
    WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid FOR UPDATE`;
  return row ?? null;
}

/** Writes that an erasure was confirmed and what it destroyed; returns when, by the database's clock. */
export async function recordConfirmed(
  tx: Tx,
  tenantId: string,
  confirmed: {
    readonly id: string;
    readonly by: string;
    readonly destroyed: Destroyed;
    readonly checkId: string;
  },
): Promise<Date> {
  const [row] = await tx.$queryRaw<{ at: Date }[]>`
    UPDATE erasures
    SET state = 'confirmed', decided_by = ${confirmed.by}::uuid, decided_at = ledger_now(),
      destroyed = ${JSON.stringify(confirmed.destroyed)}, check_id = ${confirmed.checkId}::uuid
    WHERE tenant_id = ${tenantId}::uuid AND id = ${confirmed.id}::uuid AND state = 'asked'
    RETURNING decided_at AS at`;
  if (!row) throw new Error("a locked erasure that was asked for is still there");
  return row.at;
}

/** Writes that an erasure was refused; false when it is not open any more. */
export async function recordRefused(
  tx: Tx,
  tenantId: string,
  refused: { readonly id: string; readonly by: string; readonly reason: VaultEntryRef },
): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE erasures
    SET state = 'refused', decided_by = ${refused.by}::uuid, decided_at = ledger_now(),
      refusal_ref = ${refused.reason.ref}::uuid, refusal_digest = ${refused.reason.digest}
    WHERE tenant_id = ${tenantId}::uuid AND id = ${refused.id}::uuid AND state = 'asked'`;
  return count === 1;
}

/** The newest erasures of a tenant. */
export async function newestErasures(
  db: Db,
  tenantId: string,
  limit: number,
): Promise<readonly ErasureEntry[]> {
  const rows = await db.erasure.findMany({
    where: { tenantId },
    orderBy: [{ askedAt: "desc" }, { id: "desc" }],
    take: limit,
    omit: { tenantId: true, reasonDigest: true, refusalDigest: true },
  });
  return rows as readonly ErasureEntry[];
}

/** One erasure; null when the tenant has none of that id. */
export async function erasureById(
  db: Db,
  tenantId: string,
  id: string,
): Promise<ErasureEntry | null> {
  const row = await db.erasure.findUnique({
    where: { tenantId_id: { tenantId, id } },
    omit: { tenantId: true, reasonDigest: true, refusalDigest: true },
  });
  return row as ErasureEntry | null;
}
