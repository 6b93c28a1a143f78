import { judge } from "@/lib/domain/judge";
import type { CallOutcome, Observation } from "@/lib/domain/observation";
import { passedDeadline } from "@/lib/domain/passed-deadline";
import { timesOf } from "@/lib/domain/quiet-time";
import type { Baseline, Verdict } from "@/lib/domain/verdict";
import { asTenant, type Tx } from "@/lib/store/db";
import { storeIntents } from "@/lib/store/intents";
import { endPass, endPassAlone, outcomeEvidence, type PassEnd, reportOf } from "./end-pass";
import { type Hand, remainingLeaseMs } from "./hand";
import { type PreparedCall, prepareCall } from "./make-call";
import { judgedOf, leaseNeededMs, type Pass } from "./pass";
import { lostAuthorization, preparePass } from "./prepare-pass";
import { keepReading, type Reading, readPlatform } from "./read-platform";
import type { WorkerContext } from "./worker-context";

/**
 * One claimed operation, from the read before to the outcome (PL-4..PL-6, CL-3). No transaction is open while the
 * platform is read or called. At most one call leaves, and only after the intent is durable and the lease certainly
 * covers it. Whatever comes of it ends in exactly one conditional write.
 */
export async function executeClaim(context: WorkerContext, hand: Hand): Promise<void> {
  const pass = await preparePass(context, hand, "claimed");
  if (!pass) return;
  const before = await readPlatform(context, pass, beforeRef(pass));
  const intent = await intend(context, pass, before);
  if (!intent) return;
  const why = tooLateBecause(context, pass, intent.askedAtMs);
  if (why !== null) {
    await endPassAlone(context, pass, noCallLeft(context, pass, why));
    return;
  }
  const outcome = await intent.call(pass.provider, { timeoutMs: pass.connection.callTimeoutMs });
  const baseline = pass.baseline ?? baselineIn(before.observation);
  await conclude(context, { ...pass, baseline }, outcome);
}

/** What the first call is compared with afterwards: the read before it (RC-5). */
function baselineIn(before: Observation): Baseline | null {
  const [request] = before.kind === "read" ? before.matches : [];
  return request ?? null;
}

function beforeRef(pass: Pass): string | null {
  return pass.payload.kind === "send" ? null : pass.platformRef;
}

/** An intent that was asked for with the clock's time of asking, and the call that it lets leave. */
interface Intent {
  readonly call: PreparedCall;
  readonly askedAtMs: number;
}

/**
 * Longest time from asking for the intent to the call, in milliseconds. The statement of the intent is the last that
 * sees a switch: a worker that was held up longer asks again, so that no call leaves a second after one (BL-6).
 */
const INTENT_FRESH_MS = 600;

/** Why the call must not leave any more; null when it may (CL-3, BL-6). The clock counts sleep. */
function tooLateBecause(
  { clock }: WorkerContext,
  pass: Pass,
  askedAtMs: number,
): "lease_too_short" | "intent_too_old" | null {
  if (remainingLeaseMs(pass.hand, clock) < leaseNeededMs(pass)) return "lease_too_short";
  return clock.elapsedMs() - askedAtMs > INTENT_FRESH_MS ? "intent_too_old" : null;
}

/**
 * Nothing was sent, and that is certain: the operation waits for another worker or another moment (CL-3). A worker or
 * a database that is always too slow is a person's case: such turns are counted and bounded like "not now".
 */
function noCallLeft(
  { bounds }: WorkerContext,
  { hand }: Pass,
  why: "lease_too_short" | "intent_too_old",
): PassEnd {
  const tooOften = hand.claim.declines >= bounds.declinesMax;
  return {
    from: "submitting",
    verdict: tooOften
      ? { to: "needs_review", reason: "lapsed_too_often" }
      : { to: "scheduled", reason: "released" },
    evidence: { call: "none", why },
    report: "no_call",
    declined: true,
  };
}

