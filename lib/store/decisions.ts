import type { DecisionCode, DecisionOutcome } from "@/lib/domain/decision";
import type { DecisionFamily } from "@/lib/domain/decision-family";
import type { Role } from "@/lib/domain/role";
import type { Db, Tx } from "./db";
import type { VaultEntryRef } from "./vault";

/** One decision with what came of it so far. */
export interface DecisionRow {
  readonly id: string;
  readonly itemId: string;
  readonly selectionId: string | null;
  readonly opId: string | null;
  readonly requestRef: string | null;
  readonly family: DecisionFamily;
  readonly option: DecisionCode;
  readonly kept: string | null;
  readonly overridable: boolean;
  readonly decidedBy: string;
  readonly decidedRole: Role;
  readonly reasonRef: string;
  readonly at: Date;
  readonly outcome: DecisionOutcome;
  /** What the read means instead, as a reason code. */
  readonly shows: string | null;
  /** JSON text of the difference. */
  readonly difference: string | null;
  readonly receiptId: string | null;
  readonly possibleAt: Date | null;
  readonly endedAt: Date | null;
  readonly proposedOps: readonly string[];
  readonly reverses: string | null;
  readonly askedAt: Date | null;
  readonly secondBy: string | null;
  readonly secondRole: Role | null;
  readonly secondAnswer: "confirmed" | "refused" | null;
  readonly secondReasonRef: string | null;
  readonly secondAt: Date | null;
}

const COLUMNS = {
  id: true,
  itemId: true,
  selectionId: true,
  opId: true,
  requestRef: true,
  family: true,
  option: true,
  kept: true,
  overridable: true,
  decidedBy: true,
  decidedRole: true,
  reasonRef: true,
  at: true,
  outcome: true,
  shows: true,
  difference: true,
  receiptId: true,
  possibleAt: true,
  endedAt: true,
  proposedOps: true,
  reverses: true,
  askedAt: true,
  secondBy: true,
  secondRole: true,
  secondAnswer: true,
  secondReasonRef: true,
  secondAt: true,
} as const;

export interface NewDecision {
  readonly tenantId: string;
  readonly id: string;
  readonly itemId: string;
  readonly selectionId: string | null;
  readonly family: DecisionFamily;
  readonly option: DecisionCode;
  readonly kept: string | null;
  readonly voidsTyped: readonly string[];
  readonly factsHash: string;
  readonly needsRead: boolean;
  readonly overridable: boolean;
  readonly decidedBy: string;
  readonly decidedRole: Role;
  readonly reason: VaultEntryRef;
  readonly outcome: DecisionOutcome;
}

/**
 * Writes a decision about an item that is not closed and has none under way; false when it is or has: somebody else
 * was first. What it reverses is the newest decision that was carried out about the same operation or item.
 */
export async function insertDecision(tx: Tx, decision: NewDecision): Promise<boolean> {
  const ended = decision.outcome === "proven" || decision.outcome === "proposal_open";
  const count = await tx.$executeRaw`
    INSERT INTO decisions (tenant_id, id, item_id, selection_id, op_id, request_ref, connection_id, family, option, kept,
      voids_typed, facts_hash, needs_read, overridable, decided_by, decided_role, reason_ref, reason_digest, outcome,
      asked_at, ended_at, reverses)
    SELECT i.tenant_id, ${decision.id}::uuid, i.id, ${decision.selectionId}::uuid, i.op_id, i.request_ref,
      i.connection_id, ${decision.family}, ${decision.option}, ${decision.kept}, ${[...decision.voidsTyped]}::text[],
      ${decision.factsHash}, ${decision.needsRead}, ${decision.overridable}, ${decision.decidedBy}::uuid,
      ${decision.decidedRole}, ${decision.reason.ref}::uuid, ${decision.reason.digest}, ${decision.outcome},
      CASE WHEN ${decision.outcome === "second_person"} THEN ledger_now() END,
      CASE WHEN ${ended} THEN ledger_now() END,
      (SELECT d.id FROM decisions d WHERE d.tenant_id = i.tenant_id
        AND (d.item_id = i.id OR d.op_id = i.op_id AND i.op_id IS NOT NULL)
        AND d.outcome IN ('proven', 'overridden')
        ORDER BY d.at DESC, d.id DESC LIMIT 1)
    FROM review_items i
    WHERE i.tenant_id = ${decision.tenantId}::uuid AND i.id = ${decision.itemId}::uuid AND i.closed_at IS NULL
    ON CONFLICT DO NOTHING`;
  return count === 1;
}

