import { z } from "zod";
import { approverProblem } from "@/lib/domain/approval";
import type { Asked } from "@/lib/domain/asked";
import { sha256Hex } from "@/lib/domain/canonical";
import type { PayloadDescription } from "@/lib/domain/payload-words";
import { DEFAULT_POLICY, type Policy, PolicySchema } from "@/lib/domain/policy";
import { asTenant, type Database, type Tx } from "@/lib/store/db";
import { nextWaiting, type Viewer } from "./approvals-page";
import { askedOf, plainOf } from "./asked";
import { type Person, personsOf } from "./persons";
import { type ReceiptRow, readsOf } from "./receipts";
import { type RequestHead, requestHead } from "./request-head";
import { type RequestSigner, signersOf } from "./request-signers";

export interface Decision {
  readonly decision: "approve" | "reject";
  readonly by: Person;
  readonly version: number;
  readonly at: string;
  readonly revoked: boolean;
}

export interface ProposalVersion {
  readonly version: number;
  readonly hash: string;
  readonly payload: string;
  readonly asked: Asked | null;
  readonly plain: PayloadDescription | null;
  readonly author: Person;
  readonly at: string;
}

export interface ApproveView {
  readonly now: string;
  readonly opId: string;
  readonly kind: string;
  readonly state: string;
  readonly reason: string;
  readonly version: number;
  readonly hash: string;
  /** True when the stored text still hashes to the stored hash (ID-3). */
  readonly hashFits: boolean;
  readonly payload: string;
  readonly asked: Asked | null;
  /** Null where the stored text is no payload that this program knows: such a proposal is never executed. */
  readonly plain: PayloadDescription | null;
  readonly proposedBy: Person;
  readonly editedBy: Person | null;
  readonly createdAt: string;
  readonly changedAt: string;
  readonly approvalExpiresAt: string | null;
  readonly dueAt: string;
  readonly policyVersion: number;
  readonly rule: Policy;
  readonly have: number;
  readonly decisions: readonly Decision[];
  readonly versions: readonly ProposalVersion[];
  readonly request: RequestHead;
  readonly signers: readonly RequestSigner[];
  readonly reads: readonly ReceiptRow[];
  /** Reminders of the request that are planned now; an approved extension plans them anew (TM-3). */
  readonly planned: readonly string[];
  readonly nextTimer: { readonly kind: string; readonly at: string; readonly opId: string } | null;
  /** How long it took from the read before a change until the platform had answered, over 30 days. */
  readonly raceWindow: { readonly medianMs: number; readonly worstMs: number } | null;
  readonly paused: boolean;
  readonly may: Allowed;
  readonly next: { readonly opId: string | null; readonly count: number };
}

export interface Allowed {
  readonly approve: boolean;
  readonly withdraw: boolean;
  /** Why the person may not approve although the proposal waits; null when they may or it does not wait. */
  readonly why: "same_person" | "not_permitted" | null;
}

/** How many receipts of the request the page carries, newest first. */
const READS_MAX = 10;

