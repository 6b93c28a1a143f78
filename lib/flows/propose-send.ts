import { randomUUID } from "node:crypto";
import type { DeadlineWish } from "@/lib/domain/business-deadline";
import { keyFor, modeOfKey, opKey } from "@/lib/domain/identity";
import { invariant } from "@/lib/domain/invariant";
import { PRIORITY } from "@/lib/domain/operation";
import { type PayloadSigner, type WrittenPayload, writePayload } from "@/lib/domain/payload";
import { policyLetsPropose } from "@/lib/domain/policy";
import { Refusal } from "@/lib/domain/refusal";
import { personBehind } from "@/lib/store/approvals";
import { asTenant, ledgerNow, type Tx } from "@/lib/store/db";
import { presentPolicy } from "@/lib/store/policies";
import { insertProposal, operationKeysOf, proposalByKey } from "@/lib/store/proposals";
import {
  descriptorOfConnection,
  insertRequest,
  insertSigners,
  lockRequest,
  type RequestRow,
} from "@/lib/store/requests";
import { chosenDeadline } from "./chosen-deadline";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { refuseOtherThanUuid } from "./issued-id";
import { permit } from "./permit";
import { refuseOff } from "./refuse-off";
import { type ReplacementWish, refuseReplacement } from "./replaced-send";
import { circumstancesOf } from "./send-circumstances";
import { revisionOf, sendPayload, wishedSigners, wishedTexts } from "./send-payload";
import { type Proposed, refuseClosedKey, settleKey } from "./settle-key";
import { typedReason } from "./typed-reason";

export type WishedSigner = {
  readonly role: string;
  /** From 1; equal numbers sign at the same time. */
  readonly order: number;
} & ({ readonly name: string; readonly email: string } | { readonly subjectRef: string });

export interface SendWish extends DeadlineWish {
  /** UUID made when the form was opened (ID-1). */
  readonly approvalId: string;
  /** Our own reference of the request to be; it exists before the platform's (CL-4). */
  readonly requestRef: string;
  readonly connectionId: string;
  readonly documents: readonly { readonly digest: string; readonly version: number }[];
  readonly template?: { readonly id: string; readonly version: string | null } | null;
  readonly signers: readonly WishedSigner[];
  readonly title: string;
  readonly message?: string | null;
  readonly reminders: {
    /** Left out, the policy for reminders says who (RM-1). */
    readonly owner?: "platform" | "application";
    readonly intervalDays?: number | null;
  };
  readonly signaturePolicy?: string | null;
  readonly routing?: "sequential" | "parallel" | null;
  /** What it corrects; null or left out for the first send of a request (ID-7). */
  readonly replaces?: ReplacementWish | null;
}

/**
 * Proposes to send documents to signers (ID-1, ID-4, ID-5): makes the request, puts people and texts into the vault
 * and binds the payload to them. Nothing is sent before it is approved. The same wish again is answered with the
 * operation that exists. Throws Refusal, having changed nothing.
 */
export async function proposeSend(
  ctx: ConsoleContext,
  actor: Actor,
  wish: SendWish,
): Promise<Proposed> {
  permit(actor, "operation.propose");
  refuseOtherThanUuid(wish.approvalId);
  if (wish.replaces) typedReason(wish.replaces.reason, "replaces.reason");
  const { requestRef } = wish;
  const { tenantId } = actor;
  const liveKey = opKey({ form: "send", requestRef, revision: revisionOf(wish) });
  return asTenant(ctx.db, tenantId, async (tx) => {
    const live = await proposalByKey(tx, tenantId, liveKey);
    const key = live ? liveKey : keyFor(await refuseOff(tx, tenantId, "send"), liveKey);
    const before = live ?? (await proposalByKey(tx, tenantId, key));
    if (before) await refuseClosedKey(tx, tenantId, before.opKey);
    const at = before?.createdAt ?? (await ledgerNow(tx));
    const deadline = chosenDeadline(wish, at);
    const { made, request } = await makeRequest(tx, actor, wish, deadline.zone);
    const scope = { tenantId, vaultKey: ctx.vaultKey };
    const existing = await proposalByKey(tx, tenantId, key);
    if (!existing && wish.replaces) {
      const { connectionId } = wish;
      await refuseReplacement(
        tx,
        tenantId,
        { ...wish.replaces, connectionId },
        request,
        modeOfKey(key),
      );
    }
    const signers = await wishedSigners(tx, scope, wish, existing === null);
    const texts = await wishedTexts(tx, scope, wish);
    const sending = { ctx, actor, tx, wish, request, existing };
    const around = await circumstancesOf(sending, at, deadline);
    const payload = writePayload(sendPayload(wish, deadline, signers, texts, around));
    if (existing) return settleKey(tx, tenantId, existing, payload);
    const first = !wish.replaces && !made;
    if (first && !(await onlyShadowed(tx, tenantId, requestRef))) throw taken();
    return add(tx, actor, wish, key, payload, signers);
  });
}

