import type { OperationKind } from "@/lib/domain/operation";
import type { Db, Tx } from "@/lib/store/db";
import { policyOfVersion } from "./policies";
import { isPresentPlan } from "./timers";

export interface Decision {
  readonly tenantId: string;
  readonly opId: string;
  readonly accountId: string;
  readonly decision: "approve" | "reject";
  readonly version: number;
  readonly payloadHash: string;
  readonly receiptId: string | null;
}

/**
 * Records what one person decided about one version; false when the same standing decision is recorded already
 * (AP-4). One statement on the key (operation, person): however often it is repeated there is one row. An earlier
 * decision about another version, or one that was taken back, gives way; history keeps it.
 */
export async function recordDecision(tx: Tx, decision: Decision): Promise<boolean> {
  const count = await tx.$executeRaw`
    INSERT INTO approvals (tenant_id, op_id, account_id, decision, version, payload_hash, receipt_id)
    VALUES (${decision.tenantId}::uuid, ${decision.opId}::uuid, ${decision.accountId}::uuid, ${decision.decision},
      ${decision.version}, ${decision.payloadHash}, ${decision.receiptId}::uuid)
    ON CONFLICT (tenant_id, op_id, account_id) DO UPDATE
    SET decision = excluded.decision, version = excluded.version, payload_hash = excluded.payload_hash,
      receipt_id = excluded.receipt_id, at = ledger_now(), revoked_at = NULL
    WHERE approvals.revoked_at IS NOT NULL OR approvals.version <> excluded.version
      OR approvals.payload_hash <> excluded.payload_hash OR approvals.decision <> excluded.decision`;
  return count > 0;
}

export interface StandingDecision {
  readonly accountId: string;
  readonly decision: "approve" | "reject";
  readonly version: number;
  readonly payloadHash: string;
  readonly at: Date;
}

/** The decisions about an operation that were not taken back, oldest first. */
export async function standingDecisions(
  db: Db,
  tenantId: string,
  opId: string,
): Promise<readonly StandingDecision[]> {
  const rows = await db.approval.findMany({
    where: { tenantId, opId, revokedAt: null },
    orderBy: [{ at: "asc" }, { accountId: "asc" }],
    select: { accountId: true, decision: true, version: true, payloadHash: true, at: true },
  });
  return rows.map((row) => ({ ...row, decision: row.decision as StandingDecision["decision"] }));
}

/** Takes back a person's own standing approval; false when there is none. */
export async function revokeApproval(
  tx: Tx,
  tenantId: string,
  opId: string,
  accountId: string,
): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE approvals SET revoked_at = ledger_now()
    WHERE tenant_id = ${tenantId}::uuid AND op_id = ${opId}::uuid AND account_id = ${accountId}::uuid
      AND decision = 'approve' AND revoked_at IS NULL`;
  return count > 0;
}

/**
 * How many people stand behind the stored bytes right now: approvals of this very version and hash that were not
 * taken back, by members who still are members in one of the roles and whose accounts work (AP-2, AP-3).
 */
export async function approvalsThatHold(
  db: Db,
  tenantId: string,
  opId: string,
  approverRoles: readonly string[],
): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count
    FROM approvals a
    JOIN operations o ON o.tenant_id = a.tenant_id AND o.op_id = a.op_id
      AND o.version = a.version AND o.payload_hash = a.payload_hash
    JOIN memberships m ON m.tenant_id = a.tenant_id AND m.account_id = a.account_id AND m.removed_at IS NULL
      AND m.role = ANY(${approverRoles}::text[])
    JOIN accounts p ON p.id = a.account_id AND p.disabled_at IS NULL
    WHERE a.tenant_id = ${tenantId}::uuid AND a.op_id = ${opId}::uuid AND a.decision = 'approve'
      AND a.revoked_at IS NULL`;
  return row?.count ?? 0;
}

