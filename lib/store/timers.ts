import { type OperationKind, PRIORITY } from "@/lib/domain/operation";
import type { Db, Tx } from "./db";

export type TimerKind = Extract<OperationKind, "remind" | "expire">;

/** One timer of a plan, with the payload that its plan's approval carries. */
export interface NewTimer {
  readonly opId: string;
  readonly opKey: string;
  readonly kind: TimerKind;
  readonly occurrence: number;
  readonly dueAt: string;
  readonly canonicalText: string;
  readonly payloadHash: string;
  readonly policyVersion: number;
  /** `policy:<kind>-v<n>`. */
  readonly plannedBy: string;
}

export interface TimerPlan {
  readonly tenantId: string;
  readonly requestRef: string;
  readonly connectionId: string;
  readonly planId: string;
  /** The operation whose approval carries the plan (AP-3). */
  readonly approvedWithOpId: string;
}

/**
 * Adds the timers of a plan as approved operations (TM-3). A timer whose key is taken is left as it is, so that a
 * replayed scheduler adds nothing (ID-1). One statement. Returns how many were added.
 */
export async function insertTimers(
  tx: Tx,
  plan: TimerPlan,
  timers: readonly NewTimer[],
): Promise<number> {
  const rows = timers.map((timer) => ({
    ...timer,
    priority: PRIORITY[timer.kind],
    evidence: JSON.stringify({
      name: timer.kind,
      n: timer.policyVersion,
      plan: plan.planId,
      approved_with: plan.approvedWithOpId,
    }),
  }));
  return tx.$executeRaw`
    INSERT INTO operations (tenant_id, op_id, op_key, kind, request_ref, connection_id, state, reason,
      canonical_text, payload_hash, approval_id, policy_version, proposed_by, approved_at, due_at, priority,
      plan_id, occurrence, approved_with_op_id, event_actor, event_evidence)
    SELECT ${plan.tenantId}::uuid, t."opId", t."opKey", t.kind, ${plan.requestRef}, ${plan.connectionId}::uuid,
      'scheduled', 'approved_by_policy', t."canonicalText", t."payloadHash", ${plan.planId}::uuid,
      t."policyVersion", t."plannedBy", ledger_now(), t."dueAt", t.priority, ${plan.planId}::uuid, t.occurrence,
      ${plan.approvedWithOpId}::uuid, t."plannedBy", t.evidence
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS t("opId" uuid, "opKey" text, kind text,
      "canonicalText" text, "payloadHash" text, "policyVersion" integer, "plannedBy" text, "dueAt" timestamptz,
      priority smallint, occurrence integer, evidence text)
    ORDER BY t.occurrence
    ON CONFLICT (tenant_id, op_key) DO NOTHING`;
}

