import { approverProblem, sameVersion } from "@/lib/domain/approval";
import { invariant } from "@/lib/domain/invariant";
import type { OperationState } from "@/lib/domain/operation";
import { parsePayload } from "@/lib/domain/payload";
import { bothPolicies, type Policy } from "@/lib/domain/policy";
import { Refusal } from "@/lib/domain/refusal";
import {
  approvalsThatHold,
  noteOnPending,
  personBehind,
  recordDecision,
  scheduleApproved,
  standingDecisions,
} from "@/lib/store/approvals";
import { asTenant, type Tx } from "@/lib/store/db";
import { isHandedOverErased } from "@/lib/store/erased-requests";
import { policyOfVersion } from "@/lib/store/policies";
import { lockOperations, type ProposalRow, proposalById } from "@/lib/store/proposals";
import { lockRequest, type RequestRow, setBusinessDeadline } from "@/lib/store/requests";
import { refuseDecided } from "./already-decided";
import { refuseStale } from "./approval-stale";
import { endedInShadow } from "./approve-in-shadow";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { type Person, permitPerson } from "./permit";
import { replaceRequest } from "./replace-request";
import { refuseChangedRequest } from "./request-changed";
import { predecessorsOf, succeed } from "./succession";

export interface ApprovalWish {
  readonly opId: string;
  /** Version and hash that were on screen (AP-1). */
  readonly version: number;
  readonly hash: string;
  /** The read that was on screen; null when the page had none. */
  readonly receiptId: string | null;
}

export interface Approved {
  readonly opId: string;
  /** `proposed` while more people have to approve. */
  readonly state: OperationState;
  /** When this person's approval, or the one that completed the number, was recorded; RFC 3339 in UTC. */
  readonly approvedAt: string;
  /** True when it was approved before and nothing was added now (AP-4). */
  readonly already: boolean;
  readonly byYou: boolean;
}

/**
 * Approves exactly the bytes that were on screen (AP-1, AP-2). With the last approval that the policy asks for, the
 * operation becomes due, the request gets its business deadline and what is replaced ends, in one transaction.
 * However often it is repeated there is one approval (AP-4). Throws Refusal, having changed nothing.
 */
export async function approve(
  ctx: ConsoleContext,
  actor: Actor,
  wish: ApprovalWish,
): Promise<Approved> {
  const person = permitPerson(actor, "operation.approve");
  return asTenant(ctx.db, actor.tenantId, async (tx) => {
    const deciding = await lockedForDecision(tx, actor, person, wish.opId);
    const before = await answeredBefore(tx, deciding, wish);
    if (before) return before;
    await refuseDecided(tx, deciding.operation);
    if (await isHandedOverErased(tx, actor.tenantId, wish.opId)) {
      throw new Refusal("contact_erased");
    }
    await refuseStale(tx, deciding, wish);
    await refuseChangedRequest(tx, actor.tenantId, deciding, wish.receiptId);
    return record(tx, deciding, wish);
  });
}

/** A proposal under a person's decision, with its request and itself locked. */
export interface Deciding {
  readonly actor: Actor;
  readonly person: Person;
  readonly operation: ProposalRow;
  readonly request: RequestRow;
  readonly policy: Policy;
  /** Operations that end or are held back when this one is approved (ID-7, TM-3). */
  readonly predecessors: readonly string[];
}

/**
 * Locks the request, then its operations in the order of their ids (C-09), and lets the person pass whom the policy
 * of the proposal lets decide. Throws Refusal: `not_found`, `not_permitted`, `same_person`.
 */
export async function lockedForDecision(
  tx: Tx,
  actor: Actor,
  person: Person,
  opId: string,
): Promise<Deciding> {
  const { tenantId } = actor;
  const seen = await proposalById(tx, tenantId, opId);
  if (!seen) throw new Refusal("not_found");
  const request = await lockRequest(tx, tenantId, seen.requestRef);
  invariant(request, "every operation has its request");
  const predecessors = await predecessorsOf(tx, tenantId, seen);
  await lockOperations(tx, tenantId, seen.requestRef, [opId, ...predecessors]);
  const operation = await proposalById(tx, tenantId, opId);
  invariant(operation, "an operation is never deleted");
  const { proposedBy, editedBy } = operation;
  const policy = await policyOf(tx, tenantId, operation);
  const proposer = await personBehind(tx, tenantId, proposedBy);
  const lastEditor = editedBy === null ? null : await personBehind(tx, tenantId, editedBy);
  const problem = approverProblem(policy, { proposer, lastEditor }, person);
  if (problem) throw new Refusal(problem);
  return { actor, person, operation, request, policy, predecessors };
}