/** Everything that the approval of one operation shows (AP-1); null when the tenant has no such operation. */
export async function approvePage(
  db: Database,
  tenantId: string,
  viewer: Viewer,
  opId: string,
): Promise<ApproveView | null> {
  if (!z.guid().safeParse(opId).success) return null;
  return asTenant(db, tenantId, async (tx) => {
    const operation = await operationOf(tx, tenantId, opId);
    if (operation === null) return null;
    const { requestRef, connectionId, kind } = operation;
    const request = await requestHead(tx, tenantId, viewer.accountId, requestRef);
    if (request === null) return null;
    const [approvals, versions] = await decisionsOf(tx, tenantId, opId);
    const names = [
      operation.proposedBy,
      ...approvals.map(({ accountId }) => `user:${accountId}`),
      ...versions.map(({ author }) => author),
      ...(operation.editedBy === null ? [] : [operation.editedBy]),
    ];
    const persons = await personsOf(tx, tenantId, names, viewer.accountId);
    const rule = await policyOf(tx, tenantId, kind, operation.policyVersion);
    const decisions = approvals.map((row) => decisionOf(row, persons));
    return {
      ...viewOf(operation, request.now, persons),
      rule,
      have: decisions.filter((one) => isApproval(one, operation.version)).length,
      decisions,
      versions: versions.map((row) => ({
        version: row.version,
        hash: row.payloadHash,
        payload: row.canonicalText,
        asked: askedOf(row.canonicalText),
        plain: plainOf(row.canonicalText),
        author: personOf(persons, row.author),
        at: row.at.toISOString(),
      })),
      request,
      signers: await signersOf(tx, tenantId, requestRef),
      reads: await readsOf(tx, tenantId, requestRef, READS_MAX),
      planned: await plannedReminders(tx, tenantId, requestRef),
      nextTimer: await nextTimerOf(tx, tenantId, requestRef, opId),
      raceWindow: await raceWindowOf(tx, tenantId, connectionId),
      paused: await isPaused(tx, tenantId, connectionId, kind),
      may: await allowed(tx, tenantId, operation, rule, viewer, decisions),
      next: await nextWaiting(tx, tenantId, viewer, opId),
    };
  });
}

type Operation = NonNullable<Awaited<ReturnType<typeof operationOf>>>;

function operationOf(tx: Tx, tenantId: string, opId: string) {
  return tx.operation.findUnique({
    where: { tenantId_opId: { tenantId, opId } },
    select: {
      opId: true,
      kind: true,
      requestRef: true,
      connectionId: true,
      state: true,
      reason: true,
      version: true,
      canonicalText: true,
      payloadHash: true,
      policyVersion: true,
      proposedBy: true,
      editedBy: true,
      approvalExpiresAt: true,
      dueAt: true,
      createdAt: true,
      changedAt: true,
    },
  });
}

async function decisionsOf(tx: Tx, tenantId: string, opId: string) {
  const approvals = await tx.approval.findMany({
    where: { tenantId, opId },
    orderBy: { at: "asc" },
    select: { accountId: true, decision: true, version: true, at: true, revokedAt: true },
  });
  const versions = await tx.operationVersion.findMany({
    where: { tenantId, opId },
    orderBy: { version: "asc" },
    select: { version: true, canonicalText: true, payloadHash: true, author: true, at: true },
  });
  return [approvals, versions] as const;
}

type ApprovalRecord = Awaited<ReturnType<typeof decisionsOf>>[0][number];

function decisionOf(row: ApprovalRecord, persons: ReadonlyMap<string, Person>): Decision {
  return {
    decision: row.decision === "reject" ? "reject" : "approve",
    by: personOf(persons, `user:${row.accountId}`),
    version: row.version,
    at: row.at.toISOString(),
    revoked: row.revokedAt !== null,
  };
}

function isApproval(one: Decision, version: number): boolean {
  return one.decision === "approve" && one.version === version && !one.revoked;
}

function personOf(persons: ReadonlyMap<string, Person>, name: string): Person {
  return persons.get(name) ?? { name, role: null, mark: "system", you: false };
}

function viewOf(operation: Operation, now: string, persons: ReadonlyMap<string, Person>) {
  return {
    now,
    opId: operation.opId,
    kind: operation.kind,
    state: operation.state,
    reason: operation.reason,
    version: operation.version,
    hash: operation.payloadHash,
    hashFits: sha256Hex(operation.canonicalText) === operation.payloadHash,
    payload: operation.canonicalText,
    asked: askedOf(operation.canonicalText),
    plain: plainOf(operation.canonicalText),
    proposedBy: personOf(persons, operation.proposedBy),
    editedBy: operation.editedBy === null ? null : personOf(persons, operation.editedBy),
    createdAt: operation.createdAt.toISOString(),
    changedAt: operation.changedAt.toISOString(),
    approvalExpiresAt: operation.approvalExpiresAt?.toISOString() ?? null,
    dueAt: operation.dueAt.toISOString(),
    policyVersion: operation.policyVersion,
  };
}

