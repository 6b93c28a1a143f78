import type { HoldScope } from "@/lib/domain/retention";
import type { Db, Tx } from "./db";
import type { VaultEntryRef } from "./vault";

/** What keeps records from retention and erasure. Reasons stand in the vault. */
export interface HoldEntry {
  readonly id: string;
  readonly scope: HoldScope;
  readonly about: string;
  readonly reasonRef: string;
  readonly setBy: string;
  readonly setAt: Date;
  readonly liftedBy: string | null;
  readonly liftedAt: Date | null;
}

/** True when the tenant has what a hold would be about. */
export async function isHoldable(
  db: Db,
  tenantId: string,
  scope: HoldScope,
  about: string,
): Promise<boolean> {
  const found =
    scope === "request"
      ? await db.request.findUnique({ where: { tenantId_ref: { tenantId, ref: about } } })
      : await db.vaultSubject.findUnique({
          where: { tenantId_subjectRef: { tenantId, subjectRef: about } },
        });
  return found !== null;
}

/** Sets a hold; false when one on the same stands already: of two at once one wins. */
export async function insertHold(
  tx: Tx,
  tenantId: string,
  hold: {
    readonly id: string;
    readonly scope: HoldScope;
    readonly about: string;
    readonly reason: VaultEntryRef;
    readonly setBy: string;
  },
): Promise<boolean> {
  const count = await tx.$executeRaw`
    INSERT INTO retention_holds (tenant_id, id, scope, about, reason_ref, reason_digest, set_by)
    VALUES (${tenantId}::uuid, ${hold.id}::uuid, ${hold.scope}, ${hold.about}, ${hold.reason.ref}::uuid,
      ${hold.reason.digest}, ${hold.setBy}::uuid)
    ON CONFLICT DO NOTHING`;
  return count === 1;
}

/** Lifts a hold that stands; null when there is none of that id or it was lifted before. */
export async function endHold(
  tx: Tx,
  tenantId: string,
  lift: { readonly id: string; readonly reason: VaultEntryRef; readonly by: string },
): Promise<{ readonly scope: HoldScope; readonly about: string } | null> {
  const [row] = await tx.$queryRaw<{ scope: HoldScope; about: string }[]>`
    UPDATE retention_holds
    SET lift_ref = ${lift.reason.ref}::uuid, lift_digest = ${lift.reason.digest}, lifted_by = ${lift.by}::uuid,
      lifted_at = ledger_now()
    WHERE tenant_id = ${tenantId}::uuid AND id = ${lift.id}::uuid AND lifted_at IS NULL
    RETURNING scope, about`;
  return row ?? null;
}

/** The newest holds of a tenant, those that stand first. */
export async function newestHolds(db: Db, tenantId: string, limit: number): Promise<HoldEntry[]> {
  return db.$queryRaw<HoldEntry[]>`
    SELECT id, scope, about, reason_ref AS "reasonRef", set_by AS "setBy", set_at AS "setAt",
      lifted_by AS "liftedBy", lifted_at AS "liftedAt"
    FROM retention_holds WHERE tenant_id = ${tenantId}::uuid
    ORDER BY (lifted_at IS NOT NULL), set_at DESC, id DESC LIMIT ${limit}`;
}

/** The holds that stand on a person or on one of these requests. */
export async function holdsOn(
  db: Db,
  tenantId: string,
  subjectRef: string,
  requestRefs: readonly string[],
): Promise<HoldEntry[]> {
  return db.$queryRaw<HoldEntry[]>`
    SELECT id, scope, about, reason_ref AS "reasonRef", set_by AS "setBy", set_at AS "setAt",
      lifted_by AS "liftedBy", lifted_at AS "liftedAt"
    FROM retention_holds
    WHERE tenant_id = ${tenantId}::uuid AND lifted_at IS NULL
      AND (scope = 'subject' AND (about = ${subjectRef} OR about IN (
          SELECT s.subject_ref FROM request_signers s
          WHERE s.tenant_id = ${tenantId}::uuid AND s.request_ref = ANY(${[...requestRefs]})))
        OR scope = 'request' AND about = ANY(${[...requestRefs]}))
    ORDER BY set_at, id`;
}
