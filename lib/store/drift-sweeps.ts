import type { Db, Tx } from "./db";

/** A request whose turn it is to be read without anybody having asked. */
export interface DueSweep {
  readonly tenantId: string;
  readonly ref: string;
  readonly connectionId: string;
  readonly platformRef: string;
  readonly mirrorReadAt: Date | null;
  /** The nearer of business deadline and platform expiry. */
  readonly earliest: Date | null;
  /** Database time of the taking: no read of this turn started before. */
  readonly takenAt: Date;
}

/** A sweep that was taken and not finished, by a crash, is taken again after this time. Milliseconds. */
const AGAIN_MS = 120_000;

/**
 * Takes open requests whose sweep is due, the longest due first; each is taken by one worker. Ended requests are not
 * looked at, however many there are (C-10). Needs a connection that sees every tenant.
 */
export async function takeDueSweeps(db: Db, limit: number): Promise<DueSweep[]> {
  return db.$queryRaw<DueSweep[]>`
    WITH due AS MATERIALIZED (
      SELECT tenant_id, ref FROM requests
      WHERE NOT mirror_terminal AND platform_ref IS NOT NULL AND next_sweep_at <= ledger_now()
      ORDER BY next_sweep_at, tenant_id, ref LIMIT ${limit}
      FOR UPDATE SKIP LOCKED
    )
    UPDATE requests r SET next_sweep_at = ledger_now() + ${AGAIN_MS}::integer * interval '1 millisecond'
    FROM due d
    WHERE r.tenant_id = d.tenant_id AND r.ref = d.ref
    RETURNING r.tenant_id AS "tenantId", r.ref, r.connection_id AS "connectionId", r.platform_ref AS "platformRef",
      r.mirror_read_at AS "mirrorReadAt", least(r.business_deadline_at, r.mirror_expires_at) AS earliest,
      ledger_now() AS "takenAt"`;
}

/** Says when the request's next turn comes. */
export async function setNextSweep(db: Db, tenantId: string, ref: string, at: Date): Promise<void> {
  await db.$executeRaw`
    UPDATE requests SET next_sweep_at = ${at} WHERE tenant_id = ${tenantId}::uuid AND ref = ${ref}`;
}

/** A request as it stood before a sweep's read is applied. */
export interface SweptRequest {
  readonly status: string | null;
  readonly rawStatus: string | null;
  readonly expiresAt: Date | null;
  readonly readAt: Date | null;
  readonly businessDeadlineAt: Date | null;
  readonly ownerAccountId: string | null;
  /** An operation of ours may be changing it, or waits for a person: a difference may then be our own. */
  readonly inFlight: boolean;
  /** A new deadline is approved and not at the platform yet: the clocks differ because they must. */
  readonly deadlineUnderWay: boolean;
}

/** Locks the request, before any operation (C-09), and says what it looked like; null when it is gone. */
export async function lockForSweep(
  tx: Tx,
  tenantId: string,
  ref: string,
): Promise<SweptRequest | null> {
  await tx.$queryRaw`
    SELECT 1 FROM requests WHERE tenant_id = ${tenantId}::uuid AND ref = ${ref} FOR UPDATE`;
  const [row] = await tx.$queryRaw<SweptRequest[]>`
    SELECT r.mirror_status AS status, r.mirror_raw_status AS "rawStatus", r.mirror_expires_at AS "expiresAt",
      r.mirror_read_at AS "readAt", r.business_deadline_at AS "businessDeadlineAt",
      r.owner_account_id AS "ownerAccountId",
      EXISTS (SELECT 1 FROM operations o WHERE o.tenant_id = r.tenant_id AND o.request_ref = r.ref AND o.state IN
        ('claimed', 'submitting', 'needs_reconcile', 'reconciling', 'quarantined', 'needs_review')) AS "inFlight",
      EXISTS (SELECT 1 FROM operations o WHERE o.tenant_id = r.tenant_id AND o.request_ref = r.ref
        AND o.state = 'scheduled' AND o.kind IN ('send', 'extend')) AS "deadlineUnderWay"
    FROM requests r WHERE r.tenant_id = ${tenantId}::uuid AND r.ref = ${ref}`;
  return row ?? null;
}
