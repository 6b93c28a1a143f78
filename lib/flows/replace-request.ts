import { randomUUID } from "node:crypto";
import { opKey } from "@/lib/domain/identity";
import { invariant } from "@/lib/domain/invariant";
import { isTerminal } from "@/lib/domain/observation";
import { parsePayload, type Replaces, writePayload } from "@/lib/domain/payload";
import type { Tx } from "@/lib/store/db";
import { retireOperations } from "@/lib/store/mirror";
import {
  insertCarriedVoid,
  openVoidOf,
  type Replacement,
  replacementById,
  sendThatMade,
  waitFor,
  waitingSuccessor,
} from "@/lib/store/replacements";
import { lockRequest, type RequestRow, signersOf } from "@/lib/store/requests";
import { basisOf, changeHead } from "./change-basis";
import { settleReplacements } from "./settle-replacements";

/**
 * Makes way for an approved replacement (ID-7, IN-6), in the transaction of its approval: what else was open on the
 * request ends, and the void of what exists at the platform becomes an operation that this approval carries. The
 * replacement waits for it unless the approval says otherwise. `actor` is the approver's name. Does nothing for a
 * send that replaces nothing.
 */
export async function replaceRequest(
  tx: Tx,
  tenantId: string,
  opId: string,
  actor: string,
): Promise<void> {
  const replacement = await replacementById(tx, tenantId, opId);
  const replaces = replacesIn(replacement);
  if (!replaces) return;
  await makeWay(tx, tenantId, replacement, replaces, actor);
  await retireOperations(tx, tenantId, replacement.requestRef, {
    actor,
    reason: "request_replaced",
    evidence: { replacement: opId },
    exceptOpId: opId,
  });
  await settleReplacements(tx, { tenantId, requestRef: replacement.requestRef });
}

/**
 * Voids what a replaced send turns out to have made (ID-7): its approved replacement was waiting for the answer, and
 * its approval carries the void. False when no replacement waits for this send.
 */
export async function voidWhatWasFound(tx: Tx, tenantId: string, opId: string): Promise<boolean> {
  const successor = await waitingSuccessor(tx, tenantId, opId);
  if (successor === null) return false;
  const replacement = await replacementById(tx, tenantId, successor);
  const replaces = replacesIn(replacement);
  if (!replaces) return false;
  await makeWay(tx, tenantId, replacement, replaces, "system:replacement");
  await settleReplacements(tx, { tenantId, requestRef: replacement.requestRef });
  return true;
}

function replacesIn({ canonicalText }: Replacement): Replaces | undefined {
  const payload = parsePayload(canonicalText);
  return payload.kind === "send" ? payload.replaces : undefined;
}

/**
 * Lets the replacement wait for the void of what the request shows at the platform. Where that has ended already, or
 * the approval lets it start at once, it waits for the send that made it, which is done. Where nothing was made yet
 * there is nothing to wait for but the place (CL-4).
 */
async function makeWay(
  tx: Tx,
  tenantId: string,
  replacement: Replacement,
  replaces: Replaces,
  actor: string,
): Promise<void> {
  const { opId, requestRef } = replacement;
  const request = await lockRequest(tx, tenantId, requestRef);
  invariant(request, "every operation has its request");
  if (request.platformRef === null) return;
  const made = await sendThatMade(tx, tenantId, requestRef, request.platformRef);
  const voided = hasEnded(request)
    ? null
    : ((await openVoidOf(tx, tenantId, requestRef, request.platformRef)) ??
      (await addVoid(tx, tenantId, request, replacement, replaces, actor)));
  const before = replaces.starts === "after_void" ? (voided ?? made) : (made ?? voided);
  if (before !== null) await waitFor(tx, tenantId, opId, before);
}

function hasEnded({ mirrorStatus, descriptor }: RequestRow): boolean {
  if (mirrorStatus === null || !isTerminal(mirrorStatus)) return false;
  return descriptor.terminal[mirrorStatus] === "final";
}

async function addVoid(
  tx: Tx,
  tenantId: string,
  request: RequestRow,
  replacement: Replacement,
  replaces: Replaces,
  actor: string,
): Promise<string> {
  const { requestRef, connectionId, approvalId, proposedBy } = replacement;
  const basis = basisOf(request, await signersOf(tx, tenantId, requestRef));
  const expected = replaces.expected ?? basis.expected;
  const about = { requestRef, reasonDigest: replaces.reason_digest, supersedesOpId: null };
  const { text, hash } = writePayload({
    ...changeHead({ ...basis, expected }, about),
    kind: "void",
    shown_reason: replaces.shown_reason,
  });
  return insertCarriedVoid(tx, {
    tenantId,
    opId: randomUUID(),
    opKey: opKey({ form: "single", requestRef, kind: "void", approvalId }),
    requestRef,
    connectionId,
    canonicalText: text,
    payloadHash: hash,
    approvalId,
    policyVersion: replaces.void_policy,
    proposedBy,
    approvedWithOpId: replacement.opId,
    actor,
  });
}
