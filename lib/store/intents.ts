import type { Tx } from "./db";

export interface Held {
  readonly opId: string;
  readonly fence: number;
}

/**
 * Makes the intent durable before anything may leave (CL-3): `claimed` becomes `submitting` only under this fence,
 * while the lease runs, no switch holds it, no successor is recorded, no late result came in and the mirror is not
 * at a final end; a replacement starts at just that end, unless what it replaces was completed first (ID-7). One
 * statement, inside the caller's tenant; returns the operations for which it took. One that is missing from the answer
 * must not be sent.
 */
export async function storeIntents(
  tx: Tx,
  tenantId: string,
  worker: { readonly id: string; readonly name: string },
  held: readonly (Held & { readonly evidence: object })[],
): Promise<Set<string>> {
  const rows = await tx.$queryRaw<{ op_id: string }[]>`
    WITH w AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(held)}::jsonb)
        AS w("opId" uuid, fence integer, evidence json)
      ORDER BY "opId"
    ), wanted AS MATERIALIZED (
      SELECT free.op_id, w.evidence FROM w CROSS JOIN LATERAL (
        SELECT o.op_id FROM operations o JOIN requests r ON r.tenant_id = o.tenant_id AND r.ref = o.request_ref
        WHERE o.tenant_id = ${tenantId}::uuid AND o.op_id = w."opId" AND o.fence = w.fence
          AND o.state = 'claimed' AND o.lease_owner = ${worker.id}::uuid AND o.lease_until > ledger_now()
          AND o.successor_op_id IS NULL AND o.late_fence IS NULL
          AND (NOT r.mirror_terminal
            OR o.kind = 'send' AND o.waits_for_op_id IS NOT NULL AND r.mirror_status <> 'completed')
          AND NOT is_held((SELECT held_scopes(${tenantId}::uuid)), o.connection_id, o.kind)
        FOR UPDATE OF o
      ) free
    ), moved AS (
      UPDATE operations o
      SET state = 'submitting', reason = 'intent_stored', attempts = o.attempts + 1,
        first_intent_at = coalesce(o.first_intent_at, ledger_now()),
        event_actor = ${`worker:${worker.name}`}, event_evidence = wanted.evidence::text
      FROM wanted
      WHERE o.tenant_id = ${tenantId}::uuid AND o.op_id = wanted.op_id AND o.state = 'claimed'
      RETURNING o.tenant_id, o.op_id, o.fence, o.lease_owner, o.lease_until
    )
    INSERT INTO attempts (tenant_id, op_id, fence, worker_id, intent_at, lease_until)
    SELECT tenant_id, op_id, fence, lease_owner, ledger_now(), lease_until FROM moved
    RETURNING op_id`;
  return new Set(rows.map((row) => row.op_id));
}
