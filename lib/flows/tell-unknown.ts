import { teamOf } from "@/lib/domain/team";
import { emptyTeams } from "@/lib/store/alert-pass";
import { noteUnknown, type UnknownGroup } from "@/lib/store/unknown-alerts";
import { queueNotice } from "./queue-notice";
import type { WorkerContext } from "./worker-context";

const TOLD_AT_ONCE = 5_000;

/**
 * Tells those on call of operations that stay unknown past their age, while looks at them go on (RC-4): once each time
 * that one becomes unknown, and one message for all of a kind and connection. Whether looks are made does not matter,
 * so that it is told when they are not. Returns of how many operations it told.
 */
export async function tellUnknown({
  owner,
  bounds,
}: Pick<WorkerContext, "owner" | "bounds">): Promise<number> {
  return owner.$transaction(async (tx) => {
    const groups = await noteUnknown(tx, bounds.unknownToldAfterMs, TOLD_AT_ONCE);
    if (groups.length === 0) return 0;
    const empty = await emptyTeams(tx, [...new Set(groups.map(({ tenantId }) => tenantId))]);
    for (const group of groups) {
      const onCall = teamOf("on_call");
      const to = empty.has(`${group.tenantId} ${onCall}`) ? teamOf("admin") : onCall;
      await queueNotice(tx, group.tenantId, {
        matter: `unknown_past_age ${group.kind} ${group.connectionId}`,
        audience: { owner: to },
        kind: "unknown_past_age",
        escalation: false,
        subject: subjectOf(group),
      });
    }
    return groups.reduce((sum, { count }) => sum + count, 0);
  });
}

function subjectOf({ count, opId, losesAt }: UnknownGroup) {
  return {
    reason: "unknown_past_age",
    count,
    path: count === 1 ? `/operations/${opId}` : "/operations?state=needs_reconcile",
    losesAt: losesAt?.toISOString() ?? null,
  };
}
