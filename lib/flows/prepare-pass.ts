import { sha256Hex } from "@/lib/domain/canonical";
import { invariant } from "@/lib/domain/invariant";
import { type Payload, parsePayload } from "@/lib/domain/payload";
import { expectedExpiry, targetOf } from "@/lib/domain/target";
import type { Verdict } from "@/lib/domain/verdict";
import { approvalStillHolds } from "@/lib/store/approvals";
import { baselineOf, earlierAttempts, ownExpirySince } from "@/lib/store/attempts";
import { loadConnection } from "@/lib/store/connections";
import { newestContact } from "@/lib/store/contacts";
import { asTenant, type Tx } from "@/lib/store/db";
import { type OperationFacts, operationFacts } from "@/lib/store/operation-facts";
import { writeOutcomes } from "@/lib/store/outcomes";
import { policyOfVersion } from "@/lib/store/policies";
import type { Hand } from "./hand";
import type { Pass } from "./pass";
import type { WorkerContext } from "./worker-context";

/**
 * Gathers what a pass needs in one short transaction. Null means that the stored bytes no longer hash to what was
 * approved: the operation went to a person and nothing else is done with it (ID-9, C-01).
 */
export async function preparePass(
  context: WorkerContext,
  hand: Hand,
  from: "claimed" | "reconciling",
): Promise<Pass | null> {
  const { claim } = hand;
  return asTenant(context.db, claim.tenantId, async (tx) => {
    if (sha256Hex(claim.canonicalText) !== claim.payloadHash) {
      await refuseChangedBytes(tx, context, hand, from);
      return null;
    }
    return gatherPass(tx, context, hand);
  });
}

/** Gathers what a pass over one operation needs, inside the caller's tenant transaction. */
export async function gatherPass(tx: Tx, context: WorkerContext, hand: Hand): Promise<Pass> {
  const { claim } = hand;
  return passWith(tx, context, hand, await operationFacts(tx, claim.tenantId, claim.opId));
}

/** The same from facts that the caller brings, for what is no operation (GO-1). */
export async function passWith(
  tx: Tx,
  context: WorkerContext,
  hand: Hand,
  facts: OperationFacts,
): Promise<Pass> {
  const { claim } = hand;
  const connection = await loadConnection(tx, claim.tenantId, claim.connectionId);
  invariant(connection, "a claimed operation has its connection");
  const payload = parsePayload(claim.canonicalText);
  const earlier = await earlierAttempts(tx, claim.tenantId, claim.opId, claim.fence);
  const own = await ownExpirySince(tx, claim.tenantId, claim.requestRef, claim.approvedAt);
  return {
    hand,
    connection,
    provider: context.providerOf(connection),
    payload,
    target: targetOf(payload),
    expectedExpiresAt: own ?? expectedExpiry(payload),
    expectedStatus: await statusToStay(tx, claim.tenantId, payload, facts),
    baseline: await baselineOf(tx, claim.tenantId, claim.opId),
    reminder: await reminderFacts(tx, hand, payload, facts),
    earlierUnknown: earlier.unknown,
    earlierAccepted: earlier.accepted,
    lastRefusal: refusalOf(earlier.newest),
    // The approved one: a request that was replaced meanwhile shows another (ID-7).
    platformRef: payload.kind === "send" ? facts.platformRef : payload.platform_ref,
    proposedBy: facts.proposedBy,
    owners: {
      proposer: facts.proposedBy.startsWith("user:")
        ? facts.proposedBy.replace("user:", "account:")
        : null,
      approver: facts.approver,
      requestOwner: facts.requestOwner,
      connectionOwner: connection.owner,
    },
  };
}

/** The approved status where the policy says that it has to be the same at execution (PL-5); null elsewhere. */
async function statusToStay(
  tx: Tx,
  tenantId: string,
  payload: Payload,
  { policyVersion }: OperationFacts,
): Promise<string | null> {
  if (payload.kind !== "extend" && payload.kind !== "expire") return null;
  const { policy } = await policyOfVersion(tx, tenantId, payload.kind, policyVersion);
  return policy.sameStatus ? payload.expected.status : null;
}

/** What a reminder is compared with besides the request (RM-1, RM-2); null for every other kind. */
async function reminderFacts(
  tx: Tx,
  { claim }: Hand,
  payload: Payload,
  facts: OperationFacts,
): Promise<Pass["reminder"]> {
  if (payload.kind !== "remind") return null;
  const subjectRefs = payload.signers.map((signer) => signer.subject_ref);
  const { tenantId, requestRef } = claim;
  const { policy } = await policyOfVersion(tx, tenantId, "remind", facts.policyVersion);
  const last = await newestContact(tx, tenantId, requestRef, subjectRefs);
  return {
    owner: facts.reminderOwner,
    deadlineAt: facts.deadlineAt?.toISOString() ?? null,
    lastContactAt: last?.at.toISOString() ?? null,
    minIntervalMs: policy.minIntervalHours * HOUR_MS,
  };
}

const HOUR_MS = 3_600_000;

function refusalOf(report: string | null): Pass["lastRefusal"] {
  switch (report) {
    case "rejected_payload":
    case "refused_state":
      return "payload";
    case "rejected_credentials":
      return "credentials";
    case "rejected_template":
      return "template";
    case "rejected_setting":
      return "setting";
    default:
      return null;
  }
}

async function refuseChangedBytes(
  tx: Tx,
  context: WorkerContext,
  hand: Hand,
  from: "claimed" | "reconciling",
): Promise<void> {
  const { claim } = hand;
  const took = await writeOutcomes(tx, claim.tenantId, context.worker.name, [
    {
      opId: claim.opId,
      fence: claim.fence,
      from,
      to: "needs_review",
      reason: "stored_bytes_changed",
      evidence: { computed: sha256Hex(claim.canonicalText), approved: claim.payloadHash },
      owner: "team:compliance",
    },
  ]);
  if (!took.has(claim.opId)) {
    const { tenantId: tenant, opId: op, fence } = claim;
    context.log.info({ event: "fenced", tenant, op, fence });
    context.meter?.conflict("outcome");
  }
}

/**
 * Whether the approval still carries this call (AP-3): the approver is active and permitted, the approval is not
 * revoked, and the hash is the approved one. Null when it does.
 */
export async function lostAuthorization(
  tx: Tx,
  tenantId: string,
  opId: string,
): Promise<Exclude<Verdict, { to: "act" }> | null> {
  return (await approvalStillHolds(tx, tenantId, opId))
    ? null
    : { to: "needs_review", reason: "authorization_lost" };
}
