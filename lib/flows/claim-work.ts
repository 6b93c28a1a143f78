import { setTimeout as pause } from "node:timers/promises";
import { type Claim, claimDue, claimLooks, isAnythingDue } from "@/lib/store/claims";
import { brokenConstraint, whenDeadlockedAgain } from "@/lib/store/db";
import type { Hand } from "./hand";
import type { WorkerContext } from "./worker-context";

/** So often a claim that gave nothing is made again while something is due: another worker may have had the turn. */
const TURN_TRIES = 3;
/** Longest rest before that, in milliseconds; a claim takes a few. */
const TURN_REST_MS = 12;

/**
 * Claims up to `limit` due operations for this worker (CL-1). A tenant whose turn another worker has is left out, so a
 * claim that comes back empty asks again shortly: a tenant that is alone still gets all the hands there are (CL-5).
 * With `spare` only tenants that have nothing in flight are asked, for one operation each.
 */
export async function claimDueWork(
  context: WorkerContext,
  limit: number,
  spare = false,
): Promise<Hand[]> {
  const claim = () =>
    claimDue(context.owner, {
      workerId: context.worker.id,
      workerName: context.worker.name,
      limit,
      perTenant: spare ? 1 : Math.max(1, Math.ceil(limit / 2)),
      spare,
    });
  for (let tries = 1; ; tries += 1) {
    const hands = await take(context, "due", limit, claim);
    if (hands.length > 0 || !(await isAnythingDue(context.owner))) return hands;
    context.meter?.claimedNothing();
    if (tries === TURN_TRIES) return hands;
    await pause(TURN_REST_MS * context.chance());
  }
}

/** Claims up to `limit` unknown operations whose look is due (RC-1). */
export async function claimDueLooks(context: WorkerContext, limit: number): Promise<Hand[]> {
  return take(context, "looks", limit, () =>
    claimLooks(context.owner, {
      workerId: context.worker.id,
      workerName: context.worker.name,
      limit,
    }),
  );
}

async function take(
  context: WorkerContext,
  work: "due" | "looks",
  limit: number,
  claim: () => Promise<Claim[]>,
): Promise<Hand[]> {
  const askedAtMs = context.clock.elapsedMs();
  let claims: Claim[];
  try {
    claims = await whenDeadlockedAgain(claim);
  } catch (error) {
    if (brokenConstraint(error) !== "operations_one_in_flight") throw error;
    context.log.info({ event: "claim_conflict", worker: context.worker.name });
    context.meter?.conflict("claim");
    return [];
  }
  const answeredAtMs = context.clock.elapsedMs();
  const given = claims.map(({ kind, claimedAt, dueAt, approvedAt }) => ({
    kind,
    waitedMs: claimedAt.getTime() - Math.max(dueAt.getTime(), approvedAt.getTime()),
  }));
  context.meter?.claimed(work, answeredAtMs - askedAtMs, given);
  if (claims.length > limit) {
    context.log.error({
      event: "claim_surplus",
      worker: context.worker.name,
      count: claims.length,
    });
    throw new Error("a claim gave more operations than were asked for");
  }
  return claims.map((one) => ({ claim: one, askedAtMs, answeredAtMs }));
}