async function policyOf(tx: Tx, tenantId: string, kind: string, version: number) {
  const policy = await tx.policy.findUnique({
    where: { tenantId_kind_version: { tenantId, kind, version } },
    select: { body: true },
  });
  return policy === null ? DEFAULT_POLICY : PolicySchema.parse(JSON.parse(policy.body));
}

/** What this person may do. The flows ask again; this only keeps buttons away that could not work. */
async function allowed(
  tx: Tx,
  tenantId: string,
  operation: Operation,
  rule: Policy,
  viewer: Viewer,
  decisions: readonly Decision[],
): Promise<Allowed> {
  if (operation.state !== "proposed") return { approve: false, withdraw: false, why: null };
  const authors = {
    proposer: await accountBehind(tx, tenantId, operation.proposedBy),
    lastEditor: await accountBehind(tx, tenantId, operation.editedBy),
  };
  const own = [authors.proposer, authors.lastEditor].includes(viewer.accountId);
  if (viewer.role === null) return { approve: false, withdraw: false, why: "not_permitted" };
  const person = { accountId: viewer.accountId, role: viewer.role };
  const why = approverProblem(rule, authors, person);
  const done = decisions.some((one) => one.by.you && isApproval(one, operation.version));
  return { approve: why === null && !done, withdraw: own, why };
}

/** The person behind an actor: a key stands for the one who made it; null for everything else. */
async function accountBehind(tx: Tx, tenantId: string, name: string | null) {
  const [kind, id] = name?.split(":") ?? [];
  if (kind === "user" && id) return id;
  if (kind !== "key" || !id) return null;
  const key = await tx.apiKey.findUnique({
    where: { tenantId_id: { tenantId, id } },
    select: { createdBy: true },
  });
  return key?.createdBy ?? null;
}

/** The instants of the reminders that are planned for a request, earliest first. */
async function plannedReminders(
  tx: Tx,
  tenantId: string,
  requestRef: string,
): Promise<readonly string[]> {
  const rows = await tx.operation.findMany({
    where: { tenantId, requestRef, kind: "remind", state: "scheduled", planId: { not: null } },
    orderBy: { dueAt: "asc" },
    select: { dueAt: true },
  });
  return rows.map(({ dueAt }) => dueAt.toISOString());
}

async function nextTimerOf(tx: Tx, tenantId: string, requestRef: string, exceptOpId: string) {
  const next = await tx.operation.findFirst({
    where: { tenantId, requestRef, state: "scheduled", opId: { not: exceptOpId } },
    orderBy: { dueAt: "asc" },
    select: { opId: true, kind: true, dueAt: true },
  });
  return next && { kind: next.kind, at: next.dueAt.toISOString(), opId: next.opId };
}

/** How long it took between read and change on this connection, over the last 30 days; null while unmeasured. */
export async function raceWindowOf(tx: Tx, tenantId: string, connectionId: string) {
  const [found] = await tx.$queryRaw<{ median: number | null; worst: number | null }[]>`
    SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY took)::float8 AS median, max(took)::float8 AS worst
    FROM (SELECT extract(epoch FROM a.reported_at - r.finished_at) * 1000 AS took
      FROM attempts a
      JOIN operations o ON o.tenant_id = a.tenant_id AND o.op_id = a.op_id
      JOIN read_receipts r ON r.tenant_id = a.tenant_id AND r.op_id = a.op_id AND r.fence = a.fence
        AND r.purpose = 'before'
      WHERE a.tenant_id = ${tenantId}::uuid AND o.connection_id = ${connectionId}::uuid AND NOT a.late
        AND a.outcome = 'accepted' AND a.intent_at > ledger_now() - interval '30 days') measured`;
  if (!found || found.median === null || found.worst === null) return null;
  return { medianMs: found.median, worstMs: found.worst };
}

async function isPaused(tx: Tx, tenantId: string, connectionId: string, kind: string) {
  const [row] = await tx.$queryRaw<{ paused: boolean }[]>`
    SELECT is_paused(${tenantId}::uuid, ${connectionId}::uuid, ${kind}) AS paused`;
  return row?.paused ?? false;
}
