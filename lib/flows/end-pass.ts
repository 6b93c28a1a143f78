import { lookPauseMs } from "@/lib/domain/bounds";
import type { CallOutcome } from "@/lib/domain/observation";
import { farFromTarget } from "@/lib/domain/reached";
import type { Verdict } from "@/lib/domain/verdict";
import { pauseConnection } from "@/lib/store/connections";
import { asTenant, type Tx } from "@/lib/store/db";
import { matchInboxEvents } from "@/lib/store/inbox-waiting";
import { openReviewItem } from "@/lib/store/last-looks";
import { mirroredExpiry } from "@/lib/store/mirror";
import { keepLateResult, type OutcomeWrite, writeOutcomes } from "@/lib/store/outcomes";
import { afterEnding } from "./after-done";
import type { PassMove } from "./meter";
import { ownerOfReason, type Pass } from "./pass";
import { recordContact } from "./record-contact";
import type { WorkerContext } from "./worker-context";

type Ending = Exclude<Verdict, { to: "act" }>;

export interface PassEnd {
  readonly from: OutcomeWrite["from"];
  readonly verdict: Ending;
  readonly evidence: object;
  /** What the worker reports of its call (RC-8); left out when this pass made none. */
  readonly report?: string;
  readonly lastLookInMs?: number;
  /** Counts one more turn that came to no call although the reason does not say so. */
  readonly declined?: boolean;
}

/** The shortest pause before another try, so that "not now" cannot become a tight loop. Milliseconds. */
const RETRY_PAUSE_MS = 250;

/**
 * Ends a pass in the caller's transaction: one conditional write under the fence (CL-3). When the lease was lost
 * meanwhile nothing changes, and what the worker has to report is kept as evidence (SM-5). Returns whether the
 * outcome took.
 */
export async function endPass(
  tx: Tx,
  context: WorkerContext,
  pass: Pass,
  end: PassEnd,
): Promise<boolean> {
  const { claim } = pass.hand;
  const took = await writeOutcomes(tx, claim.tenantId, context.worker.name, [
    outcomeWrite(context, pass, end),
  ]);
  if (!took.has(claim.opId)) {
    context.meter?.conflict("outcome");
    await keepLate(tx, context, pass, end);
    return false;
  }
  context.meter?.passEnded(moveOf(pass, end));
  if (end.verdict.reason === "credentials_refused") {
    await pauseConnection(tx, claim.tenantId, claim.connectionId, "credentials_refused");
  }
  if (end.verdict.reason === "skipped_unknown") await recordContact(tx, context, pass, false);
  await afterEnding(tx, context, pass, end.verdict);
  if (end.verdict.to === "done" && pass.payload.kind === "send") {
    await releaseWaitingEvents(tx, pass, end.verdict);
    await reviewIgnoredExpiry(tx, pass, pass.payload.expires_at);
  }
  return true;
}

function moveOf({ hand: { claim } }: Pass, { from, verdict, report }: PassEnd): PassMove {
  const called = from === "submitting" && report !== "no_call" ? 1 : 0;
  const { kind, attempts, unknownSince, claimedAt } = claim;
  return {
    kind,
    from,
    to: verdict.to,
    reason: verdict.reason,
    attempts: attempts + called,
    unknownForMs: unknownSince && claimedAt.getTime() - unknownSince.getTime(),
  };
}

/** A send whose expiry the platform did not take over stays done, and somebody is told (C-24). */
async function reviewIgnoredExpiry(tx: Tx, pass: Pass, approved: string): Promise<void> {
  const { tenantId, opId, requestRef } = pass.hand.claim;
  const shown = await mirroredExpiry(tx, tenantId, requestRef);
  if (shown === null || !farFromTarget({ expiresAt: shown }, approved)) return;
  await openReviewItem(tx, tenantId, {
    opId,
    requestRef,
    reason: "platform_ignored_expiry",
    owner: ownerOfReason("platform_ignored_expiry", pass.owners),
    evidence: { observed: shown, target: approved },
  });
}

