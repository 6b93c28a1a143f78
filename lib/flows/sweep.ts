import { type Bounds, lookPauseMs } from "@/lib/domain/bounds";
import { type EndedLease, endedLeases, endLease, type LeaseEnd } from "@/lib/store/ended-leases";
import { endFinishedRamps } from "@/lib/store/pauses";
import { endSucceeded } from "@/lib/store/successions";
import { collapseReminders } from "@/lib/store/timers";
import { expireProposals } from "./expire-proposals";
import { restoreLostTimers } from "./restore-timers";
import { settleReplacements } from "./settle-replacements";
import type { WorkerContext } from "./worker-context";

const BATCH = 100;

/**
 * Ends what nobody will end by themselves: leases that ran out (CL-2), replaced operations (ID-7), missed reminders
 * (RM-4) and proposals that nobody approved in time (AP-2); and plans again what was replaced for nothing (TM-3).
 * Returns how much it did; 0 means that there was nothing.
 */
export async function sweep(context: WorkerContext): Promise<number> {
  const ended = await endedLeases(context.owner, BATCH);
  let done = 0;
  for (const lease of ended) {
    if (await endOneLease(context, lease)) done += 1;
  }
  done += await endSucceeded(context.owner, BATCH);
  done += await collapseReminders(context.owner, BATCH);
  done += await settleReplacements(context.owner, {});
  done += await restoreLostTimers(context.owner);
  done += await expireProposals(context.owner);
  done += await endFinishedRamps(context.owner);
  return done;
}

async function endOneLease(context: WorkerContext, lease: EndedLease): Promise<boolean> {
  const { tenantId: tenant, opId: op, kind, state, fence } = lease;
  const end = whatBecomes(lease, context.bounds, context.chance());
  if (!(await endLease(context.owner, lease, end))) {
    context.meter?.conflict("outcome");
    return false;
  }
  context.log.info({ event: "lease_ended", tenant, op, state, fence });
  const { to, reason } = end;
  context.meter?.passEnded({ kind, from: state, to, reason, attempts: 0, unknownForMs: null });
  return true;
}

/** CL-2 and RC-4: before the call back to `scheduled`, after it unknown; both bounded, then a person. */
export function whatBecomes(lease: EndedLease, bounds: Bounds, chance: number): LeaseEnd {
  const toPerson = { to: "needs_review", owner: "team:on-call", lookInMs: 0 } as const;
  switch (lease.state) {
    case "claimed":
      return lease.lapses + 1 > bounds.lapsesMax
        ? { ...toPerson, reason: "lapsed_too_often" }
        : { to: "scheduled", reason: "lease_ended_before_call", owner: null, lookInMs: 0 };
    case "submitting":
      return { to: "needs_reconcile", reason: "worker_lost", owner: null, lookInMs: 0 };
    case "reconciling":
      return lease.looks + 1 >= bounds.looksMax || lease.unknownForMs >= bounds.unknownAgeMaxMs
        ? { ...toPerson, reason: "reconcile_bound_reached" }
        : {
            to: "needs_reconcile",
            reason: "look_inconclusive",
            owner: null,
            lookInMs: lookPauseMs(bounds, lease.looks, chance),
          };
  }
}
