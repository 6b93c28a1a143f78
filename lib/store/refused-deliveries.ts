import { AUTHENTICATION_FAILURES_MAX } from "@/lib/domain/inbox";
import type { Tx } from "./db";

/** Counts deliveries that were refused, per hour and cause (IN-1). Nothing else of them is kept. */
export async function countRefusals(
  tx: Tx,
  tenantId: string,
  connectionId: string,
  refused: readonly { readonly why: string; readonly count: number }[],
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO inbox_refusals (tenant_id, connection_id, hour, why, count)
    SELECT ${tenantId}::uuid, ${connectionId}::uuid, date_trunc('hour', ledger_now()), e.why, e.count
    FROM json_to_recordset(${JSON.stringify(refused)}::json) AS e(why text, count integer)
    ORDER BY e.why
    ON CONFLICT (tenant_id, connection_id, hour, why) DO UPDATE SET count = inbox_refusals.count + EXCLUDED.count`;
}

/**
 * Asks the owner of a connection to check its secrets once more deliveries of this hour have failed authentication than
 * chance explains (PV-6, RV-1): one item per connection and hour, and one open item at most. Call it after the refusals
 * are counted. True when it opened one.
 */
export async function openAuthenticationReview(
  tx: Tx,
  tenantId: string,
  connectionId: string,
): Promise<boolean> {
  const opened = await tx.$executeRaw`
    INSERT INTO review_items (tenant_id, id, connection_id, reason, owner, evidence)
    SELECT c.tenant_id, gen_random_uuid(), c.id, 'authentication_failures', c.owner,
      json_build_object('n', failed.n, 'age', '1 h', 'since', date_trunc('hour', ledger_now()))::text
    FROM connections c CROSS JOIN LATERAL (
      SELECT sum(r.count)::integer AS n FROM inbox_refusals r
      WHERE r.tenant_id = c.tenant_id AND r.connection_id = c.id AND r.hour = date_trunc('hour', ledger_now())) failed
    WHERE c.tenant_id = ${tenantId}::uuid AND c.id = ${connectionId}::uuid
      AND failed.n >= ${AUTHENTICATION_FAILURES_MAX}::integer
      AND NOT EXISTS (
        SELECT 1 FROM review_items i
        WHERE i.tenant_id = c.tenant_id AND i.connection_id = c.id AND i.reason = 'authentication_failures'
          AND i.opened_at >= date_trunc('hour', ledger_now()))
    ON CONFLICT DO NOTHING`;
  return opened === 1;
}
