import type { ResumeGroup } from "@/lib/domain/resume-preview";
import { INSTALLATION } from "@/lib/domain/switch-scope";
import type { Tx } from "./db";
import type { PauseRow } from "./pauses";

/** One operation of a resume preview, with what decides about it and who would be asked. */
export interface PreviewRow {
  readonly group: ResumeGroup;
  readonly opId: string;
  readonly kind: string;
  readonly requestRef: string;
  readonly dueAt: Date;
  /** Which clock passed, and when; null for other groups. */
  readonly clock: "business" | "platform" | null;
  readonly passedAt: Date | null;
  /** The plan of a joined reminder. */
  readonly planId: string | null;
  readonly proposedBy: string;
  readonly requestOwner: string | null;
  readonly connectionOwner: string;
}

/**
 * What would happen to everything that a switch holds in one tenant if it were opened now (BL-6): one statement, so
 * that all groups are of one moment. What ended because of the wait is named too, from the pause on.
 */
export async function previewOf(
  tx: Tx,
  tenantId: string,
  pause: Pick<PauseRow, "id" | "scope" | "connectionId" | "kind" | "pausedAt">,
): Promise<PreviewRow[]> {
  const key = pause.kind ?? pause.connectionId ?? pause.scope;
  return tx.$queryRaw<PreviewRow[]>`
    WITH others AS MATERIALIZED (
      SELECT ARRAY(
        SELECT coalesce(p.kind, p.connection_id::text, p.scope) FROM pauses p
        WHERE p.resumed_at IS NULL AND p.id <> ${pause.id}::uuid
          AND (p.tenant_id = ${tenantId}::uuid OR p.tenant_id = ${INSTALLATION}::uuid AND p.scope = 'all')
        UNION ALL
        SELECT c.id::text FROM connections c WHERE c.tenant_id = ${tenantId}::uuid AND c.paused_at IS NOT NULL
          AND c.id IS DISTINCT FROM ${pause.connectionId}::uuid
        UNION ALL
        SELECT k.kind FROM unnest(ARRAY['send', 'resend', 'remind', 'extend', 'expire', 'void', 'sign', 'finalize'])
          AS k (kind)
        WHERE NOT EXISTS (SELECT 1 FROM kind_modes m
          WHERE m.tenant_id = ${tenantId}::uuid AND m.kind = k.kind AND m.mode = 'live')) AS held
    ), waiting AS MATERIALIZED (
      SELECT o.*, c.owner AS connection_owner, r.owner_account_id, others.held,
        CASE WHEN r.business_deadline_at <= ledger_now() THEN 'business'
          WHEN o.kind <> 'send' AND r.mirror_expires_at <= ledger_now() THEN 'platform' END AS clock,
        CASE WHEN r.business_deadline_at <= ledger_now() THEN r.business_deadline_at
          WHEN o.kind <> 'send' AND r.mirror_expires_at <= ledger_now() THEN r.mirror_expires_at END AS passed_at
      FROM others, operations o
      JOIN requests r ON r.tenant_id = o.tenant_id AND r.ref = o.request_ref
      JOIN connections c ON c.tenant_id = o.tenant_id AND c.id = o.connection_id
      WHERE o.tenant_id = ${tenantId}::uuid AND o.state = 'scheduled' AND o.successor_op_id IS NULL
        AND is_held(ARRAY[${key}::text], o.connection_id, o.kind)
    ), first_look AS MATERIALIZED (
      SELECT w.*, CASE
          WHEN w.kind = 'remind' AND w.plan_id IS NOT NULL AND EXISTS (
            SELECT 1 FROM operations s
            WHERE s.tenant_id = w.tenant_id AND s.plan_id = w.plan_id AND s.kind = 'remind'
              AND s.state = 'scheduled' AND s.occurrence > w.occurrence AND s.due_at <= ledger_now()) THEN 'joined'
          WHEN is_held(w.held, w.connection_id, w.kind) THEN 'still_held'
          WHEN w.due_at > ledger_now() THEN 'due_later'
          WHEN w.kind = 'remind' AND w.clock IS NOT NULL THEN 'reminder_past'
          WHEN w.kind IN ('send', 'resend', 'extend') AND w.clock IS NOT NULL THEN 'deadline_passed'
          ELSE 'start' END AS first_group
      FROM waiting w
    )
    SELECT CASE WHEN f.first_group = 'start' AND (
          EXISTS (SELECT 1 FROM operations h
            WHERE h.tenant_id = f.tenant_id AND h.request_ref = f.request_ref
              AND h.state IN ('quarantined', 'needs_review') AND h.op_id IS DISTINCT FROM f.supersedes_op_id)
          OR EXISTS (SELECT 1 FROM first_look d
            WHERE d.request_ref = f.request_ref AND d.first_group = 'deadline_passed')
          OR EXISTS (SELECT 1 FROM operations b
            WHERE b.tenant_id = f.tenant_id AND b.op_id = f.waits_for_op_id AND b.state <> 'done'))
        THEN 'waits' ELSE f.first_group END AS "group",
      f.op_id AS "opId", f.kind, f.request_ref AS "requestRef", f.due_at AS "dueAt",
      CASE WHEN f.first_group IN ('deadline_passed', 'reminder_past') THEN f.clock END AS clock,
      CASE WHEN f.first_group IN ('deadline_passed', 'reminder_past') THEN f.passed_at END AS "passedAt",
      f.plan_id AS "planId", f.proposed_by AS "proposedBy",
      'account:' || f.owner_account_id AS "requestOwner", f.connection_owner AS "connectionOwner"
    FROM first_look f
    UNION ALL
    SELECT CASE WHEN o.reason = 'collapsed_after_pause' THEN 'joined' ELSE 'approval_expired' END, o.op_id, o.kind,
      o.request_ref, o.due_at, NULL, NULL, o.plan_id, o.proposed_by, NULL, ''
    FROM operations o
    WHERE o.tenant_id = ${tenantId}::uuid AND is_held(ARRAY[${key}::text], o.connection_id, o.kind)
      AND (o.state = 'obsolete' AND o.reason IN ('approval_expired', 'collapsed_after_pause')
          AND o.changed_at >= ${pause.pausedAt}
        OR o.state = 'proposed' AND o.approval_expires_at <= ledger_now())
    ORDER BY "dueAt", "opId"`;
}

