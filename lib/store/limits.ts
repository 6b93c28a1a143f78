import { invariant } from "@/lib/domain/invariant";
import type { Tx } from "./db";

/** Limits as people set them; null means the default, and for reads what the platform states. */
export interface Limits {
  readonly inFlightMax: number | null;
  readonly callsPerMinute: number | null;
  /** Only connections have one. */
  readonly readsPerHour: number | null;
}

/** The limits that somebody set for a connection, or for the tenant where it is null; all null before the first time. */
export async function limitsOf(
  tx: Tx,
  tenantId: string,
  connectionId: string | null,
): Promise<Limits> {
  if (connectionId === null) {
    const row = await tx.tenantLimit.findUnique({
      where: { tenantId },
      select: { inFlightMax: true, callsPerMinute: true },
    });
    return row === null ? NOT_SET : { ...row, readsPerHour: null };
  }
  const row = await tx.connectionLimit.findUnique({
    where: { tenantId_connectionId: { tenantId, connectionId } },
    select: { inFlightMax: true, callsPerMinute: true, readsPerHour: true },
  });
  return row ?? NOT_SET;
}

const NOT_SET: Limits = { inFlightMax: null, callsPerMinute: null, readsPerHour: null };

/** Sets the limits of a connection, or of the tenant where it is null. They hold from the next claim on. */
export async function setLimits(
  tx: Tx,
  tenantId: string,
  connectionId: string | null,
  limits: Limits,
  changedBy: string,
): Promise<void> {
  const { inFlightMax, callsPerMinute, readsPerHour } = limits;
  if (connectionId === null) {
    invariant(readsPerHour === null, "reads are counted per connection");
    await tx.$executeRaw`
      INSERT INTO tenant_limits (tenant_id, in_flight_max, calls_per_minute, changed_by)
      VALUES (${tenantId}::uuid, ${inFlightMax}, ${callsPerMinute}, ${changedBy})
      ON CONFLICT (tenant_id) DO UPDATE SET in_flight_max = EXCLUDED.in_flight_max,
        calls_per_minute = EXCLUDED.calls_per_minute, changed_by = EXCLUDED.changed_by, changed_at = ledger_now()`;
    return;
  }
  await tx.$executeRaw`
    INSERT INTO connection_limits (tenant_id, connection_id, in_flight_max, calls_per_minute, reads_per_hour, changed_by)
    VALUES (${tenantId}::uuid, ${connectionId}::uuid, ${inFlightMax}, ${callsPerMinute}, ${readsPerHour}, ${changedBy})
    ON CONFLICT (tenant_id, connection_id) DO UPDATE SET in_flight_max = EXCLUDED.in_flight_max,
      calls_per_minute = EXCLUDED.calls_per_minute, reads_per_hour = EXCLUDED.reads_per_hour,
      changed_by = EXCLUDED.changed_by, changed_at = ledger_now()`;
}

export interface QuotaUse {
  /** Null for the tenant as a whole. */
  readonly connectionId: string | null;
  readonly inFlight: number;
  readonly inFlightMax: number;
  /** Starts of the last minute. */
  readonly calls: number;
  readonly callsPerMinute: number;
  /** When the oldest start of the last minute is no longer counted; null while there is none. */
  readonly callsFreeAt: Date | null;
}

/** What of the quotas is used now, for the tenant and for each of its connections (CL-5). */
export async function quotasInUse(tx: Tx, tenantId: string): Promise<QuotaUse[]> {
  return tx.$queryRaw<QuotaUse[]>`
    SELECT q.connection_id AS "connectionId", q.in_flight AS "inFlight", q.in_flight_max AS "inFlightMax", q.calls,
      q.calls_per_minute AS "callsPerMinute", (
        SELECT to_timestamp(min(s) + 61) FROM connection_turns t
        CROSS JOIN LATERAL generate_series(greatest(ledger_second(), t.last_second) - 60, t.last_second) s
        WHERE t.tenant_id = ${tenantId}::uuid AND (q.connection_id IS NULL OR t.connection_id = q.connection_id)
          AND t.starts[1 + s % 61] > 0) AS "callsFreeAt"
    FROM quota_use(${tenantId}::uuid) q`;
}
