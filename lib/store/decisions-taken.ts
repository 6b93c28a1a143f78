import type { DecisionCode, DecisionOutcome } from "@/lib/domain/decision";
import type { DecisionFamily } from "@/lib/domain/decision-family";
import type { DecidedMove } from "@/lib/domain/decision-verdict";
import type { OperationState } from "@/lib/domain/operation";
import type { Role } from "@/lib/domain/role";
import { CLAIM_COLUMNS, type Claim } from "./claims";
import type { Db, Tx } from "./db";

/** A decision in a worker's hands. */
export interface TakenDecision {
  readonly tenantId: string;
  readonly id: string;
  readonly itemId: string;
  readonly selectionId: string | null;
  readonly opId: string | null;
  readonly connectionId: string | null;
  readonly family: DecisionFamily;
  readonly option: DecisionCode;
  readonly kept: string | null;
  readonly voidsTyped: readonly string[];
  readonly needsRead: boolean;
  readonly outcome: DecisionOutcome;
  readonly decidedBy: string;
  readonly decidedRole: Role;
  readonly reasonRef: string;
  readonly reasonDigest: string;
  readonly receiptId: string | null;
  readonly secondBy: string | null;
  readonly secondRole: Role | null;
  readonly secondReasonDigest: string | null;
  /** Database time of the taking: no read for it started before (RC-8). */
  readonly takenAt: Date;
}

/** A decision that was taken and not finished, by a crash, is taken again after this time. Milliseconds. */
const AGAIN_MS = 60_000;

/**
 * Takes decisions that wait for a worker, the oldest first; single ones before those of a selection, so that nobody
 * waits behind a bulk. Each is taken by one worker; reading changes nothing, so one that was not finished is simply
 * taken again.
 */
export async function takeDecisions(db: Db, limit: number): Promise<TakenDecision[]> {
  return db.$queryRaw<TakenDecision[]>`
    WITH due AS MATERIALIZED (
      SELECT tenant_id, id FROM decisions
      WHERE outcome IN ('reading', 'confirming') AND next_try_at <= ledger_now()
      ORDER BY selection_id IS NOT NULL, next_try_at, id LIMIT ${limit}
      FOR UPDATE SKIP LOCKED
    )
    UPDATE decisions d
    SET taken_at = ledger_now(), next_try_at = ledger_now() + ${AGAIN_MS}::integer * interval '1 millisecond'
    FROM due
    WHERE d.tenant_id = due.tenant_id AND d.id = due.id
    RETURNING d.tenant_id AS "tenantId", d.id, d.item_id AS "itemId", d.selection_id AS "selectionId",
      d.op_id AS "opId", d.connection_id AS "connectionId", d.family, d.option, d.kept, d.voids_typed AS "voidsTyped",
      d.needs_read AS "needsRead", d.outcome, d.decided_by AS "decidedBy", d.decided_role AS "decidedRole",
      d.reason_ref AS "reasonRef", d.reason_digest AS "reasonDigest", d.receipt_id AS "receiptId",
      d.second_by AS "secondBy", d.second_role AS "secondRole", d.second_reason_digest AS "secondReasonDigest",
      d.taken_at AS "takenAt"`;
}

export interface DecisionEnd {
  readonly from: DecisionOutcome;
  readonly outcome: DecisionOutcome;
  readonly shows?: string | null;
  readonly difference?: string | null;
  readonly receiptId?: string | null;
  readonly possibleAt?: Date | null;
  readonly proposedOps?: readonly string[];
}

