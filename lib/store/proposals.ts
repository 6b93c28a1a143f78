import type { OperationKind, OperationState } from "@/lib/domain/operation";
import type { Db, Tx } from "@/lib/store/db";

/** An operation as far as proposing and deciding look at it. */
export interface ProposalRow {
  readonly opId: string;
  readonly opKey: string;
  readonly kind: OperationKind;
  readonly requestRef: string;
  readonly state: OperationState;
  readonly reason: string;
  readonly version: number;
  readonly canonicalText: string;
  readonly payloadHash: string;
  readonly policyVersion: number;
  readonly proposedBy: string;
  readonly editedBy: string | null;
  readonly approvalExpiresAt: Date | null;
  readonly approvedAt: Date | null;
  readonly attempts: number;
  readonly supersedesOpId: string | null;
  readonly createdAt: Date;
  readonly changedAt: Date;
}

const COLUMNS = {
  opId: true,
  opKey: true,
  kind: true,
  requestRef: true,
  state: true,
  reason: true,
  version: true,
  canonicalText: true,
  payloadHash: true,
  policyVersion: true,
  proposedBy: true,
  editedBy: true,
  approvalExpiresAt: true,
  approvedAt: true,
  attempts: true,
  supersedesOpId: true,
  createdAt: true,
  changedAt: true,
} as const;

export interface NewProposal {
  readonly tenantId: string;
  readonly opId: string;
  readonly opKey: string;
  readonly kind: OperationKind;
  readonly requestRef: string;
  readonly connectionId: string;
  readonly canonicalText: string;
  readonly payloadHash: string;
  readonly approvalId: string;
  readonly policyVersion: number;
  readonly validityHours: number;
  readonly priority: number;
  readonly supersedesOpId: string | null;
  /** When it shall happen; null as soon as it is approved. */
  readonly dueAt: Date | null;
  readonly actor: string;
  /** JSON text. */
  readonly evidence: string;
}

/**
 * Adds a proposal unless its key is taken; true when it was added (ID-1, ID-6). One statement: of any number of
 * callers with one key the constraint lets exactly one through and the others wait, then get false.
 */
export async function insertProposal(tx: Tx, proposal: NewProposal): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    INSERT INTO operations (tenant_id, op_id, op_key, kind, request_ref, connection_id, state, reason,
      canonical_text, payload_hash, approval_id, policy_version, proposed_by, approval_expires_at, due_at, priority,
      supersedes_op_id, event_kind, event_actor, event_evidence)
    VALUES (${proposal.tenantId}::uuid, ${proposal.opId}::uuid, ${proposal.opKey}, ${proposal.kind},
      ${proposal.requestRef}, ${proposal.connectionId}::uuid, 'proposed', 'awaiting_approval',
      ${proposal.canonicalText}, ${proposal.payloadHash}, ${proposal.approvalId}::uuid,
      ${proposal.policyVersion}, ${proposal.actor},
      ledger_now() + ${proposal.validityHours}::int * interval '1 hour',
      greatest(ledger_now(), ${proposal.dueAt}::timestamptz), ${proposal.priority},
      ${proposal.supersedesOpId}::uuid, 'proposed', ${proposal.actor}, ${proposal.evidence})
    ON CONFLICT DO NOTHING RETURNING op_id`;
  return rows.length > 0;
}

/** The operation of a key, whatever became of it; null when the key is free in this tenant. */
export async function proposalByKey(
  db: Db,
  tenantId: string,
  opKey: string,
): Promise<ProposalRow | null> {
  const row = await db.operation.findUnique({
    where: { tenantId_opKey: { tenantId, opKey } },
    select: COLUMNS,
  });
  return row as ProposalRow | null;
}

/** One operation of a tenant; null when there is none. */
export async function proposalById(
  db: Db,
  tenantId: string,
  opId: string,
): Promise<ProposalRow | null> {
  const row = await db.operation.findUnique({
    where: { tenantId_opId: { tenantId, opId } },
    select: COLUMNS,
  });
  return row as ProposalRow | null;
}

/** The open operations of a request and kind, oldest first (AP-4). */
export async function openOperationsOf(
  db: Db,
  tenantId: string,
  requestRef: string,
  kind: OperationKind,
): Promise<readonly ProposalRow[]> {
  const rows = await db.operation.findMany({
    where: {
      tenantId,
      requestRef,
      kind,
      state: { notIn: ["done", "obsolete", "superseded", "failed_terminal"] },
    },
    orderBy: [{ createdAt: "asc" }, { opId: "asc" }],
    select: COLUMNS,
  });
  return rows as readonly ProposalRow[];
}

/** The keys of every operation that the request ever had. */
export async function operationKeysOf(
  db: Db,
  tenantId: string,
  requestRef: string,
): Promise<readonly string[]> {
  const rows = await db.operation.findMany({
    where: { tenantId, requestRef },
    select: { opKey: true },
  });
  return rows.map(({ opKey }) => opKey);
}

export interface VersionRow {
  readonly version: number;
  readonly canonicalText: string;
  readonly payloadHash: string;
}

/** Every version that an operation has had, oldest first. */
export async function versionsOf(
  db: Db,
  tenantId: string,
  opId: string,
): Promise<readonly VersionRow[]> {
  return db.operationVersion.findMany({
    where: { tenantId, opId },
    orderBy: { version: "asc" },
    select: { version: true, canonicalText: true, payloadHash: true },
  });
}

/**
 * Locks operations of one request until the transaction ends, in the order of their ids (C-09), after the request
 * itself. Ids that do not belong to the request are left out.
 */
export async function lockOperations(
  tx: Tx,
  tenantId: string,
  requestRef: string,
  opIds: readonly string[],
): Promise<readonly string[]> {
  const rows = await tx.$queryRaw<{ opId: string }[]>`
    SELECT op_id AS "opId" FROM operations
    WHERE tenant_id = ${tenantId}::uuid AND request_ref = ${requestRef} AND op_id = ANY(${opIds}::uuid[])
    ORDER BY op_id FOR UPDATE`;
  return rows.map(({ opId }) => opId);
}

export interface EditedProposal {
  readonly tenantId: string;
  readonly opId: string;
  /** The version that the editor saw. */
  readonly version: number;
  readonly canonicalText: string;
  readonly payloadHash: string;
  readonly actor: string;
  readonly evidence: string;
}

/**
 * Puts a new payload and the next version number on a proposal that still is one and still has the version that
 * the editor saw; false when it does not (AP-1). Its time to be approved does not begin again.
 */
export async function replacePayload(tx: Tx, edit: EditedProposal): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE operations
    SET version = version + 1, canonical_text = ${edit.canonicalText}, payload_hash = ${edit.payloadHash},
      edited_by = ${edit.actor}, event_kind = 'edited', event_actor = ${edit.actor},
      event_evidence = ${edit.evidence}
    WHERE tenant_id = ${edit.tenantId}::uuid AND op_id = ${edit.opId}::uuid AND state = 'proposed'
      AND version = ${edit.version}`;
  return count > 0;
}