/** The request, and whether it is new. Of two callers at once the second waits here until the first is done. */
async function makeRequest(
  tx: Tx,
  actor: Actor,
  wish: SendWish,
  zone: string,
): Promise<{ readonly made: boolean; readonly request: RequestRow }> {
  const { tenantId } = actor;
  const { requestRef, connectionId } = wish;
  if (!(await descriptorOfConnection(tx, tenantId, connectionId))) throw new Refusal("not_found");
  const ownerAccountId = await personBehind(tx, tenantId, actorName(actor));
  const made = await insertRequest(tx, {
    tenantId,
    ref: requestRef,
    connectionId,
    zone,
    ownerAccountId,
  });
  const request = await lockRequest(tx, tenantId, requestRef);
  invariant(request, "the request was there or was made just now");
  return { made, request };
}

async function add(
  tx: Tx,
  actor: Actor,
  wish: SendWish,
  key: string,
  payload: WrittenPayload,
  signers: readonly PayloadSigner[],
): Promise<Proposed> {
  const { tenantId } = actor;
  const { requestRef, connectionId, approvalId } = wish;
  const { version: policyVersion, policy } = await presentPolicy(tx, tenantId, "send");
  if (actor.role !== null && !policyLetsPropose(policy, actor.role)) {
    throw new Refusal("not_permitted");
  }
  const opId = randomUUID();
  const added = await insertProposal(tx, {
    tenantId,
    opId,
    opKey: key,
    kind: "send",
    requestRef,
    connectionId,
    canonicalText: payload.text,
    payloadHash: payload.hash,
    approvalId,
    policyVersion,
    validityHours: policy.validityHours,
    priority: PRIORITY.send,
    supersedesOpId: wish.replaces?.supersedesOpId ?? null,
    dueAt: null,
    actor: actorName(actor),
    evidence: "{}",
  });
  invariant(added, "of all proposals of one key the request's lock lets one through");
  // A shadow leaves the list of signers to the send that is really made (GO-1), a correction to its being done.
  if (modeOfKey(key) === "live" && !wish.replaces)
    await addSigners(tx, tenantId, requestRef, signers);
  return { opId, version: 1, state: "proposed", duplicate: false };
}

/** True for a request of which there are shadows of sends and nothing else. */
async function onlyShadowed(tx: Tx, tenantId: string, requestRef: string): Promise<boolean> {
  const keys = await operationKeysOf(tx, tenantId, requestRef);
  return keys.length > 0 && keys.every((key) => modeOfKey(key) === "shadow");
}

function addSigners(
  tx: Tx,
  tenantId: string,
  requestRef: string,
  signers: readonly PayloadSigner[],
): Promise<void> {
  return insertSigners(
    tx,
    tenantId,
    requestRef,
    signers.map(({ subject_ref: subjectRef, role, order, contact_digest: contactDigest }) => ({
      subjectRef,
      role,
      order,
      contactDigest,
    })),
  );
}

function taken(): Refusal {
  const fields = [{ path: "requestRef", sentence: "A request of this reference exists already." }];
  return new Refusal("fields_unusable", { fields });
}
