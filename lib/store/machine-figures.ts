import type { Db } from "./db";

export interface ConnectionReads {
  readonly tenantId: string;
  readonly connectionId: string;
  readonly used: number;
  readonly limit: number;
}

const CONNECTIONS_MAX = 100;

/** Reads of the last hour against the limit (PL-7), of connections that have one and were read at all. */
export function connectionReads(db: Db): Promise<ConnectionReads[]> {
  return db.$queryRaw<ConnectionReads[]>`
    WITH busy AS MATERIALIZED (
      SELECT c.tenant_id, c.id FROM connections c
      WHERE EXISTS (SELECT 1 FROM read_receipts r WHERE r.tenant_id = c.tenant_id AND r.connection_id = c.id
        AND r.started_at > ledger_now() - interval '1 hour')
      ORDER BY c.tenant_id, c.id LIMIT ${CONNECTIONS_MAX}
    )
    SELECT b.tenant_id AS "tenantId", b.id AS "connectionId", l.reads_per_hour AS "limit",
      reads_of_hour(b.tenant_id, b.id, l.reads_per_hour) AS used
    FROM busy b CROSS JOIN LATERAL effective_limits(b.tenant_id) l
    WHERE l.connection_id = b.id AND l.reads_per_hour IS NOT NULL`;
}

/** Switches that are on, by scope, with the age of the oldest (BL-6). */
export function activePauses(
  db: Db,
): Promise<{ readonly scope: string; readonly count: number; readonly oldestSeconds: number }[]> {
  return db.$queryRaw<{ scope: string; count: number; oldestSeconds: number }[]>`
    SELECT scope, count(*)::integer AS count,
      greatest(0, extract(epoch FROM ledger_now() - min(paused_at)))::float8 AS "oldestSeconds"
    FROM pauses WHERE resumed_at IS NULL GROUP BY scope`;
}

/** The largest difference of a platform's clock that was measured in the last day; null without one (TM-6). */
export async function platformSkewSeconds(db: Db): Promise<number | null> {
  const [row] = await db.$queryRaw<{ skew: number | null }[]>`
    SELECT (max(abs(clock_skew_ms)) / 1000.0)::float8 AS skew FROM connections
    WHERE clock_skew_at > ledger_now() - interval '1 day'`;
  return row?.skew ?? null;
}

/** For the tenant that waits longest: the age of its oldest entry that no seal covers; 0 when all are (SM-4). */
export async function sealAgeSeconds(db: Db): Promise<number> {
  const [row] = await db.$queryRaw<{ age: number | null }[]>`
    SELECT max(extract(epoch FROM ledger_now() - first.at))::float8 AS age
    FROM tenants t
    LEFT JOIN LATERAL (
      SELECT s.covered_until FROM seals s WHERE s.tenant_id = t.id ORDER BY s.seq DESC LIMIT 1) s ON true
    CROSS JOIN LATERAL (
      SELECT e.at FROM operation_events e
      WHERE e.tenant_id = t.id AND e.at >= coalesce(s.covered_until, '-infinity')
      ORDER BY e.at LIMIT 1) first`;
  return Math.max(0, row?.age ?? 0);
}
