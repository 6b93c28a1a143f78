import { recordDecision, standingDecisions } from "@/lib/store/approvals";
import { asTenant, type Tx } from "@/lib/store/db";
import { endProposed, type ProposalRow } from "@/lib/store/proposals";
import { storeText, textSubjectOf } from "@/lib/store/vault";
import { refuseDecided } from "./already-decided";
import { refuseStale } from "./approval-stale";
import { lockedForDecision } from "./approve";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { permitPerson } from "./permit";
import { typedReason } from "./typed-reason";
import type { Ended } from "./withdraw";

export interface Rejection {
  readonly opId: string;
  /** Version and hash that were on screen (AP-1). */
  readonly version: number;
  readonly hash: string;
  readonly reason: string;
}

/**
 * Turns down a proposal for everybody, with a reason (AP-1, AP-2). Whoever may approve it may reject it. The same
 * person rejecting again is answered with what was done. Throws Refusal, having changed nothing.
 */
export async function reject(
  ctx: ConsoleContext,
  actor: Actor,
  { opId, version, hash, reason }: Rejection,
): Promise<Ended> {
  const person = permitPerson(actor, "operation.approve");
  typedReason(reason);
  const { tenantId } = actor;
  return asTenant(ctx.db, tenantId, async (tx) => {
    const { operation, request } = await lockedForDecision(tx, actor, person, opId);
    if (await rejectedBy(tx, tenantId, operation, person.accountId))
      return { opId, state: "obsolete" };
    await refuseDecided(tx, operation);
    await refuseStale(tx, { actor, person, operation }, { version, hash });
    const subject = textSubjectOf(tenantId, request.ref);
    const scope = { tenantId, vaultKey: ctx.vaultKey };
    const kept = await storeText(tx, scope, subject, reason);
    const what = { tenantId, opId, version, payloadHash: hash };
    await recordDecision(tx, {
      ...what,
      accountId: person.accountId,
      decision: "reject",
      receiptId: null,
    });
    await endProposed(tx, {
      tenantId,
      opId,
      reason: "rejected",
      actor: actorName(actor),
      evidence: JSON.stringify({ reason: kept, role: person.role }),
    });
    return { opId, state: "obsolete" };
  });
}

/** True when this person's own rejection ended it: a second click is answered like the first (AP-4). */
async function rejectedBy(
  tx: Tx,
  tenantId: string,
  { opId, reason }: ProposalRow,
  accountId: string,
): Promise<boolean> {
  if (reason !== "rejected") return false;
  const decisions = await standingDecisions(tx, tenantId, opId);
  return decisions.some((one) => one.accountId === accountId && one.decision === "reject");
}
