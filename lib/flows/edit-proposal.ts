import type { DeadlineWish } from "@/lib/domain/business-deadline";
import { invariant } from "@/lib/domain/invariant";
import { parsePayload, writePayload } from "@/lib/domain/payload";
import { policyLetsPropose } from "@/lib/domain/policy";
import { Refusal } from "@/lib/domain/refusal";
import { asTenant, ledgerNow, type Tx } from "@/lib/store/db";
import { policyOfVersion } from "@/lib/store/policies";
import {
  lockOperations,
  type ProposalRow,
  proposalById,
  replacePayload,
} from "@/lib/store/proposals";
import { lockRequest, type RequestRow, signersOf } from "@/lib/store/requests";
import { storeText, textSubjectOf } from "@/lib/store/vault";
import { refuseDecided } from "./already-decided";
import { refuseStale } from "./approval-stale";
import { basisOf, changeHead } from "./change-basis";
import { refuseEnded } from "./change-rules";
import { chosenDeadline } from "./chosen-deadline";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { extensionPayload } from "./extension-payload";
import { refuseShortening } from "./extension-rules";
import { type Person, permitPerson } from "./permit";
import { timersOfExtension } from "./proposed-timers";
import { typedReason } from "./typed-reason";

export interface EditWish extends DeadlineWish {
  readonly opId: string;
  /** The version that the editor saw. */
  readonly version: number;
  readonly reason: string;
}

export interface Edited {
  readonly opId: string;
  readonly version: number;
  readonly hash: string;
}

/**
 * Puts another deadline into a proposal of an extension, as its next version and on the newest read (AP-1). The
 * editor may not approve it any more; approvals of earlier versions do not count. Throws Refusal `approval_stale`
 * when somebody else edited it first, or what a new proposal would be refused for.
 */
export async function editProposal(
  ctx: ConsoleContext,
  actor: Actor,
  wish: EditWish,
): Promise<Edited> {
  const person = permitPerson(actor, "operation.edit");
  typedReason(wish.reason);
  const { tenantId } = actor;
  return asTenant(ctx.db, tenantId, async (tx) => {
    const { operation, request } = await lockedForEdit(tx, actor, person, wish);
    const { vaultKey } = ctx;
    const subject = textSubjectOf(tenantId, request.ref);
    const reason = await storeText(tx, { tenantId, vaultKey }, subject, wish.reason);
    const at = await ledgerNow(tx);
    const deadline = chosenDeadline(wish, at);
    refuseEnded(request);
    refuseShortening(request, deadline);
    const head = changeHead(basisOf(request, await signersOf(tx, tenantId, request.ref)), {
      requestRef: request.ref,
      reasonDigest: reason.digest,
      supersedesOpId: operation.supersedesOpId,
    });
    const timers = await timersOfExtension(tx, tenantId, request, at, deadline);
    const { text, hash } = writePayload(
      extensionPayload(head, deadline, request.descriptor, timers),
    );
    const edited = await replacePayload(tx, {
      tenantId,
      opId: operation.opId,
      version: operation.version,
      canonicalText: text,
      payloadHash: hash,
      actor: actorName(actor),
      evidence: JSON.stringify({ reason, receipt: request.mirrorReceiptId }),
    });
    invariant(edited, "a locked proposal is still the one that was judged");
    return { opId: operation.opId, version: operation.version + 1, hash };
  });
}

async function lockedForEdit(
  tx: Tx,
  actor: Actor,
  person: Person,
  wish: EditWish,
): Promise<{ operation: ProposalRow; request: RequestRow }> {
  const { tenantId } = actor;
  const seen = await proposalById(tx, tenantId, wish.opId);
  if (!seen) throw new Refusal("not_found");
  const request = await lockRequest(tx, tenantId, seen.requestRef);
  invariant(request, "every operation has its request");
  await lockOperations(tx, tenantId, request.ref, [wish.opId]);
  const operation = await proposalById(tx, tenantId, wish.opId);
  invariant(operation, "an operation is never deleted");
  const { kind, policyVersion, version, payloadHash } = operation;
  const { policy } = await policyOfVersion(tx, tenantId, kind, policyVersion);
  if (!policyLetsPropose(policy, person.role)) throw new Refusal("not_permitted");
  await refuseDecided(tx, operation);
  if (parsePayload(operation.canonicalText).kind !== "extend") throw new Refusal("not_permitted");
  const shown = { version: wish.version, hash: wish.version === version ? payloadHash : "" };
  await refuseStale(tx, { actor, person, operation }, shown);
  return { operation, request };
}
