import { isTerminal, type Observation } from "@/lib/domain/observation";
import { showsExpiry } from "@/lib/domain/reached";
import type { ReasonCode } from "@/lib/domain/reason";
import { asTenant, type Tx } from "@/lib/store/db";
import {
  lastLookMade,
  newerExtensionDone,
  openReviewItem,
  takeLastLooks,
} from "@/lib/store/last-looks";
import type { Hand } from "./hand";
import { ownerOfReason, type Pass } from "./pass";
import { gatherPass } from "./prepare-pass";
import { keepReading, readPlatform } from "./read-platform";
import type { WorkerContext } from "./worker-context";

const BATCH = 20;

/**
 * Looks once more at confirmed operations that took several attempts, when no call of theirs can land any more
 * (SM-5). A second request, or the value of an older operation, opens a review item; the operation stays done.
 * Returns how many it looked at.
 */
export async function lastLooks(context: WorkerContext): Promise<number> {
  const askedAtMs = context.clock.elapsedMs();
  const claims = await takeLastLooks(context.owner, BATCH);
  const answeredAtMs = context.clock.elapsedMs();
  await Promise.all(claims.map((claim) => look(context, { claim, askedAtMs, answeredAtMs })));
  return claims.length;
}

async function look(context: WorkerContext, hand: Hand): Promise<void> {
  const { claim } = hand;
  const pass = await asTenant(context.db, claim.tenantId, (tx) => gatherPass(tx, context, hand));
  const reading = await readPlatform(context, pass, ownRef(pass));
  if (reading.observation.kind !== "read") return;
  await asTenant(context.db, claim.tenantId, async (tx) => {
    const receipt = await keepReading(tx, pass, "last_look", reading);
    const finding = await findingOf(tx, pass, reading.observation);
    if (finding) {
      await openReviewItem(tx, claim.tenantId, {
        opId: claim.opId,
        requestRef: claim.requestRef,
        reason: finding,
        owner: ownerOfReason(finding, pass.owners),
        evidence: { receipt },
      });
    }
    await lastLookMade(tx, claim.tenantId, claim.opId);
  });
}

function ownRef(pass: Pass): string | null {
  return pass.payload.kind === "send" ? pass.hand.claim.platformRef : pass.platformRef;
}

async function findingOf(tx: Tx, pass: Pass, observation: Observation): Promise<ReasonCode | null> {
  if (observation.kind !== "read") return null;
  const [request, second] = observation.matches;
  if (second) return "possible_duplicate";
  if (!request || pass.target.kind !== "expiry" || isTerminal(request.status)) return null;
  if (showsExpiry(request, pass.target.expiresAt, pass.connection.descriptor)) return null;
  const { claim } = pass.hand;
  const newer = await newerExtensionDone(tx, claim.tenantId, claim.requestRef, claim.opId);
  return newer ? null : "drift_expiry";
}
