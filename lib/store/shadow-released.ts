import { type OperationKind, PRIORITY } from "@/lib/domain/operation";
import type { Tx } from "./db";

/**
 * Makes operations of the timers that a kind in shadow mode has only recorded and that are still to come, when the
 * kind goes live: no reminder is lost (GO-1). One statement; what was released is not released again, and a timer
 * whose key is taken stays what it is. Only plans in force give any. Returns how many operations there are now.
 */
export async function releaseTimers(
  tx: Tx,
  tenantId: string,
  kind: OperationKind,
  actor: string,
): Promise<number> {
  return tx.$executeRaw`
    WITH ahead AS MATERIALIZED (
      SELECT s.* FROM shadow_records s
      JOIN requests r ON r.tenant_id = s.tenant_id AND r.ref = s.request_ref AND r.timer_plan_id = s.plan_id
      WHERE s.tenant_id = ${tenantId}::uuid AND s.kind = ${kind} AND s.state = 'planned'
        AND s.due_at > ledger_now() AND NOT r.mirror_terminal
      ORDER BY s.id FOR UPDATE OF s
    ), made AS (
      INSERT INTO operations (tenant_id, op_id, op_key, kind, request_ref, connection_id, state, reason,
        canonical_text, payload_hash, approval_id, policy_version, proposed_by, approved_at, due_at, priority,
        plan_id, occurrence, approved_with_op_id, event_kind, event_actor, event_evidence)
      SELECT a.tenant_id, gen_random_uuid(), concat_ws('/', a.request_ref, a.kind, a.plan_id, a.occurrence), a.kind,
        a.request_ref, a.connection_id, 'scheduled', 'approved_by_policy', a.canonical_text, a.payload_hash,
        a.plan_id, coalesce(substring(a.planned_by FROM '-v([0-9]+)$')::int, 1), a.planned_by, ledger_now(),
        a.due_at, ${PRIORITY[kind]}, a.plan_id, a.occurrence, a.approved_op_id, 'planned', ${actor},
        json_build_object('shadow', a.id)::text
      FROM ahead a
      ON CONFLICT DO NOTHING
      RETURNING op_id, plan_id, occurrence
    )
    UPDATE shadow_records s SET state = 'released', released_op_id = m.op_id
    FROM made m
    WHERE s.tenant_id = ${tenantId}::uuid AND s.plan_id = m.plan_id AND s.occurrence = m.occurrence
      AND s.state = 'planned'`;
}
