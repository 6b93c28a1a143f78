import { APPLY_ATTEMPTS_MAX, applyPauseMs, UNMATCHED_MAX_MS } from "@/lib/domain/inbox";
import { asTenant } from "@/lib/store/db";
import { inboxDoor, openInputReview, postponeEvents } from "@/lib/store/inbox";
import { tallyOutcomes } from "@/lib/store/inbox-tallies";
import {
  buryEvent,
  endWaiting,
  settleContradictions,
  type TakenEvent,
  takeEventsToApply,
} from "@/lib/store/inbox-waiting";
import { applyEvents } from "./apply-event";
import { errorCode } from "./apply-safely";
import type { WorkerContext } from "./worker-context";

const BATCH = 50;

/** Nobody waits for an answer here. Milliseconds. */
const LOCK_WAIT_MS = 5_000;

/**
 * One round of what intake left behind: applies recorded events through the same conditional updates, a bounded number
 * of times each (IN-2, IN-8), ends the waiting of unmatched ones (IN-4) and tells of contradicting ends that a read has
 * answered (IN-5). Returns how much it did.
 */
export async function applyWaitingEvents(context: WorkerContext): Promise<number> {
  const unmatched = await endWaiting(context.owner, UNMATCHED_MAX_MS, BATCH);
  const taken = await takeEventsToApply(context.owner, BATCH);
  for (const event of taken) await applyOne(context, event);
  const contradictions = await settleContradictions(context.owner, BATCH);
  for (const { tenantId } of contradictions) {
    context.log.warn({ event: "contradicting_end", tenant: tenantId });
  }
  return unmatched + taken.length + contradictions.length;
}

async function applyOne(context: WorkerContext, event: TakenEvent): Promise<void> {
  const { tenantId, connectionId, platformRef, claimedStatus } = event;
  try {
    await asTenant(context.db, tenantId, async (tx) => {
      const door = await inboxDoor(tx, tenantId, connectionId, LOCK_WAIT_MS);
      if (!door || platformRef === null) throw new NotApplicable();
      const status = claimedStatus;
      const applied = await applyEvents(tx, door, [{ ...event, platformRef, status }]);
      const outcomes = applied.map(({ outcome }) => outcome);
      await tallyOutcomes(tx, tenantId, connectionId, outcomes);
    });
  } catch (error) {
    await keepFailure(context, event, errorCode(error));
  }
}

/** The event names nothing that it could be applied to. */
class NotApplicable extends Error {
  override readonly name = "NotApplicable";
}

async function keepFailure(
  { db, log }: WorkerContext,
  { tenantId, connectionId, id, attempts }: TakenEvent,
  reason: string,
): Promise<void> {
  const tries = attempts + 1;
  log.warn({ event: "event_not_applied", tenant: tenantId, reason, count: tries });
  await asTenant(db, tenantId, async (tx) => {
    if (tries < APPLY_ATTEMPTS_MAX) {
      return postponeEvents(tx, tenantId, [id], reason, applyPauseMs(tries));
    }
    if (!(await buryEvent(tx, tenantId, id, reason))) return;
    await openInputReview(tx, tenantId, {
      inboxId: id,
      reason: "event_apply_failed",
      owner: "team:on-call",
      evidence: { n: tries, code: reason },
    });
    await tallyOutcomes(tx, tenantId, connectionId, ["dead"]);
  });
}
