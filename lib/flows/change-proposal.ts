import { randomUUID } from "node:crypto";
import { keyFor, opKey } from "@/lib/domain/identity";
import { invariant } from "@/lib/domain/invariant";
import { PRIORITY } from "@/lib/domain/operation";
import { parsePayload, type WrittenPayload, writePayload } from "@/lib/domain/payload";
import { type Policy, policyLetsPropose } from "@/lib/domain/policy";
import { Refusal } from "@/lib/domain/refusal";
import { asTenant, ledgerNow, type Tx } from "@/lib/store/db";
import { presentPolicy } from "@/lib/store/policies";
import { insertProposal, type ProposalRow, proposalByKey, versionsOf } from "@/lib/store/proposals";
import { lockRequest, type RequestRow, signersOf } from "@/lib/store/requests";
import { storeText, textSubjectOf, type VaultEntryRef } from "@/lib/store/vault";
import {
  basisOf,
  type ChangeBasis,
  type ChangeHead,
  type ChangePayload,
  changeHead,
} from "./change-basis";
import { openTwin, refuseEnded, refuseForeignPredecessor } from "./change-rules";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { refuseOtherThanUuid } from "./issued-id";
import { permit } from "./permit";
import { refuseOff } from "./refuse-off";
import { duplicateOf, type Proposed, refuseClosedKey, settleKey } from "./settle-key";
import { typedReason } from "./typed-reason";

/** What every wish to change an existing request carries. */
export interface ChangeWish {
  /** UUID made when the form was opened; every repeat of the wish carries it (ID-1). */
  readonly approvalId: string;
  readonly requestRef: string;
  readonly reason: string;
  /** The operation that this one replaces (ID-7). */
  readonly supersedesOpId?: string | null;
  /** Why to go on although an open operation asks for the same (AP-4). */
  readonly goOnReason?: string | null;
}

/** One wish under way, with its request locked. */
export interface Proposing<P extends ChangePayload> {
  readonly ctx: ConsoleContext;
  readonly actor: Actor;
  readonly tx: Tx;
  readonly request: RequestRow;
  readonly descriptor: ChangeBasis["descriptor"];
  readonly head: ChangeHead;
  readonly reason: VaultEntryRef;
  /** Database time at which the wish came for the first time. */
  readonly at: Date;
  /** What the wish gave at that time; null while it is new. */
  readonly earlier: P | null;
}

/** What one kind adds to the common way of proposing a change. */
export interface Change<P extends ChangePayload> {
  readonly kind: P["kind"];
  /** The wish, resolved. A repeat gives the same again, whatever the platform showed in the meantime (AP-4). */
  payload(proposing: Proposing<P>): Promise<P>;
  /** Throws Refusal for what must not be asked now. A repeat is not asked again. */
  refuse?(proposing: Proposing<P>, payload: P, policy: Policy): Promise<void>;
  /** Whether two of the kind ask for the same (AP-4). */
  isSame(open: P, asked: P, row: ProposalRow): boolean;
  /** When it shall happen; null as soon as it is approved. */
  dueAt?(payload: P): Date | null;
}

/**
 * Proposes a change of a request (ID-1, ID-6, GO-1). Nothing happens before it is approved. The same wish again, or
 * an open operation that asks for the same, is answered with the operation that exists. Throws Refusal, having
 * changed nothing.
 */
export async function proposeChange<P extends ChangePayload>(
  ctx: ConsoleContext,
  actor: Actor,
  wish: ChangeWish,
  change: Change<P>,
): Promise<Proposed> {
  permit(actor, "operation.propose");
  typedReason(wish.reason);
  if (wish.goOnReason) typedReason(wish.goOnReason, "goOnReason");
  const { requestRef, approvalId } = wish;
  const { tenantId } = actor;
  const key = opKey({ form: "single", requestRef, kind: change.kind, approvalId });
  refuseOtherThanUuid(approvalId);
  return asTenant(ctx.db, tenantId, async (tx) => {
    const request = await lockRequest(tx, tenantId, requestRef);
    if (!request) throw new Refusal("not_found");
    const reason = await keepText(ctx, actor, tx, requestRef, wish.reason);
    const asking = { ctx, actor, tx, wish, change, request, reason, key };
    // The approval id makes the wish, also when the mode has changed since.
    const existing =
      (await proposalByKey(tx, tenantId, keyFor("live", key))) ??
      (await proposalByKey(tx, tenantId, keyFor("shadow", key)));
    if (existing) {
      await refuseClosedKey(tx, tenantId, existing.opKey);
      return settleKey(tx, tenantId, existing, await repeated(asking, existing));
    }
    return propose(asking);
  });
}

