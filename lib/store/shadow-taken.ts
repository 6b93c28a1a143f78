import type { OperationKind } from "@/lib/domain/operation";
import type { Comparison } from "@/lib/domain/shadow";
import type { Baseline } from "@/lib/domain/verdict";
import type { Db, Tx } from "./db";
import type { OperationFacts } from "./operation-facts";

/** A shadow record in the hands of one worker for a minute. */
export interface TakenShadow {
  readonly tenantId: string;
  readonly id: string;
  readonly kind: OperationKind;
  readonly requestRef: string;
  readonly connectionId: string;
  readonly canonicalText: string;
  readonly payloadHash: string;
  readonly plannedBy: string;
  readonly planId: string | null;
  readonly approvedOpId: string | null;
  readonly dueAt: Date;
  readonly createdAt: Date;
  readonly receiptId: string | null;
  readonly wouldAct: boolean | null;
  readonly reason: string | null;
  /** The database's time in the taking statement: no read of this turn started earlier. */
  readonly takenAt: Date;
}

/**
 * Takes records that are due, or whose comparison is due, for one minute each; another worker's are skipped, not
 * waited for. Kinds that are off are left alone. A record whose worker goes away is taken again.
 */
export async function takeShadows(
  db: Db,
  what: "due" | "to_compare",
  limit: number,
): Promise<TakenShadow[]> {
  const state = what === "due" ? "planned" : "judged";
  return db.$queryRaw<TakenShadow[]>`
    WITH due AS MATERIALIZED (
      SELECT s.tenant_id, s.id FROM shadow_records s
      WHERE s.state = ${state} AND CASE WHEN s.state = 'planned' THEN s.due_at ELSE s.compare_at END <= ledger_now()
        AND (s.taken_until IS NULL OR s.taken_until <= ledger_now())
        AND EXISTS (SELECT 1 FROM kind_modes m
          WHERE m.tenant_id = s.tenant_id AND m.kind = s.kind AND m.mode <> 'off')
      ORDER BY CASE WHEN s.state = 'planned' THEN s.due_at ELSE s.compare_at END, s.id
      LIMIT ${limit}
      FOR UPDATE SKIP LOCKED
    )
    UPDATE shadow_records s SET taken_until = ledger_now() + interval '1 minute'
    FROM due d WHERE s.tenant_id = d.tenant_id AND s.id = d.id
    RETURNING s.tenant_id AS "tenantId", s.id, s.kind, s.request_ref AS "requestRef",
      s.connection_id AS "connectionId", s.canonical_text AS "canonicalText", s.payload_hash AS "payloadHash",
      s.planned_by AS "plannedBy", s.plan_id AS "planId", s.approved_op_id AS "approvedOpId", s.due_at AS "dueAt",
      s.created_at AS "createdAt", s.receipt_id AS "receiptId", s.would_act AS "wouldAct", s.reason,
      ledger_now() AS "takenAt"`;
}

/** Ends timers of plans that are in force no more: nothing would have been done by them (TM-3). Returns how many. */
export async function dropReplacedShadows(db: Db): Promise<number> {
  return db.$executeRaw`
    UPDATE shadow_records s SET state = 'dropped'
    FROM requests r
    WHERE s.state = 'planned' AND s.due_at <= ledger_now() AND s.plan_id IS NOT NULL
      AND r.tenant_id = s.tenant_id AND r.ref = s.request_ref AND r.timer_plan_id IS DISTINCT FROM s.plan_id`;
}

/** What a pass needs to know about the request and people of a record; throws when it is not the tenant's. */
export async function shadowFacts(
  tx: Tx,
  tenantId: string,
  record: Pick<TakenShadow, "id" | "requestRef" | "plannedBy" | "approvedOpId" | "kind">,
): Promise<OperationFacts> {
  const [row] = await tx.$queryRaw<OperationFacts[]>`
    SELECT r.platform_ref AS "platformRef", 'account:' || r.owner_account_id AS "requestOwner",
      ${record.plannedBy} AS "proposedBy", r.reminder_owner AS "reminderOwner",
      r.business_deadline_at AS "deadlineAt",
      coalesce(substring(${record.plannedBy} FROM '^policy:.*-v([0-9]+)$')::int, o.policy_version, 1)
        AS "policyVersion",
      (SELECT 'account:' || a.account_id FROM approvals a
        WHERE a.tenant_id = r.tenant_id AND a.op_id = o.op_id AND a.decision = 'approve'
        ORDER BY a.at DESC LIMIT 1) AS approver
    FROM requests r
    LEFT JOIN operations o ON o.tenant_id = r.tenant_id AND o.op_id = ${record.approvedOpId}::uuid
    WHERE r.tenant_id = ${tenantId}::uuid AND r.ref = ${record.requestRef}`;
  if (!row) throw new Error("the request of a record is not visible to its own tenant");
  return row;
}

/** What the read of a record's judging showed of contacts; null when it showed nothing. */
export async function shadowBaseline(
  tx: Tx,
  tenantId: string,
  receiptId: string | null,
): Promise<Baseline | null> {
  if (receiptId === null) return null;
  const row = await tx.readReceipt.findUnique({
    where: { tenantId_id: { tenantId, id: receiptId } },
    select: { outcome: true, matches: true, lastReminderAt: true, lastDeliveryAt: true },
  });
  if (row?.outcome !== "read" || row.matches === 0) return null;
  return {
    lastReminderAt: row.lastReminderAt?.toISOString() ?? null,
    lastDeliveryAt: row.lastDeliveryAt?.toISOString() ?? null,
  };
}

export interface ShadowVerdict {
  readonly id: string;
  readonly receiptId: string | null;
  readonly wouldAct: boolean;
  /** `act`, or the state that the operation would have gone to. */
  readonly verdict: string;
  /** Why it would not have acted; null when it would. */
  readonly reason: string | null;
  readonly compareAfterMs: number;
}

/** Writes what a record would have done; false when another worker has written it. */
export async function writeShadowVerdict(
  tx: Tx,
  tenantId: string,
  { id, ...verdict }: ShadowVerdict,
): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE shadow_records
    SET state = 'judged', judged_at = ledger_now(), receipt_id = ${verdict.receiptId}::uuid,
      would_act = ${verdict.wouldAct}, verdict = ${verdict.verdict}, reason = ${verdict.reason}, taken_until = NULL,
      compare_at = ledger_now() + ${verdict.compareAfterMs}::int * interval '1 millisecond'
    WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid AND state = 'planned'`;
  return count > 0;
}

/** Writes what the platform showed later; false when another worker has written it. */
export async function writeComparison(
  tx: Tx,
  tenantId: string,
  {
    id,
    receiptId,
    comparison,
    observed,
  }: {
    readonly id: string;
    readonly receiptId: string;
    readonly comparison: Comparison;
    readonly observed: string;
  },
): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE shadow_records
    SET state = 'compared', compared_at = ledger_now(), compare_receipt_id = ${receiptId}::uuid,
      comparison = ${comparison}, observed = ${observed}, taken_until = NULL
    WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid AND state = 'judged'`;
  return count > 0;
}
