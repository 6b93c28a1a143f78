import type { OperationState } from "@/lib/domain/operation";
import type { Tx } from "./db";

/** What one pass came to for one operation, to be written under its fence. Waits are milliseconds from now. */
export interface OutcomeWrite {
  readonly opId: string;
  readonly fence: number;
  readonly from: "claimed" | "submitting" | "reconciling";
  readonly to: OperationState;
  readonly reason: string;
  readonly evidence: object;
  /** For `scheduled`: until the next try. */
  readonly dueInMs?: number;
  /** For `needs_reconcile`: until the next look. */
  readonly lookInMs?: number;
  /** For `done`: until the last look of SM-5; left out when none is needed. */
  readonly lastLookInMs?: number;
  readonly platformRef?: string;
  /** For `quarantined` and `needs_review`: who decides. */
  readonly owner?: string;
  /** What the worker reports of its call; left out when there was none to report (RC-8). `no_call` is no attempt. */
  readonly report?: string;
  /** Counts one more answer of the kind "not now". */
  readonly declined?: boolean;
}

/**
 * Ends leases with their outcomes (CL-3, SM-2): each write takes only while the operation is in the state it was
 * held in and the fence is still the writer's. Rows are locked in the order of their ids, so that two batches
 * cannot wait for each other (C-09). Returns the operations for which it took; the others changed nothing and
 * their results belong into `keepLateResult`.
 */
export async function writeOutcomes(
  tx: Tx,
  tenantId: string,
  workerName: string,
  writes: readonly OutcomeWrite[],
): Promise<Set<string>> {
  const rows = await tx.$queryRaw<{ op_id: string }[]>`
    WITH w AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(writes)}::jsonb) AS w(
        "opId" uuid, fence integer, "from" text, "to" text, reason text, evidence json, "dueInMs" bigint,
        "lookInMs" bigint, "lastLookInMs" bigint, "platformRef" text, owner text, report text, declined boolean)
      ORDER BY "opId"
    ), held AS MATERIALIZED (
      SELECT own.op_id FROM w CROSS JOIN LATERAL (
        SELECT o.op_id FROM operations o
        WHERE o.tenant_id = ${tenantId}::uuid AND o.op_id = w."opId" AND o.fence = w.fence AND o.state = w."from"
        FOR UPDATE
      ) own
    ), reported AS (
      UPDATE attempts a SET reported_at = ledger_now(), outcome = w.report
      FROM held JOIN w ON w."opId" = held.op_id
      WHERE a.tenant_id = ${tenantId}::uuid AND a.op_id = w."opId" AND a.fence = w.fence
        AND w.report IS NOT NULL AND a.reported_at IS NULL
    )
    UPDATE operations o
    SET state = w."to", reason = w.reason, lease_owner = NULL, lease_until = NULL,
      due_at = CASE WHEN w."to" = 'scheduled'
        THEN ledger_now() + coalesce(w."dueInMs", 0) * interval '1 millisecond' ELSE o.due_at END,
      next_look_at = CASE WHEN w."to" = 'needs_reconcile'
        THEN ledger_now() + coalesce(w."lookInMs", 0) * interval '1 millisecond' END,
      last_look_at = CASE WHEN w."lastLookInMs" IS NOT NULL
        THEN ledger_now() + w."lastLookInMs" * interval '1 millisecond' ELSE o.last_look_at END,
      unknown_since = CASE WHEN w."to" IN ('needs_reconcile', 'needs_review')
        THEN coalesce(o.unknown_since, ledger_now()) ELSE o.unknown_since END,
      looks = CASE WHEN w."from" = 'reconciling' THEN o.looks + 1 ELSE o.looks END,
      attempts = o.attempts - coalesce(w.report = 'no_call', false)::integer,
      declines = o.declines + coalesce(w.declined, false)::integer,
      platform_ref = coalesce(o.platform_ref, w."platformRef"),
      owner = coalesce(w.owner, o.owner),
      event_actor = ${`worker:${workerName}`}, event_evidence = w.evidence::text
    FROM held JOIN w ON w."opId" = held.op_id
    WHERE o.tenant_id = ${tenantId}::uuid AND o.op_id = held.op_id
      AND o.fence = w.fence AND o.state = w."from"
    RETURNING o.op_id`;
  return new Set(rows.map((row) => row.op_id));
}

/**
 * Keeps what a worker without the lease reports (SM-5). It changes no outcome: an unknown operation is looked at
 * again at once, a scheduled one goes to a person before another attempt, one in other hands may not be sent, and
 * a final one gets a review item. A report that no call left needs no person. Returns the state that it met.
 */
export async function keepLateResult(
  tx: Tx,
  tenantId: string,
  workerName: string,
  late: {
    readonly opId: string;
    readonly fence: number;
    readonly report: string;
    readonly evidence: object;
    readonly owner: string;
  },
): Promise<OperationState | null> {
  const noCall = late.report === "no_call";
  const rows = await tx.$queryRaw<{ state: OperationState }[]>`
    WITH met AS MATERIALIZED (
      SELECT tenant_id, op_id, state, request_ref FROM operations
      WHERE tenant_id = ${tenantId}::uuid AND op_id = ${late.opId}::uuid FOR UPDATE
    ), kept AS (
      UPDATE attempts a SET reported_at = ledger_now(), outcome = ${late.report}, late = true
      FROM met
      WHERE a.tenant_id = met.tenant_id AND a.op_id = met.op_id AND a.fence = ${late.fence}
        AND a.reported_at IS NULL
    ), reviewed AS (
      INSERT INTO review_items (tenant_id, id, op_id, request_ref, reason, owner, evidence)
      SELECT tenant_id, gen_random_uuid(), op_id, request_ref, 'late_result_contradicts', ${late.owner},
        ${JSON.stringify(late.evidence)}
      FROM met
      WHERE NOT ${noCall}::boolean
        AND met.state IN ('done', 'obsolete', 'superseded', 'failed_terminal')
      ON CONFLICT DO NOTHING
    ), changed AS (
      UPDATE operations o
      SET state = CASE WHEN met.state = 'scheduled' AND NOT ${noCall}::boolean
          THEN 'needs_review' ELSE o.state END,
        reason = CASE WHEN met.state = 'scheduled' AND NOT ${noCall}::boolean
          THEN 'late_result_contradicts' ELSE o.reason END,
        owner = CASE WHEN met.state = 'scheduled' AND NOT ${noCall}::boolean
          THEN ${late.owner} ELSE o.owner END,
        next_look_at = CASE WHEN met.state = 'needs_reconcile' THEN ledger_now() ELSE o.next_look_at END,
        late_fence = CASE WHEN met.state = 'claimed' AND NOT ${noCall}::boolean
          THEN ${late.fence} ELSE o.late_fence END,
        event_kind = 'late_result', event_actor = ${`worker:${workerName}`},
        event_evidence = ${JSON.stringify({ ...late.evidence, report: late.report, fence: late.fence })}
      FROM met WHERE o.tenant_id = met.tenant_id AND o.op_id = met.op_id
    )
    SELECT state FROM met`;
  return rows[0]?.state ?? null;
}