/** Puts a plan in force for its request: timers of any other plan lose their approval with it (AP-3). */
export async function setTimerPlan(
  tx: Tx,
  { tenantId, requestRef, planId }: Pick<TimerPlan, "tenantId" | "requestRef" | "planId">,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE requests SET timer_plan_id = ${planId}::uuid
    WHERE tenant_id = ${tenantId}::uuid AND ref = ${requestRef}`;
}

/** True while this is the plan that is in force for the request. */
export async function isPresentPlan(
  db: Db,
  tenantId: string,
  requestRef: string,
  planId: string,
): Promise<boolean> {
  const row = await db.request.findUnique({
    where: { tenantId_ref: { tenantId, ref: requestRef } },
    select: { timerPlanId: true },
  });
  return row?.timerPlanId === planId;
}

/** Days between reminders that the newest confirmed send of the request asked for; null where it asked for none. */
export async function sentIntervalDays(
  db: Db,
  tenantId: string,
  requestRef: string,
): Promise<number | null> {
  const [row] = await db.$queryRaw<{ days: number | null }[]>`
    SELECT (canonical_text::json #>> '{reminders,interval_days}')::integer AS days FROM operations
    WHERE tenant_id = ${tenantId}::uuid AND request_ref = ${requestRef} AND kind = 'send' AND state = 'done'
    ORDER BY approved_at DESC LIMIT 1`;
  return row?.days ?? null;
}

/** A timer that was replaced for nothing: what was to bring its successor ended without an effect. */
export interface LostTimer {
  readonly kind: TimerKind;
  readonly occurrence: number;
  readonly dueAt: Date;
  readonly policyVersion: number;
  readonly plannedBy: string;
  readonly approvedWithOpId: string;
  /** The text of what people approved together with it. */
  readonly approvedText: string;
  /** The operation that ended without an effect; the last of the chain where one replaced another. */
  readonly causeOpId: string;
}

/**
 * The timers of the request's present plan whose successor ended without an effect, so that nothing was planned in
 * their place (TM-3). None while the successor is open, and none for a request that has ended.
 */
export async function lostTimers(
  tx: Tx,
  tenantId: string,
  requestRef: string,
): Promise<readonly LostTimer[]> {
  return tx.$queryRaw<LostTimer[]>`
    WITH RECURSIVE lost AS (
      SELECT t.op_id, t.successor_op_id FROM requests r
      JOIN operations t ON t.tenant_id = r.tenant_id AND t.request_ref = r.ref AND t.plan_id = r.timer_plan_id
      WHERE r.tenant_id = ${tenantId}::uuid AND r.ref = ${requestRef} AND NOT r.mirror_terminal
        AND t.state = 'superseded' AND t.successor_op_id IS NOT NULL
    ), chain AS (
      SELECT lost.op_id, s.op_id AS cause, s.state, s.successor_op_id FROM lost
      JOIN operations s ON s.tenant_id = ${tenantId}::uuid AND s.op_id = lost.successor_op_id
      UNION ALL
      SELECT chain.op_id, s.op_id, s.state, s.successor_op_id FROM chain
      JOIN operations s ON s.tenant_id = ${tenantId}::uuid AND s.op_id = chain.successor_op_id
      WHERE chain.state = 'superseded'
    )
    SELECT t.kind, t.occurrence, t.due_at AS "dueAt", t.policy_version AS "policyVersion",
      t.proposed_by AS "plannedBy", t.approved_with_op_id AS "approvedWithOpId",
      brought.canonical_text AS "approvedText", chain.cause AS "causeOpId"
    FROM chain JOIN operations t ON t.tenant_id = ${tenantId}::uuid AND t.op_id = chain.op_id
    JOIN operations brought ON brought.tenant_id = t.tenant_id AND brought.op_id = t.approved_with_op_id
    WHERE chain.state IN ('obsolete', 'failed_terminal')
    ORDER BY t.occurrence`;
}

/** The sweep looks back this far: a pass that ends an extension restores its timers at once, others are few. */
const LOOK_BACK_DAYS = 7;

/**
 * Requests of any tenant on which an approved extension or replacement came to nothing within the last days while
 * timers that it replaced are missing, at most `limit`.
 */
export async function requestsWithLostTimers(
  db: Db,
  limit: number,
): Promise<readonly { readonly tenantId: string; readonly requestRef: string }[]> {
  return db.$queryRaw<{ tenantId: string; requestRef: string }[]>`
    SELECT DISTINCT s.tenant_id AS "tenantId", s.request_ref AS "requestRef"
    FROM operations s
    JOIN requests r ON r.tenant_id = s.tenant_id AND r.ref = s.request_ref AND NOT r.mirror_terminal
    WHERE s.kind IN ('extend', 'send') AND s.state IN ('obsolete', 'failed_terminal') AND s.approved_at IS NOT NULL
      AND s.changed_at > ledger_now() - ${LOOK_BACK_DAYS}::integer * interval '1 day'
      AND EXISTS (
        SELECT 1 FROM operations t
        WHERE t.tenant_id = r.tenant_id AND t.plan_id = r.timer_plan_id AND t.state = 'superseded'
          AND t.successor_op_id IS NOT NULL)
      AND NOT EXISTS (
        SELECT 1 FROM operations open
        WHERE open.tenant_id = r.tenant_id AND open.request_ref = r.ref AND open.kind IN ('extend', 'send')
          AND open.approved_at IS NOT NULL
          AND open.state NOT IN ('done', 'obsolete', 'superseded', 'failed_terminal'))
    LIMIT ${limit}`;
}

/**
 * Joins missed reminders (RM-4): of the reminders of one plan that are due together all but the newest end as
 * `collapsed_after_pause`, at most `limit` in one statement. Returns how many.
 */
export async function collapseReminders(db: Db, limit: number): Promise<number> {
  return db.$executeRaw`
    WITH missed AS MATERIALIZED (
      SELECT o.tenant_id, o.op_id, newest.op_id AS kept
      FROM operations o CROSS JOIN LATERAL (
        SELECT n.op_id FROM operations n
        WHERE n.tenant_id = o.tenant_id AND n.plan_id = o.plan_id AND n.kind = 'remind'
          AND n.occurrence > o.occurrence AND n.due_at <= ledger_now()
          AND n.state NOT IN ('obsolete', 'superseded', 'failed_terminal')
        ORDER BY n.occurrence DESC LIMIT 1
      ) newest
      WHERE o.state = 'scheduled' AND o.kind = 'remind' AND o.plan_id IS NOT NULL AND o.due_at <= ledger_now()
      ORDER BY o.due_at, o.tenant_id, o.op_id LIMIT ${limit}
      FOR UPDATE OF o SKIP LOCKED
    )
    UPDATE operations o
    SET state = 'obsolete', reason = 'collapsed_after_pause', event_actor = 'system:sweep',
      event_evidence = json_build_object('joined_into', missed.kept)::text
    FROM missed
    WHERE o.tenant_id = missed.tenant_id AND o.op_id = missed.op_id AND o.state = 'scheduled'`;
}
