import { type Claim, claimDue, claimLooks } from "@/lib/store/claims";
import { brokenConstraint, whenDeadlockedAgain } from "@/lib/store/db";
import type { Hand } from "./hand";
import type { WorkerContext } from "./worker-context";

/**
 * Claims up to `limit` due operations for this worker (CL-1). Two claimers that meet on one request are told apart
 * by the database: the one that comes second gets nothing this time, and asks again on its next pass (CL-4).
 */
export async function claimDueWork(context: WorkerContext, limit: number): Promise<Hand[]> {
  return take(context, limit, () =>
    claimDue(context.owner, {
      workerId: context.worker.id,
      workerName: context.worker.name,
      limit,
      perTenant: Math.max(1, Math.ceil(limit / 2)),
    }),
  );
}

/** Claims up to `limit` unknown operations whose look is due (RC-1). */
export async function claimDueLooks(context: WorkerContext, limit: number): Promise<Hand[]> {
  return take(context, limit, () =>
    claimLooks(context.owner, {
      workerId: context.worker.id,
      workerName: context.worker.name,
      limit,
    }),
  );
}

async function take(
  context: WorkerContext,
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
    return [];
  }
  const answeredAtMs = context.clock.elapsedMs();
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
