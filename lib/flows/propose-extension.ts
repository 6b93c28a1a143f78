import { randomUUID } from "node:crypto";
import type { BusinessDeadline, DeadlineWish } from "@/lib/domain/business-deadline";
import { opKey } from "@/lib/domain/identity";
import { invariant } from "@/lib/domain/invariant";
import { PRIORITY } from "@/lib/domain/operation";
import {
  type ExtendPayload,
  parsePayload,
  type WrittenPayload,
  writePayload,
} from "@/lib/domain/payload";
import { policyLetsPropose } from "@/lib/domain/policy";
import { Refusal } from "@/lib/domain/refusal";
import { asTenant, ledgerNow, type Tx } from "@/lib/store/db";
import { presentPolicy } from "@/lib/store/policies";
import { insertProposal, type ProposalRow, proposalByKey, versionsOf } from "@/lib/store/proposals";
import { lockRequest, type RequestRow, signersOf } from "@/lib/store/requests";
import { storeText, textSubjectOf, type VaultEntryRef } from "@/lib/store/vault";
import { chosenDeadline } from "./chosen-deadline";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { basisOf, type ExtensionBasis, extensionPayload } from "./extension-payload";
import {
  openTwin,
  refuseEnded,
  refuseForeignPredecessor,
  refuseShortening,
} from "./extension-rules";
import { refuseOtherThanUuid } from "./issued-id";
import { permit } from "./permit";
import { duplicateOf, type Proposed, settleKey } from "./settle-key";
import { typedReason } from "./typed-reason";

export interface ExtensionWish extends DeadlineWish {
  /** UUID made when the form was opened; every repeat of the wish carries it (ID-1). */
  readonly approvalId: string;
  readonly requestRef: string;
  readonly reason: string;
  /** The operation that this one replaces (ID-7). */
  readonly supersedesOpId?: string | null;
  /** Why to go on although an open operation has the same target (AP-4). */
  readonly goOnReason?: string | null;
}

/**
 * Proposes a new absolute deadline for a request (ID-1, ID-6, TM-2, TM-3). Nothing happens before it is approved.
 * The same wish again, or an open operation with the same target, is answered with the operation that exists.
 * Throws Refusal, having changed nothing.
 */
export async function proposeExtension(
  ctx: ConsoleContext,
  actor: Actor,
  wish: ExtensionWish,
): Promise<Proposed> {
  permit(actor, "operation.propose");
  typedReason(wish.reason);
  if (wish.goOnReason) typedReason(wish.goOnReason, "goOnReason");
  const { requestRef, approvalId } = wish;
  const { tenantId } = actor;
  const key = opKey({ form: "single", requestRef, kind: "extend", approvalId });
  refuseOtherThanUuid(approvalId);
  return asTenant(ctx.db, tenantId, async (tx) => {
    const request = await lockRequest(tx, tenantId, requestRef);
    if (!request) throw new Refusal("not_found");
    const existing = await proposalByKey(tx, tenantId, key);
    const reason = await keepReason(ctx, actor, tx, wish.requestRef, wish.reason);
    if (existing) {
      const asked = await repeated(
        tx,
        { tenantId, descriptor: request.descriptor },
        existing,
        wish,
        reason,
      );
      return settleKey(tx, tenantId, existing, asked);
    }
    return propose({ ctx, actor, tx, wish, request, key, reason });
  });
}

interface Proposing {
  readonly ctx: ConsoleContext;
  readonly actor: Actor;
  readonly tx: Tx;
  readonly wish: ExtensionWish;
  readonly request: RequestRow;
  readonly key: string;
  readonly reason: VaultEntryRef;
}

async function propose(proposing: Proposing): Promise<Proposed> {
  const { ctx, actor, tx, wish, request, key, reason } = proposing;
  const { tenantId } = actor;
  const { version: policyVersion, policy } = await presentPolicy(tx, tenantId, "extend");
  if (actor.role !== null && !policyLetsPropose(policy, actor.role)) {
    throw new Refusal("not_permitted");
  }
  const deadline = chosenDeadline(wish, await ledgerNow(tx));
  const basis = basisOf(request, await signersOf(tx, tenantId, request.ref));
  refuseEnded(request);
  refuseShortening(request, deadline);
  const supersedesOpId = wish.supersedesOpId ?? null;
  await refuseForeignPredecessor(tx, tenantId, request.ref, supersedesOpId);
  const twin = await openTwin(tx, tenantId, request.ref, deadline.instant, supersedesOpId);
  if (twin && !wish.goOnReason) return duplicateOf(twin);
  const goOn = wish.goOnReason
    ? await keepReason(ctx, actor, tx, request.ref, wish.goOnReason)
    : null;
  const payload = payloadOf(wish, basis, deadline, reason);
  const opId = randomUUID();
  const added = await insertProposal(tx, {
    tenantId,
    opId,
    opKey: key,
    kind: "extend",
    requestRef: request.ref,
    connectionId: request.connectionId,
    canonicalText: payload.text,
    payloadHash: payload.hash,
    approvalId: wish.approvalId,
    policyVersion,
    validityHours: policy.validityHours,
    priority: PRIORITY.extend,
    supersedesOpId,
    actor: actorName(actor),
    evidence: JSON.stringify({
      reason,
      receipt: request.mirrorReceiptId,
      ...(goOn ? { go_on: goOn, twin: twin?.opId ?? null } : {}),
    }),
  });
  if (added) return { opId, version: 1, state: "proposed", duplicate: false };
  const winner = await proposalByKey(tx, tenantId, key);
  invariant(winner, "a key that the constraint refused belongs to an operation");
  return settleKey(
    tx,
    tenantId,
    winner,
    await repeated(tx, { tenantId, descriptor: request.descriptor }, winner, wish, reason),
  );
}

/**
 * The payload of a wish that was proposed before, on the basis that was read then: what the platform showed in the
 * meantime does not make another wish of it (AP-4), and neither does its deadline having passed.
 */
async function repeated(
  tx: Tx,
  { tenantId, descriptor }: Pick<Actor, "tenantId"> & Pick<RequestRow, "descriptor">,
  existing: ProposalRow,
  wish: ExtensionWish,
  reason: VaultEntryRef,
): Promise<WrittenPayload> {
  const [first] = await versionsOf(tx, tenantId, existing.opId);
  invariant(first, "every operation keeps its first version");
  const payload = parsePayload(first.canonicalText);
  invariant(payload.kind === "extend", "the key of an extension names an extension");
  const { connection_id: connectionId, platform_ref: platformRef, expected } = payload;
  const deadline = chosenDeadline(wish, existing.createdAt);
  const basis = { connectionId, platformRef, expected, descriptor };
  return payloadOf(wish, basis, deadline, reason);
}

function payloadOf(
  wish: ExtensionWish,
  basis: ExtensionBasis,
  deadline: BusinessDeadline,
  reason: VaultEntryRef,
): WrittenPayload {
  const payload: ExtendPayload = extensionPayload(basis, {
    requestRef: wish.requestRef,
    deadline,
    reasonDigest: reason.digest,
    supersedesOpId: wish.supersedesOpId ?? null,
  });
  return writePayload(payload);
}

function keepReason(
  { vaultKey }: ConsoleContext,
  { tenantId }: Actor,
  tx: Tx,
  requestRef: string,
  text: string,
): Promise<VaultEntryRef> {
  return storeText(tx, { tenantId, vaultKey }, textSubjectOf(tenantId, requestRef), text);
}