export interface Ending {
  readonly tenantId: string;
  readonly opId: string;
  readonly reason: "rejected" | "withdrawn";
  readonly actor: string;
  readonly evidence: string;
}

/** Ends a proposal that nobody has approved; false when it is none any more. */
export async function endProposed(tx: Tx, ending: Ending): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE operations
    SET state = 'obsolete', reason = ${ending.reason}, event_actor = ${ending.actor},
      event_evidence = ${ending.evidence}
    WHERE tenant_id = ${ending.tenantId}::uuid AND op_id = ${ending.opId}::uuid AND state = 'proposed'`;
  return count > 0;
}

/**
 * Ends a proposal, or an approved operation of which no call ever left; false when it is neither any more. Once a
 * call may have left, taking it back would need proof of absence (RC-8).
 */
export async function endUnsent(tx: Tx, ending: Ending): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE operations
    SET state = 'obsolete', reason = ${ending.reason}, event_actor = ${ending.actor},
      event_evidence = ${ending.evidence}
    WHERE tenant_id = ${ending.tenantId}::uuid AND op_id = ${ending.opId}::uuid
      AND state IN ('proposed', 'scheduled') AND attempts = 0 AND late_fence IS NULL`;
  return count > 0;
}

/**
 * Ends proposals whose time to be approved is over, at most `limit`, and returns how many (AP-2). Selecting and
 * marking are one statement; proposals that somebody is deciding right now are skipped.
 */
export async function endExpiredProposals(db: Db, limit: number): Promise<number> {
  return db.$executeRaw`
    WITH late AS MATERIALIZED (
      SELECT tenant_id, op_id FROM operations
      WHERE state = 'proposed' AND approval_expires_at <= ledger_now()
      ORDER BY approval_expires_at, op_id LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )
    UPDATE operations o
    SET state = 'obsolete', reason = 'approval_expired', event_actor = 'system:expire-proposals',
      event_evidence = json_build_object('approval_expires_at', o.approval_expires_at)::text
    FROM late l
    WHERE o.tenant_id = l.tenant_id AND o.op_id = l.op_id AND o.state = 'proposed'`;
}

/**
 * Makes the next look at an unknown operation due now (RC-1) and wakes the workers; false when it is not unknown,
 * is due already, or somebody asked within the last minute.
 */
export async function lookNow(
  tx: Tx,
  tenantId: string,
  opId: string,
  actor: string,
): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE operations o
    SET next_look_at = ledger_now(), event_kind = 'check_asked', event_actor = ${actor}, event_evidence = '{}'
    WHERE o.tenant_id = ${tenantId}::uuid AND o.op_id = ${opId}::uuid AND o.state = 'needs_reconcile'
      AND o.next_look_at > ledger_now()
      AND NOT EXISTS (
        SELECT 1 FROM operation_events e
        WHERE e.tenant_id = o.tenant_id AND e.op_id = o.op_id AND e.kind = 'check_asked'
          AND e.at > ledger_now() - interval '1 minute')`;
  if (count > 0) await tx.$executeRaw`SELECT pg_notify('deadline_work', '')`;
  return count > 0;
}

/** Whole seconds until a look may be asked for again; 0 when it may be now. */
export async function secondsUntilLook(db: Db, tenantId: string, opId: string): Promise<number> {
  const [row] = await db.$queryRaw<{ seconds: number }[]>`
    SELECT greatest(0, ceil(60 - extract(epoch FROM ledger_now() - max(at))))::int AS seconds
    FROM operation_events
    WHERE tenant_id = ${tenantId}::uuid AND op_id = ${opId}::uuid AND kind = 'check_asked'
      AND at > ledger_now() - interval '1 minute'`;
  return row?.seconds ?? 0;
}