interface Asking<P extends ChangePayload> {
  readonly ctx: ConsoleContext;
  readonly actor: Actor;
  readonly tx: Tx;
  readonly wish: ChangeWish;
  readonly change: Change<P>;
  readonly request: RequestRow;
  readonly reason: VaultEntryRef;
  readonly key: string;
}

async function propose<P extends ChangePayload>(asking: Asking<P>): Promise<Proposed> {
  const { actor, tx, wish, change, request, key } = asking;
  const { tenantId } = actor;
  const mode = await refuseOff(tx, tenantId, change.kind);
  const { version, policy } = await presentPolicy(tx, tenantId, change.kind);
  if (actor.role !== null && !policyLetsPropose(policy, actor.role)) {
    throw new Refusal("not_permitted");
  }
  const basis = basisOf(request, await signersOf(tx, tenantId, request.ref));
  const proposing = proposingOf(asking, basis, await ledgerNow(tx), null);
  const payload = await change.payload(proposing);
  refuseEnded(request);
  await change.refuse?.(proposing, payload, policy);
  await refuseForeignPredecessor(tx, tenantId, request.ref, payload.supersedes_op_id);
  const twin = await openTwin(tx, tenantId, payload, mode, change.isSame);
  if (twin && !wish.goOnReason) return duplicateOf(twin);
  const opId = randomUUID();
  const added = await insertProposal(tx, {
    ...writtenIn(writePayload(payload)),
    tenantId,
    opId,
    opKey: keyFor(mode, key),
    kind: change.kind,
    requestRef: request.ref,
    connectionId: request.connectionId,
    approvalId: wish.approvalId,
    policyVersion: version,
    validityHours: policy.validityHours,
    priority: PRIORITY[change.kind],
    supersedesOpId: payload.supersedes_op_id,
    dueAt: change.dueAt?.(payload) ?? null,
    actor: actorName(actor),
    evidence: await evidenceOf(asking, twin),
  });
  invariant(added, "of all proposals of one key the request's lock lets one through");
  return { opId, version: 1, state: "proposed", duplicate: false };
}

/**
 * The payload of a wish that was proposed before, on the basis that was read then: what the platform showed in the
 * meantime does not make another wish of it (AP-4), and neither does its time having passed.
 */
async function repeated<P extends ChangePayload>(
  asking: Asking<P>,
  existing: ProposalRow,
): Promise<WrittenPayload> {
  const { actor, tx, change, request } = asking;
  const [first] = await versionsOf(tx, actor.tenantId, existing.opId);
  invariant(first, "every operation keeps its first version");
  const earlier = parsePayload(first.canonicalText);
  invariant(earlier.kind === change.kind, "the key of a change names its kind");
  const basis = {
    connectionId: earlier.connection_id,
    platformRef: (earlier as P).platform_ref,
    expected: (earlier as P).expected,
    descriptor: request.descriptor,
  };
  const proposing = proposingOf(asking, basis, existing.createdAt, earlier as P);
  return writePayload(await change.payload(proposing));
}

function proposingOf<P extends ChangePayload>(
  { ctx, actor, tx, wish, request, reason }: Asking<P>,
  basis: ChangeBasis,
  at: Date,
  earlier: P | null,
): Proposing<P> {
  const head = changeHead(basis, {
    requestRef: wish.requestRef,
    reasonDigest: reason.digest,
    supersedesOpId: wish.supersedesOpId ?? null,
  });
  const { descriptor } = basis;
  return { ctx, actor, tx, request, descriptor, head, reason, at, earlier };
}

function writtenIn({ text, hash }: WrittenPayload) {
  return { canonicalText: text, payloadHash: hash };
}

async function evidenceOf<P extends ChangePayload>(
  { ctx, actor, tx, wish, request, reason }: Asking<P>,
  twin: ProposalRow | null,
): Promise<string> {
  const goOn = wish.goOnReason
    ? await keepText(ctx, actor, tx, request.ref, wish.goOnReason)
    : null;
  return JSON.stringify({
    reason,
    receipt: request.mirrorReceiptId,
    ...(goOn ? { go_on: goOn, twin: twin?.opId ?? null } : {}),
  });
}

/** Puts a typed text into the vault under the request's own subject (SM-3). */
export function keepText(
  { vaultKey }: ConsoleContext,
  { tenantId }: Actor,
  tx: Tx,
  requestRef: string,
  text: string,
): Promise<VaultEntryRef> {
  return storeText(tx, { tenantId, vaultKey }, textSubjectOf(tenantId, requestRef), text);
}
