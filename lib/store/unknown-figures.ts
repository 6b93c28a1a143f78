import type { Db } from "./db";

export interface UnknownShare {
  /** Calls that may have left in the last hour, the newest 10,000 at most. */
  readonly calls: number;
  /** Those that ended without an answer that settles them, or whose worker never reported. */
  readonly unknown: number;
}

/** How many calls of the tenant's last hour became unknown. */
export async function unknownShare(db: Db, tenantId: string): Promise<UnknownShare> {
  const [row] = await db.$queryRaw<UnknownShare[]>`
    SELECT count(*)::integer AS calls, count(*) FILTER (WHERE outcome = 'unknown'
      OR outcome IS NULL AND lease_until < ledger_now())::integer AS unknown
    FROM (
      SELECT outcome, lease_until FROM attempts
      WHERE tenant_id = ${tenantId}::uuid AND intent_at > ledger_now() - interval '1 hour'
      ORDER BY intent_at DESC LIMIT 10000) a
    WHERE outcome IS DISTINCT FROM 'no_call'`;
  return row ?? { calls: 0, unknown: 0 };
}

export interface ResolveTimes {
  readonly count: number;
  /** Seconds; null while nothing was resolved. */
  readonly median: number | null;
  readonly p95: number | null;
  readonly longest: number | null;
}

/** How long the tenant's unknown operations of the last day took to end, the newest 5,000 at most. */
export async function resolveTimes(db: Db, tenantId: string): Promise<ResolveTimes> {
  const [row] = await db.$queryRaw<ResolveTimes[]>`
    SELECT count(*)::integer AS count, percentile_disc(0.5) WITHIN GROUP (ORDER BY seconds) AS median,
      percentile_disc(0.95) WITHIN GROUP (ORDER BY seconds) AS p95, max(seconds) AS longest
    FROM (
      SELECT extract(epoch FROM changed_at - unknown_since)::float8 AS seconds FROM operations
      WHERE tenant_id = ${tenantId}::uuid AND unknown_since IS NOT NULL
        AND state IN ('done', 'obsolete', 'superseded', 'failed_terminal')
        AND changed_at > ledger_now() - interval '1 day'
      ORDER BY changed_at DESC LIMIT 5000) ended`;
  return row ?? { count: 0, median: null, p95: null, longest: null };
}