/** Writes what came of a decision; false when it is not where the worker took it any more. */
export async function endDecision(
  tx: Tx,
  tenantId: string,
  id: string,
  end: DecisionEnd,
): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE decisions
    SET outcome = ${end.outcome}, shows = ${end.shows ?? null}, ended_at = ledger_now(),
      difference = coalesce(${end.difference ?? null}, difference),
      receipt_id = coalesce(${end.receiptId ?? null}::uuid, receipt_id), possible_at = ${end.possibleAt ?? null},
      proposed_ops = ${[...(end.proposedOps ?? [])]}::uuid[]
    WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid AND outcome = ${end.from}`;
  return count === 1;
}

/**
 * Reserves the read that a taken decision is about to make, until its end or until it would be taken again (PL-7).
 * Callers hold the turn of the connection (`takeReadTurn`) and have asked `mayRead`.
 */
export async function reserveRead(tx: Tx, { tenantId, id }: TakenDecision): Promise<void> {
  await tx.$executeRaw`
    UPDATE decisions SET read_reserved_until = ledger_now() + ${AGAIN_MS}::integer * interval '1 millisecond'
    WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid AND outcome = 'reading'`;
}

/**
 * Puts a decision of a selection off until a read is free again (PL-7), and with it all of the selection that nobody has
 * taken, so that they do not each find out by themselves.
 */
export async function putOff(
  tx: Tx,
  { tenantId, id, selectionId }: TakenDecision,
  until: Date,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE decisions SET next_try_at = ${until}, taken_at = NULL
    WHERE tenant_id = ${tenantId}::uuid AND selection_id = ${selectionId}::uuid AND outcome = 'reading'
      AND (id = ${id}::uuid OR taken_at IS NULL)`;
}

/** An operation that waits for a person, in the form that a pass works with; null when there is none of that id. */
export async function operationAsClaim(
  tx: Tx,
  tenantId: string,
  opId: string,
): Promise<Claim | null> {
  const [row] = await tx.$queryRaw<Claim[]>`
    SELECT ${CLAIM_COLUMNS}, ledger_now() AS "leaseUntil" FROM operations o
    WHERE o.tenant_id = ${tenantId}::uuid AND o.op_id = ${opId}::uuid`;
  return row ?? null;
}

export interface OperationDecision {
  readonly tenantId: string;
  readonly opId: string;
  readonly from: OperationState;
  readonly fromReason: string;
  readonly move: DecidedMove;
  /** `user:<uuid>`; `system:settle-by-read` where a read settled it. */
  readonly actor: string;
  readonly evidence: object;
}

/**
 * Moves an operation out of the hands of a person (SM-2): takes only while it is still in the state and for the reason
 * that was decided about. One that is scheduled again starts its bounded turns anew and keeps its attempts. False when
 * it has moved on.
 */
export async function decideOperation(tx: Tx, decided: OperationDecision): Promise<boolean> {
  const { move } = decided;
  const count = await tx.$executeRaw`
    UPDATE operations
    SET state = ${move.to}, reason = ${move.reason},
      platform_ref = coalesce(platform_ref, ${move.platformRef ?? null}),
      due_at = CASE WHEN ${move.to} = 'scheduled' THEN ledger_now() ELSE due_at END,
      unknown_since = CASE WHEN ${move.to} = 'scheduled' THEN NULL ELSE unknown_since END,
      looks = CASE WHEN ${move.to} = 'scheduled' THEN 0 ELSE looks END,
      declines = CASE WHEN ${move.to} = 'scheduled' THEN 0 ELSE declines END,
      lapses = CASE WHEN ${move.to} = 'scheduled' THEN 0 ELSE lapses END,
      late_fence = CASE WHEN ${move.to} = 'scheduled' THEN NULL ELSE late_fence END,
      event_actor = ${decided.actor}, event_evidence = ${JSON.stringify(decided.evidence)}
    WHERE tenant_id = ${decided.tenantId}::uuid AND op_id = ${decided.opId}::uuid AND state = ${decided.from}
      AND reason = ${decided.fromReason} AND (state IN ('quarantined', 'needs_review')
        OR state = 'proposed' AND ${move.to} = 'obsolete')`;
  return count === 1;
}

/**
 * Closes an item by a decision, in one conditional statement; false when it was closed or settled meanwhile. It comes
 * before the operation's own move, so that the item says that a person decided.
 */
export async function closeItem(
  tx: Tx,
  tenantId: string,
  itemId: string,
  closing: {
    readonly status: "closed_proven" | "closed_override";
    readonly by: string;
    readonly decisionId: string;
  },
): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE review_items
    SET status = ${closing.status}, status_until = NULL, closed_at = ledger_now(), closed_by = ${closing.by}::uuid,
      decision_id = ${closing.decisionId}::uuid, settled_at = coalesce(settled_at, ledger_now()), breached = false,
      next_alert_at = NULL, next_read_at = NULL
    WHERE tenant_id = ${tenantId}::uuid AND id = ${itemId}::uuid AND closed_at IS NULL`;
  return count === 1;
}