/** One decision of a tenant; null when there is none of that id. */
export async function decisionById(
  db: Db,
  tenantId: string,
  id: string,
): Promise<DecisionRow | null> {
  const row = await db.decision.findUnique({
    where: { tenantId_id: { tenantId, id } },
    select: COLUMNS,
  });
  return row as DecisionRow | null;
}

/** The decision under way about an item; null when nobody is deciding. */
export async function liveDecisionOf(
  db: Db,
  tenantId: string,
  itemId: string,
): Promise<DecisionRow | null> {
  const row = await db.decision.findFirst({
    where: { tenantId, itemId, outcome: { in: ["reading", "second_person", "confirming"] } },
    select: COLUMNS,
  });
  return row as DecisionRow | null;
}

/** The decisions about an item, newest first. */
export async function decisionsOfItem(
  db: Db,
  tenantId: string,
  itemId: string,
): Promise<readonly DecisionRow[]> {
  const rows = await db.decision.findMany({
    where: { tenantId, itemId },
    orderBy: [{ at: "desc" }, { id: "desc" }],
    take: 50,
    select: COLUMNS,
  });
  return rows as unknown as readonly DecisionRow[];
}

/** The decisions that were carried out about other items of a request, newest first (RV-2). */
export async function earlierDecisionsOf(
  db: Db,
  tenantId: string,
  requestRef: string,
  exceptItemId: string,
): Promise<readonly DecisionRow[]> {
  const rows = await db.decision.findMany({
    where: {
      tenantId,
      requestRef,
      itemId: { not: exceptItemId },
      outcome: { in: ["proven", "overridden", "override_refused"] },
    },
    orderBy: [{ at: "desc" }, { id: "desc" }],
    take: 20,
    select: COLUMNS,
  });
  return rows as unknown as readonly DecisionRow[];
}

/**
 * Asks for a second person about a decision that a read refused or that could not be read; false when it is in another
 * place by now or somebody decides the item anew.
 */
export async function askSecondPerson(tx: Tx, tenantId: string, id: string): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE decisions d SET outcome = 'second_person', asked_at = ledger_now(), ended_at = NULL
    WHERE d.tenant_id = ${tenantId}::uuid AND d.id = ${id}::uuid AND d.outcome IN ('refused_by_read', 'unreadable')
      AND d.overridable AND NOT EXISTS (SELECT 1 FROM decisions o WHERE o.tenant_id = d.tenant_id
        AND o.item_id = d.item_id AND o.outcome IN ('reading', 'second_person', 'confirming'))`;
  return count === 1;
}

export interface SecondAnswer {
  readonly tenantId: string;
  readonly id: string;
  readonly by: string;
  readonly role: Role;
  readonly answer: "confirmed" | "refused";
  readonly reason: VaultEntryRef;
}

/**
 * Writes what the second person said; false when the decision does not wait for one any more. The database refuses the
 * first person as the second.
 */
export async function answerAsSecond(tx: Tx, second: SecondAnswer): Promise<boolean> {
  const confirmed = second.answer === "confirmed";
  const count = await tx.$executeRaw`
    UPDATE decisions
    SET outcome = ${confirmed ? "confirming" : "override_refused"}, second_by = ${second.by}::uuid,
      second_role = ${second.role}, second_answer = ${second.answer}, second_reason_ref = ${second.reason.ref}::uuid,
      second_reason_digest = ${second.reason.digest}, second_at = ledger_now(), taken_at = NULL,
      next_try_at = ledger_now(), ended_at = CASE WHEN ${confirmed} THEN NULL ELSE ledger_now() END
    WHERE tenant_id = ${second.tenantId}::uuid AND id = ${second.id}::uuid AND outcome = 'second_person'`;
  return count === 1;
}

/** Lets an item wait for a second person, or sets it free again for its owner; does nothing to a closed one. */
export async function markSecondPerson(
  tx: Tx,
  tenantId: string,
  itemId: string,
  waits: boolean,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE review_items
    SET status = CASE WHEN ${waits} THEN 'second_person' WHEN assigned_to IS NULL THEN 'open' ELSE 'claimed' END,
      status_until = NULL
    WHERE tenant_id = ${tenantId}::uuid AND id = ${itemId}::uuid AND settled_at IS NULL AND closed_at IS NULL
      AND (${waits} OR status = 'second_person')`;
}