/** Judges the read before the call; stores the intent when the call may leave, otherwise ends the pass (null). */
async function intend(context: WorkerContext, pass: Pass, before: Reading): Promise<Intent | null> {
  const { claim } = pass.hand;
  return asTenant(context.db, claim.tenantId, async (tx) => {
    const receipt = await keepReading(tx, pass, "before", before);
    const verdict = await verdictBefore(tx, context, pass, before);
    if (verdict.to !== "act") {
      await endPass(tx, context, pass, { from: "claimed", verdict, evidence: { receipt } });
      return null;
    }
    const prepared = await prepareCall(tx, context, pass, before.observation);
    if ("stop" in prepared) {
      await endPass(tx, context, pass, {
        from: "claimed",
        verdict: prepared.stop,
        evidence: { receipt },
      });
      return null;
    }
    const askedAtMs = context.clock.elapsedMs();
    const stored = await storeIntents(tx, claim.tenantId, context.worker, [
      { opId: claim.opId, fence: claim.fence, evidence: { receipt, hash: claim.payloadHash } },
    ]);
    if (stored.has(claim.opId)) return { call: prepared.call, askedAtMs };
    context.meter?.conflict("submit");
    await endPass(tx, context, pass, {
      from: "claimed",
      verdict: heldBack(pass),
      evidence: { receipt },
    });
    return null;
  });
}

async function verdictBefore(
  tx: Tx,
  context: WorkerContext,
  pass: Pass,
  before: Reading,
): Promise<Verdict> {
  const { claim } = pass.hand;
  const lost = await lostAuthorization(tx, claim.tenantId, claim.opId);
  return (
    lost ??
    passedDeadline(pass.payload, before.startedAt) ??
    judge(
      judgedOf(context, pass, false, before.startedAt),
      { kind: "before" },
      before.observation,
      pass.connection.descriptor,
    )
  );
}

/** The intent did not take: a late result goes to a person, everything else waits its turn (CL-3, BL-6). */
function heldBack(pass: Pass): Exclude<Verdict, { to: "act" }> {
  return pass.hand.claim.lateFence === null
    ? { to: "scheduled", reason: "released" }
    : { to: "needs_review", reason: "late_result_contradicts" };
}

/** Reads again where an answer came, judges, and writes the outcome under the fence (PL-6). */
async function conclude(context: WorkerContext, pass: Pass, outcome: CallOutcome): Promise<void> {
  const { claim } = pass.hand;
  const after =
    outcome.kind === "unknown" ? null : await readPlatform(context, pass, afterRef(pass, outcome));
  await asTenant(context.db, claim.tenantId, async (tx) => {
    const receipt = after ? await keepReading(tx, pass, "after", after) : null;
    const verdict = judge(
      judgedOf(context, pass, true, after?.startedAt ?? pass.hand.claim.claimedAt),
      { kind: "after", outcome },
      after?.observation ?? UNREAD,
      pass.connection.descriptor,
    );
    if (verdict.to === "act") throw new Error("a verdict after a call never asks for another one");
    await endPass(tx, context, pass, {
      from: "submitting",
      verdict,
      evidence: { ...outcomeEvidence(outcome), receipt },
      report: reportOf(outcome, verdict.reason === "not_processed"),
      ...lastLook(pass, verdict.to),
    });
  });
}

const UNREAD: Observation = {
  kind: "unreadable",
  detail: { cause: "unlisted", httpStatus: null, platformCode: null, platformRequestId: null },
};

function afterRef(pass: Pass, outcome: CallOutcome): string | null {
  if (pass.payload.kind !== "send") return pass.platformRef;
  return outcome.kind === "accepted" ? outcome.platformRef : null;
}

/** After several attempts a `done` operation is looked at once more when no call can land any more (SM-5). */
function lastLook(pass: Pass, to: string): { lastLookInMs?: number } {
  if (to !== "done" || pass.hand.claim.attempts === 0) return {};
  const { processingMs, visibilityMs } = timesOf(pass.connection.descriptor, pass.payload.kind);
  if (processingMs === "unknown" || visibilityMs === "unknown") return {};
  return { lastLookInMs: processingMs + visibilityMs };
}