/** The policy of a proposal; a send that replaces another one has to meet the one for voids too (ID-7). */
async function policyOf(
  tx: Tx,
  tenantId: string,
  { kind, policyVersion, canonicalText }: ProposalRow,
): Promise<Policy> {
  const { policy } = await policyOfVersion(tx, tenantId, kind, policyVersion);
  const payload = kind === "send" ? parsePayload(canonicalText) : null;
  if (payload?.kind !== "send" || !payload.replaces) return policy;
  const forVoid = await policyOfVersion(tx, tenantId, "void", payload.replaces.void_policy);
  return bothPolicies(policy, forVoid.policy);
}

/** The calm answer to a second click, a second tab or a replayed call about the same version; or null (AP-4). */
async function answeredBefore(
  tx: Tx,
  { actor, person, operation }: Deciding,
  wish: ApprovalWish,
): Promise<Approved | null> {
  const { opId, state, reason, version, payloadHash, approvedAt } = operation;
  if (!sameVersion({ version: wish.version, hash: wish.hash }, { version, hash: payloadHash })) {
    return null;
  }
  const approvals = (await standingDecisions(tx, actor.tenantId, opId)).filter(
    (one) =>
      one.decision === "approve" && one.version === version && one.payloadHash === payloadHash,
  );
  const own = approvals.find(({ accountId }) => accountId === person.accountId);
  const answer = { opId, state, already: true };
  const standing = state === "proposed" || reason === "shadow_recorded";
  if (own && (approvedAt !== null || standing)) {
    return { ...answer, approvedAt: own.at.toISOString(), byYou: true };
  }
  if (approvedAt === null) return null;
  return { ...answer, approvedAt: approvedAt.toISOString(), byYou: false };
}

async function record(tx: Tx, deciding: Deciding, wish: ApprovalWish): Promise<Approved> {
  const { actor, person, operation, policy } = deciding;
  const { tenantId } = actor;
  const { opId, version, payloadHash } = operation;
  const { receiptId } = wish;
  const what = { tenantId, opId, version, payloadHash };
  await recordDecision(tx, {
    ...what,
    accountId: person.accountId,
    decision: "approve",
    receiptId,
  });
  const have = await approvalsThatHold(tx, tenantId, opId, policy.approverRoles);
  const evidence = JSON.stringify({
    role: person.role,
    receipt: receiptId,
    approvals: have,
    needed: policy.quorum,
  });
  const move = { ...what, actor: actorName(actor), evidence };
  if (have < policy.quorum) {
    await noteOnPending(tx, { ...move, kind: "approved_one" });
    return answerOf(tx, deciding, "proposed");
  }
  if (await endedInShadow(tx, deciding, move)) return answerOf(tx, deciding, "obsolete");
  await setDeadline(tx, deciding);
  // As late as can be: from here on it is approved, and who waits for it waits for the commit.
  const approvedAt = await scheduleApproved(tx, { ...move, accountId: person.accountId });
  invariant(approvedAt, "a locked proposal is still the one that was judged");
  await succeed(tx, deciding);
  if (operation.supersedesOpId !== null) await replaceRequest(tx, tenantId, opId, actorName(actor));
  return {
    opId,
    state: "scheduled",
    approvedAt: approvedAt.toISOString(),
    already: false,
    byYou: true,
  };
}

async function answerOf(
  tx: Tx,
  { actor, person, operation: { opId } }: Deciding,
  state: OperationState,
): Promise<Approved> {
  const decisions = await standingDecisions(tx, actor.tenantId, opId);
  const own = decisions.find(({ accountId }) => accountId === person.accountId);
  invariant(own, "a recorded decision stands");
  return { opId, state, approvedAt: own.at.toISOString(), already: false, byYou: true };
}

/** The deadline that was approved becomes the request's (TM-1); payloads without one leave it as it is. */
async function setDeadline(tx: Tx, { actor, operation, request }: Deciding): Promise<void> {
  const payload = parsePayload(operation.canonicalText);
  if (payload.kind === "extend") {
    await setBusinessDeadline(tx, actor.tenantId, request.ref, payload.target.business_deadline);
  } else if (payload.kind === "send") {
    await setBusinessDeadline(tx, actor.tenantId, request.ref, payload.business_deadline);
  }
}
