import { judge } from "@/lib/domain/judge";
import { type AbsenceCounts, absenceCounts, provesAbsence, timesOf } from "@/lib/domain/quiet-time";
import type { Phase } from "@/lib/domain/verdict";
import { attemptsOf } from "@/lib/store/attempts";
import { asTenant, type Tx } from "@/lib/store/db";
import { endPass } from "./end-pass";
import type { Hand } from "./hand";
import { judgedOf, type Pass } from "./pass";
import { preparePass } from "./prepare-pass";
import { keepReading, type Reading, readPlatform } from "./read-platform";
import type { WorkerContext } from "./worker-context";

/**
 * One look at an unknown operation (RC-1..RC-3): reads the platform, changes nothing there, and writes what the read
 * means. Whether absence counts is decided by the moment at which the read started, not by when it is written
 * (RC-8).
 */
export async function reconcileClaim(context: WorkerContext, hand: Hand): Promise<void> {
  const pass = await preparePass(context, hand, "reconciling");
  if (!pass) return;
  const reading = await readPlatform(context, pass, knownRef(pass));
  await asTenant(context.db, hand.claim.tenantId, async (tx) => {
    const receipt = await keepReading(tx, pass, "look", reading);
    const counts = await countsFrom(tx, pass);
    const verdict = judge(
      judgedOf(context, pass, false, reading.startedAt),
      lookPhase(pass, reading, counts),
      reading.observation,
      pass.connection.descriptor,
    );
    if (verdict.to === "act") throw new Error("a look never asks for a call");
    await endPass(tx, context, pass, {
      from: "reconciling",
      verdict,
      evidence: { receipt, absence: evidenceOf(counts) },
      ...lastLook(verdict.to, hand, counts),
    });
  });
}

function knownRef(pass: Pass): string | null {
  return pass.payload.kind === "send" ? pass.hand.claim.platformRef : pass.platformRef;
}

/** From when on absence counts, over all attempts and with the sessions of their workers (RC-8, RC-9). */
async function countsFrom(tx: Tx, pass: Pass): Promise<AbsenceCounts> {
  const { claim } = pass.hand;
  return absenceCounts(
    await attemptsOf(tx, claim.tenantId, claim.opId),
    timesOf(pass.connection.descriptor, claim.kind),
  );
}

function lookPhase(pass: Pass, reading: Reading, counts: AbsenceCounts): Phase {
  return {
    kind: "look",
    absenceCounts: provesAbsence(counts, reading.startedAt.getTime()),
    withinRetention: withinRetention(pass, reading.startedAt),
  };
}

/** RC-3: a look-up proves absence only while the platform still keeps the reference. */
function withinRetention(pass: Pass, startedAt: Date): boolean {
  const lookup = pass.connection.descriptor.lookupByReference;
  const first = pass.hand.claim.firstIntentAt;
  if (pass.payload.kind !== "send" || lookup.kind === "none" || first === null) return true;
  return (
    lookup.retentionMs !== "unknown" && startedAt.getTime() < first.getTime() + lookup.retentionMs
  );
}

function evidenceOf(counts: AbsenceCounts): object {
  if ("never" in counts) return { never: counts.never };
  return Number.isFinite(counts.fromMs) ? { from: new Date(counts.fromMs).toISOString() } : {};
}

/** While the worker of an attempt lives nothing says when its call can no longer land; a minute later it may. */
const WORKER_MS = 60_000;

/** A found effect is looked at once more when no call of this operation can land any more (SM-5). */
function lastLook(to: string, hand: Hand, counts: AbsenceCounts): { lastLookInMs?: number } {
  if (to !== "done" || hand.claim.attempts === 0) return {};
  if (!("fromMs" in counts)) return counts.never === "worker" ? { lastLookInMs: WORKER_MS } : {};
  return { lastLookInMs: Math.max(0, counts.fromMs - hand.claim.claimedAt.getTime()) };
}