/**
 * Whether an approved operation may still be carried out (AP-3): enough of its approvals hold under the policy it
 * was proposed under, and what they approved are the stored bytes. A timer is carried by the approval of the operation
 * that brought its plan while that plan is in force, the void of a replaced request by that of the replacement. False
 * also when there is no such operation; the caller then ends in `needs_review` as `authorization_lost` and makes no
 * call.
 */
export async function approvalStillHolds(db: Db, tenantId: string, opId: string): Promise<boolean> {
  const operation = await db.operation.findUnique({
    where: { tenantId_opId: { tenantId, opId } },
    select: {
      kind: true,
      policyVersion: true,
      requestRef: true,
      planId: true,
      approvedWithOpId: true,
    },
  });
  if (!operation) return false;
  const { requestRef, planId, approvedWithOpId } = operation;
  if (planId !== null && !(await isPresentPlan(db, tenantId, requestRef, planId))) return false;
  if (approvedWithOpId !== null) return carrierHolds(db, tenantId, approvedWithOpId);
  const kind = operation.kind as OperationKind;
  const { policy } = await policyOfVersion(db, tenantId, kind, operation.policyVersion);
  const holding = await approvalsThatHold(db, tenantId, opId, policy.approverRoles);
  return holding >= policy.quorum;
}

/** What came to nothing carries nothing any more. */
async function carrierHolds(db: Db, tenantId: string, opId: string): Promise<boolean> {
  const carrier = await db.operation.findFirst({
    where: { tenantId, opId, state: { notIn: ["proposed", "obsolete", "failed_terminal"] } },
    select: { opId: true },
  });
  return carrier !== null && (await approvalStillHolds(db, tenantId, opId));
}

export interface ApprovedVersion {
  readonly tenantId: string;
  readonly opId: string;
  readonly version: number;
  readonly payloadHash: string;
  readonly actor: string;
  readonly evidence: string;
}

/**
 * Makes a proposal due, now or at the later instant that it asks for, bound to the version and bytes that were on
 * screen (AP-1); null when it is no proposal
 * of that version any more or its time to be approved is over. Returns when it was approved: the time of the
 * decision of `accountId`, which completed the number.
 */
export async function scheduleApproved(
  tx: Tx,
  approved: ApprovedVersion & { readonly accountId: string },
): Promise<Date | null> {
  const [row] = await tx.$queryRaw<{ approvedAt: Date }[]>`
    UPDATE operations o
    SET state = 'scheduled', reason = 'approved', approved_at = a.at, due_at = greatest(o.due_at, a.at),
      event_actor = ${approved.actor}, event_evidence = ${approved.evidence}
    FROM approvals a
    WHERE o.tenant_id = ${approved.tenantId}::uuid AND o.op_id = ${approved.opId}::uuid AND o.state = 'proposed'
      AND o.version = ${approved.version} AND o.payload_hash = ${approved.payloadHash}
      AND o.approval_expires_at > ledger_now()
      AND a.tenant_id = o.tenant_id AND a.op_id = o.op_id AND a.account_id = ${approved.accountId}::uuid
    RETURNING o.approved_at AS "approvedAt"`;
  return row?.approvedAt ?? null;
}

/** Writes a history entry about a proposal or approved operation whose state stays; false when it moved on. */
export async function noteOnPending(
  tx: Tx,
  note: Omit<ApprovedVersion, "payloadHash"> & {
    readonly kind: "approved_one" | "approval_withdrawn";
  },
): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE operations
    SET event_kind = ${note.kind}, event_actor = ${note.actor}, event_evidence = ${note.evidence}
    WHERE tenant_id = ${note.tenantId}::uuid AND op_id = ${note.opId}::uuid AND version = ${note.version}
      AND state IN ('proposed', 'scheduled')`;
  return count > 0;
}

/** Hands an approved operation that lost its approval to people (AP-3); false when it is not waiting any more. */
export async function sendToReview(
  tx: Tx,
  lost: {
    readonly tenantId: string;
    readonly opId: string;
    readonly owner: string;
    readonly actor: string;
    readonly evidence: string;
  },
): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE operations
    SET state = 'needs_review', reason = 'authorization_lost', owner = ${lost.owner}, event_actor = ${lost.actor},
      event_evidence = ${lost.evidence}
    WHERE tenant_id = ${lost.tenantId}::uuid AND op_id = ${lost.opId}::uuid AND state = 'scheduled'`;
  return count > 0;
}

