import type { AttemptFacts } from "@/lib/domain/quiet-time";
import type { Baseline } from "@/lib/domain/verdict";
import type { Tx } from "./db";

interface AttemptRow {
  readonly lease_until: Date;
  readonly reported_at: Date | null;
  readonly outcome: string | null;
  readonly worker_alive: boolean;
}

/**
 * Every call of an operation that may have left, oldest first, with whether its worker's database session lives
 * (RC-8, RC-9). A worker holds its `session_key` as an advisory lock for as long as its session lives: a stopped
 * process keeps it, a dead one loses it.
 */
export async function attemptsOf(tx: Tx, tenantId: string, opId: string): Promise<AttemptFacts[]> {
  const rows = await tx.$queryRaw<AttemptRow[]>`
    SELECT a.lease_until, a.reported_at, a.outcome, EXISTS (
      SELECT 1 FROM workers w JOIN pg_locks l
        ON l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
        AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND (l.classid::bigint << 32) + l.objid::bigint = w.session_key
      WHERE w.id = a.worker_id) AS worker_alive
    FROM attempts a
    WHERE a.tenant_id = ${tenantId}::uuid AND a.op_id = ${opId}::uuid
    ORDER BY a.fence`;
  return rows.map((row) => ({
    leaseUntilMs: row.lease_until.getTime(),
    reportedAtMs: row.reported_at?.getTime() ?? null,
    noCall: row.outcome === "no_call",
    workerAlive: row.worker_alive,
  }));
}

/** What earlier attempts of an operation came to (PL-3). */
export interface EarlierAttempts {
  /** True when one of them ended without a certain answer, or accepted without being seen. */
  readonly unknown: boolean;
  /** True when one of them was answered with success. */
  readonly accepted: boolean;
  /** The report of the newest one; null when there is none or it said nothing. */
  readonly newest: string | null;
}

/** Reads what the attempts before `fence` came to; one that never reported counts as unknown. */
export async function earlierAttempts(
  tx: Tx,
  tenantId: string,
  opId: string,
  fence: number,
): Promise<EarlierAttempts> {
  const rows = await tx.$queryRaw<{ outcome: string | null }[]>`
    SELECT outcome FROM attempts
    WHERE tenant_id = ${tenantId}::uuid AND op_id = ${opId}::uuid AND fence < ${fence}
    ORDER BY fence DESC`;
  return {
    unknown: rows.some((row) => row.outcome === null || UNCERTAIN.has(row.outcome)),
    accepted: rows.some((row) => row.outcome === "accepted"),
    newest: rows[0]?.outcome ?? null,
  };
}

const UNCERTAIN = new Set(["unknown", "accepted", "declined_unstated"]);

/**
 * What the read before the first call of an operation showed of reminders and deliveries (RC-5); null while no call
 * may have left.
 */
export async function baselineOf(tx: Tx, tenantId: string, opId: string): Promise<Baseline | null> {
  const [row] = await tx.$queryRaw<{ reminded: Date | null; delivered: Date | null }[]>`
    SELECT r.last_reminder_at AS reminded, r.last_delivery_at AS delivered
    FROM attempts a JOIN read_receipts r
      ON r.tenant_id = a.tenant_id AND r.op_id = a.op_id AND r.fence = a.fence AND r.purpose = 'before'
    WHERE a.tenant_id = ${tenantId}::uuid AND a.op_id = ${opId}::uuid AND r.outcome = 'read'
      AND a.outcome IS DISTINCT FROM 'no_call'
    ORDER BY a.fence LIMIT 1`;
  return row
    ? {
        lastReminderAt: row.reminded?.toISOString() ?? null,
        lastDeliveryAt: row.delivered?.toISOString() ?? null,
      }
    : null;
}

/**
 * The expiry that this ledger's newest `done` extension since `approvedAt` set on the request, as read back
 * (PL-5: the approved basis is advanced by our own confirmed operations); null when there is none.
 */
export async function ownExpirySince(
  tx: Tx,
  tenantId: string,
  requestRef: string,
  approvedAt: Date,
): Promise<string | null> {
  const rows = await tx.$queryRaw<{ expires_at: Date | null }[]>`
    SELECT r.expires_at
    FROM operations o JOIN read_receipts r
      ON r.tenant_id = o.tenant_id AND r.op_id = o.op_id AND r.outcome = 'read'
        AND r.purpose IN ('after', 'look')
    WHERE o.tenant_id = ${tenantId}::uuid AND o.request_ref = ${requestRef}
      AND o.kind IN ('extend', 'resend') AND o.state = 'done' AND o.changed_at >= ${approvedAt}
    ORDER BY r.started_at DESC LIMIT 1`;
  return rows[0]?.expires_at?.toISOString() ?? null;
}
