import { BusinessDeadlineSchema } from "@/lib/domain/business-deadline";
import { deadlineMoves } from "@/lib/domain/deadline";
import { ownerFor } from "@/lib/domain/owner";
import { isZone, ZONE_DATA_VERSION } from "@/lib/domain/zone";
import { asTenant } from "@/lib/store/db";
import { openRequestReview } from "@/lib/store/review-items";
import { noteZoneCheck, type UncheckedDeadline, uncheckedDeadlines } from "@/lib/store/zone-checks";
import type { WorkerContext } from "./worker-context";

const BATCH = 100;

/**
 * One round over open deadlines that were not looked at under the present zone rules yet (TM-6, C-23): where the
 * approved words would now mean another instant, the request's owner gets a review item, once per release of the
 * rules. The deadline itself is never computed again. Returns how many were looked at.
 */
export async function sweepZones(context: WorkerContext): Promise<number> {
  const unchecked = await uncheckedDeadlines(context.owner, ZONE_DATA_VERSION, BATCH);
  for (const deadline of unchecked) await look(context, deadline);
  return unchecked.length;
}

async function look(context: WorkerContext, found: UncheckedDeadline): Promise<void> {
  const { tenantId, ref, ownerAccountId, connectionOwner } = found;
  const { data: deadline } = BusinessDeadlineSchema.safeParse(JSON.parse(found.deadline));
  if (deadline === undefined) {
    // Words of an older form cannot be compared; they are noted, so that the next ones get their turn.
    context.log.error({ event: "deadline_not_understood", tenant: tenantId });
    await asTenant(context.db, tenantId, (tx) => noteZoneCheck(tx, found, ZONE_DATA_VERSION));
    return;
  }
  const { zone, choice, instant, zoneData } = deadline;
  // A zone that newer rules no longer have moves nothing: the instant stands.
  const moved = isZone(zone) ? deadlineMoves(deadline, zone, choice, instant) : null;
  const owner = ownerFor("request", {
    proposer: null,
    approver: null,
    requestOwner: ownerAccountId && `account:${ownerAccountId}`,
    connectionOwner,
  });
  const opened = await asTenant(context.db, tenantId, async (tx) => {
    if (!(await noteZoneCheck(tx, found, ZONE_DATA_VERSION)) || moved === null) return false;
    return openRequestReview(tx, tenantId, {
      requestRef: ref,
      reason: "zone_rules_changed",
      owner,
      evidence: { zone, a: instant, b: moved, rules_then: zoneData, rules_now: ZONE_DATA_VERSION },
    });
  });
  if (opened) {
    context.log.warn({ event: "zone_rules_changed", tenant: tenantId, zone });
  }
}