export interface Succession {
  readonly tenantId: string;
  readonly requestRef: string;
  readonly successorOpId: string;
  readonly earlierOpIds: readonly string[];
  readonly actor: string;
}

/**
 * Ends earlier operations that were never submitted as `superseded` (ID-7) and returns their ids. What may have
 * reached the platform is left for `recordSuccessor`.
 */
export async function supersedeUnsent(tx: Tx, succession: Succession): Promise<readonly string[]> {
  const rows = await tx.$queryRaw<{ opId: string }[]>`
    UPDATE operations
    SET state = 'superseded', reason = 'superseded', successor_op_id = ${succession.successorOpId}::uuid,
      event_actor = ${succession.actor},
      event_evidence = json_build_object('successor', ${succession.successorOpId}::text)::text
    WHERE tenant_id = ${succession.tenantId}::uuid AND request_ref = ${succession.requestRef}
      AND op_id = ANY(${succession.earlierOpIds}::uuid[])
      AND (state IN ('proposed', 'scheduled') OR state IN ('quarantined', 'needs_review') AND attempts = 0)
    RETURNING op_id AS "opId"`;
  return rows.map(({ opId }) => opId);
}

/**
 * Records the successor on earlier operations that may have reached the platform or did (ID-7): an open one is
 * never claimed for a call again, a confirmed one keeps the link. Returns the ids of those that took it.
 */
export async function recordSuccessor(tx: Tx, succession: Succession): Promise<readonly string[]> {
  const rows = await tx.$queryRaw<{ opId: string }[]>`
    UPDATE operations
    SET successor_op_id = ${succession.successorOpId}::uuid, event_kind = 'successor_recorded',
      event_actor = ${succession.actor},
      event_evidence = json_build_object('successor', ${succession.successorOpId}::text)::text
    WHERE tenant_id = ${succession.tenantId}::uuid AND request_ref = ${succession.requestRef}
      AND op_id = ANY(${succession.earlierOpIds}::uuid[]) AND successor_op_id IS NULL
      AND state NOT IN ('obsolete', 'superseded', 'failed_terminal')
    RETURNING op_id AS "opId"`;
  return rows.map(({ opId }) => opId);
}

/**
 * The expiry at the old deadline and the reminders that were planned from it and are still open, which an approved
 * extension or the replacement of the request ends (TM-3).
 */
export async function plannedFromDeadline(
  tx: Tx,
  tenantId: string,
  requestRef: string,
): Promise<readonly string[]> {
  const rows = await tx.$queryRaw<{ opId: string }[]>`
    SELECT op_id AS "opId" FROM operations
    WHERE tenant_id = ${tenantId}::uuid AND request_ref = ${requestRef} AND kind IN ('expire', 'remind')
      AND (proposed_by LIKE 'policy:%'
        OR kind = 'expire' AND canonical_text::json ->> 'business_deadline' IS NOT NULL)
      AND state NOT IN ('done', 'obsolete', 'superseded', 'failed_terminal')
    ORDER BY op_id`;
  return rows.map(({ opId }) => opId);
}

/** The account behind an actor's name: the person, or the maker of the key (AP-2); null for anything else. */
export async function personBehind(
  db: Db,
  tenantId: string,
  actor: string,
): Promise<string | null> {
  const [kind, id] = actor.split(":");
  if (!id) return null;
  if (kind === "user") return id;
  if (kind !== "key") return null;
  const key = await db.apiKey.findUnique({
    where: { tenantId_id: { tenantId, id } },
    select: { createdBy: true },
  });
  return key?.createdBy ?? null;
}
