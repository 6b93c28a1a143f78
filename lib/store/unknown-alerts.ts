import type { Tx } from "./db";

/** Unknown operations of one kind and connection that were not told of before. */
export interface UnknownGroup {
  readonly tenantId: string;
  readonly connectionId: string;
  readonly kind: string;
  readonly count: number;
  /** One of them, for a link when it is the only one. */
  readonly opId: string;
  /** When the first of their requests ends; null where none does. */
  readonly losesAt: Date | null;
}

/**
 * Notes which operations of every tenant have been unknown for `ageMs` and were not told of since they became so (RC-4).
 * At most `limit`; of two workers each operation is noted by one. The groups to tell of.
 */
export async function noteUnknown(tx: Tx, ageMs: number, limit: number): Promise<UnknownGroup[]> {
  return tx.$queryRaw<UnknownGroup[]>`
    WITH past AS MATERIALIZED (
      SELECT o.tenant_id, o.op_id, o.unknown_since FROM operations o
      WHERE o.state IN ('needs_reconcile', 'reconciling')
        AND o.unknown_since <= ledger_now() - ${ageMs}::integer * interval '1 millisecond'
        AND NOT EXISTS (SELECT 1 FROM unknown_alerts a
          WHERE a.tenant_id = o.tenant_id AND a.op_id = o.op_id AND a.unknown_since = o.unknown_since)
      ORDER BY o.unknown_since LIMIT ${limit}
    ), noted AS (
      INSERT INTO unknown_alerts AS a (tenant_id, op_id, unknown_since)
      SELECT tenant_id, op_id, unknown_since FROM past ORDER BY tenant_id, op_id
      ON CONFLICT (tenant_id, op_id) DO UPDATE SET unknown_since = excluded.unknown_since, told_at = ledger_now()
        WHERE a.unknown_since <> excluded.unknown_since
      RETURNING a.tenant_id, a.op_id
    )
    SELECT o.tenant_id AS "tenantId", o.connection_id AS "connectionId", o.kind, count(*)::integer AS count,
      min(o.op_id::text) AS "opId",
      min(request_loses_at(r.mirror_terminal, r.business_deadline_at, r.mirror_expires_at)) AS "losesAt"
    FROM noted n
    JOIN operations o ON o.tenant_id = n.tenant_id AND o.op_id = n.op_id
    JOIN requests r ON r.tenant_id = o.tenant_id AND r.ref = o.request_ref
    GROUP BY 1, 2, 3`;
}
