import type { Db } from "./db";

/**
 * Ends scheduled operations that have a recorded successor (ID-7): nothing of them is under way, so nothing has to
 * be proven. Returns how many.
 */
export async function endSucceeded(db: Db, limit: number): Promise<number> {
  return db.$executeRaw`
    WITH replaced AS MATERIALIZED (
      SELECT tenant_id, op_id FROM operations
      WHERE state = 'scheduled' AND successor_op_id IS NOT NULL
      ORDER BY tenant_id, op_id LIMIT ${limit}
      FOR UPDATE SKIP LOCKED
    )
    UPDATE operations o
    SET state = 'superseded', reason = 'superseded', event_actor = 'system:sweep',
      event_evidence = json_build_object('successor', o.successor_op_id)::text
    FROM replaced r
    WHERE o.tenant_id = r.tenant_id AND o.op_id = r.op_id AND o.state = 'scheduled'`;
}

/** Which replacements to look at: those of one request, or all of every tenant where both are left out. */
export interface ReplacementScope {
  readonly tenantId?: string;
  readonly requestRef?: string;
}

/**
 * Hands approved replacements to people that must not start any more (ID-7): the request that they replace was
 * completed first, or its void ended without being done while the request is still open. Nothing of them was sent.
 * Returns how many.
 */
export async function holdReplacements(db: Db, scope: ReplacementScope): Promise<number> {
  return db.$executeRaw`
    WITH held AS MATERIALIZED (
      SELECT o.tenant_id, o.op_id, o.waits_for_op_id,
        CASE WHEN r.mirror_terminal THEN 'completed_before_replacement' ELSE 'replaced_not_voided' END AS reason,
        coalesce('account:' || r.owner_account_id, 'team:account-managers') AS owner
      FROM operations o
      JOIN requests r ON r.tenant_id = o.tenant_id AND r.ref = o.request_ref
      JOIN operations v ON v.tenant_id = o.tenant_id AND v.op_id = o.waits_for_op_id
      WHERE o.waits_for_op_id IS NOT NULL AND o.kind = 'send' AND o.state IN ('scheduled', 'claimed')
        AND (${scope.tenantId ?? null}::uuid IS NULL OR o.tenant_id = ${scope.tenantId ?? null}::uuid)
        AND (${scope.requestRef ?? null}::text IS NULL OR o.request_ref = ${scope.requestRef ?? null})
        AND (r.mirror_terminal AND r.mirror_status = 'completed'
          OR NOT r.mirror_terminal AND v.state IN ('obsolete', 'superseded', 'failed_terminal'))
      ORDER BY o.tenant_id, o.op_id
      FOR UPDATE OF o
    )
    UPDATE operations o
    SET state = 'needs_review', reason = held.reason, owner = held.owner, lease_owner = NULL, lease_until = NULL,
      event_actor = 'system:replacement',
      event_evidence = json_build_object('waits_for', held.waits_for_op_id)::text
    FROM held
    WHERE o.tenant_id = held.tenant_id AND o.op_id = held.op_id AND o.state IN ('scheduled', 'claimed')`;
}

/**
 * Lets approved replacements go on whose void has become needless: what they replace was declined, expired or voided
 * by somebody else. They wait for the replaced send from then on, which is done (ID-7). Returns how many.
 */
export async function freeReplacements(db: Db, scope: ReplacementScope): Promise<number> {
  const count = await db.$executeRaw`
    WITH free AS MATERIALIZED (
      SELECT o.tenant_id, o.op_id, made.op_id AS made_op_id
      FROM operations o
      JOIN requests r ON r.tenant_id = o.tenant_id AND r.ref = o.request_ref
      JOIN operations v ON v.tenant_id = o.tenant_id AND v.op_id = o.waits_for_op_id
      JOIN operations made ON made.tenant_id = r.tenant_id AND made.connection_id = r.connection_id
        AND made.platform_ref = r.platform_ref AND made.kind = 'send' AND made.state = 'done'
      WHERE o.waits_for_op_id IS NOT NULL AND o.kind = 'send' AND o.state = 'scheduled'
        AND (${scope.tenantId ?? null}::uuid IS NULL OR o.tenant_id = ${scope.tenantId ?? null}::uuid)
        AND (${scope.requestRef ?? null}::text IS NULL OR o.request_ref = ${scope.requestRef ?? null})
        AND r.mirror_terminal AND r.mirror_status <> 'completed'
        AND v.state IN ('obsolete', 'superseded', 'failed_terminal')
      ORDER BY o.tenant_id, o.op_id
      FOR UPDATE OF o
    )
    UPDATE operations o SET waits_for_op_id = free.made_op_id, event_kind = 'void_needless',
      event_actor = 'system:replacement', event_evidence = json_build_object('waited_for', o.waits_for_op_id)::text
    FROM free
    WHERE o.tenant_id = free.tenant_id AND o.op_id = free.op_id AND o.state = 'scheduled'`;
  if (count > 0) await db.$executeRaw`SELECT pg_notify('deadline_work', '')`;
  return count;
}