/** Events that overtook the answer of their own send are due to be applied now that it is known (IN-4, C-13). */
async function releaseWaitingEvents(tx: Tx, pass: Pass, verdict: Ending): Promise<void> {
  const { tenantId, connectionId } = pass.hand.claim;
  const platformRef = verdict.platformRef ?? pass.hand.claim.platformRef;
  if (platformRef === null) return;
  await matchInboxEvents(tx, tenantId, connectionId, platformRef);
}

/** The same in a transaction of its own. */
export async function endPassAlone(
  context: WorkerContext,
  pass: Pass,
  end: PassEnd,
): Promise<boolean> {
  return asTenant(context.db, pass.hand.claim.tenantId, (tx) => endPass(tx, context, pass, end));
}

function outcomeWrite(context: WorkerContext, pass: Pass, end: PassEnd): OutcomeWrite {
  const { claim } = pass.hand;
  const { verdict } = end;
  const pause = lookPauseMs(context.bounds, claim.looks, context.chance());
  const wait = verdict.waitMs ?? 0;
  return {
    opId: claim.opId,
    fence: claim.fence,
    from: end.from,
    to: verdict.to,
    reason: verdict.reason,
    evidence: end.evidence,
    ...(end.report === undefined ? {} : { report: end.report }),
    ...(verdict.to === "scheduled"
      ? { dueInMs: verdict.reason === "absence_proven" ? 0 : Math.max(wait, RETRY_PAUSE_MS) }
      : {}),
    ...(verdict.to === "needs_reconcile" ? { lookInMs: Math.max(wait, pause) } : {}),
    ...(end.lastLookInMs === undefined ? {} : { lastLookInMs: Math.round(end.lastLookInMs) }),
    ...(verdict.platformRef === undefined ? {} : { platformRef: verdict.platformRef }),
    ...(verdict.to === "quarantined" || verdict.to === "needs_review"
      ? { owner: ownerOfReason(verdict.reason, pass.owners) }
      : {}),
    declined:
      end.declined === true ||
      verdict.reason === "not_processed" ||
      verdict.reason === "awaiting_rate_limit",
  };
}

async function keepLate(tx: Tx, context: WorkerContext, pass: Pass, end: PassEnd): Promise<void> {
  const { claim } = pass.hand;
  if (end.report === undefined) {
    context.log.info({
      event: "fenced",
      tenant: claim.tenantId,
      op: claim.opId,
      fence: claim.fence,
    });
    return;
  }
  const met = await keepLateResult(tx, claim.tenantId, context.worker.name, {
    opId: claim.opId,
    fence: claim.fence,
    report: end.report,
    evidence: { ...end.evidence, would_be: end.verdict.to, reason: end.verdict.reason },
    owner: ownerOfReason("late_result_contradicts", pass.owners),
  });
  context.log.warn({
    event: "fenced",
    tenant: claim.tenantId,
    op: claim.opId,
    fence: claim.fence,
    ...(met === null ? {} : { state: met }),
  });
}

/** What a worker reports of a call, as one word that RC-8 and the next pass can read. */
export function reportOf(outcome: CallOutcome, notProcessed: boolean): string {
  switch (outcome.kind) {
    case "declined":
      return notProcessed ? "declined" : "declined_unstated";
    case "rejected_fixable":
      return `rejected_${outcome.fix}`;
    default:
      return outcome.kind;
  }
}

/** What of an outcome is kept as evidence: codes only (PV-4). */
export function outcomeEvidence(outcome: CallOutcome): object {
  if (outcome.kind === "accepted") {
    return { call: "accepted", platform_ref: outcome.platformRef };
  }
  const { cause, httpStatus, platformCode, platformRequestId } = outcome.detail;
  return {
    call: outcome.kind,
    cause,
    http_status: httpStatus,
    platform_code: platformCode,
    platform_request_id: platformRequestId,
  };
}