/**
 * Ends the wait of operations whose deadline passed while they were held: each goes to the person that is named for
 * it. Returns how many did; the caller compares.
 */
export async function reviewPassedDeadlines(
  tx: Tx,
  tenantId: string,
  actor: string,
  rows: readonly {
    readonly opId: string;
    readonly owner: string;
    readonly clock: string | null;
    readonly at: string | null;
  }[],
): Promise<number> {
  return tx.$executeRaw`
    WITH named AS MATERIALIZED (
      SELECT o.op_id, n.owner, n.clock, n.at
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        AS n("opId" uuid, owner text, clock text, at text)
      JOIN operations o ON o.tenant_id = ${tenantId}::uuid AND o.op_id = n."opId"
      ORDER BY o.op_id FOR UPDATE OF o
    )
    UPDATE operations o
    SET state = 'needs_review', reason = 'deadline_passed_while_held', owner = n.owner, event_actor = ${actor},
      event_evidence = json_build_object('clock', n.clock, 'at', n.at)::text
    FROM named n
    WHERE o.tenant_id = ${tenantId}::uuid AND o.op_id = n.op_id AND o.state = 'scheduled'`;
}

/** Ends held reminders that are not sent any more: past their deadline, or joined into a later one (RM-4). */
export async function endHeldReminders(
  tx: Tx,
  tenantId: string,
  actor: string,
  reason: "skipped_past_deadline" | "collapsed_after_pause",
  opIds: readonly string[],
): Promise<number> {
  return tx.$executeRaw`
    WITH named AS MATERIALIZED (
      SELECT o.op_id FROM operations o
      WHERE o.tenant_id = ${tenantId}::uuid AND o.op_id = ANY(${opIds}::uuid[])
      ORDER BY o.op_id FOR UPDATE
    )
    UPDATE operations o
    SET state = 'obsolete', reason = ${reason}, event_actor = ${actor}, event_evidence = '{}'
    FROM named n
    WHERE o.tenant_id = ${tenantId}::uuid AND o.op_id = n.op_id AND o.state = 'scheduled'`;
}
