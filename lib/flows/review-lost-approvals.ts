import { approvalStillHolds, sendToReview } from "@/lib/store/approvals";
import { approvedWaiting } from "@/lib/store/approved-waiting";
import { asTenant } from "@/lib/store/db";
import { type Actor, actorName, type ConsoleContext } from "./context";

/** Who decides about an operation that lost its approval: its approver took part in it, so a team does (RV-1). */
const OWNER = "team:account-managers";

/** So many operations in one transaction, so that none is long. */
const BATCH = 100;

/**
 * Hands to people what waits to start and is no longer carried by enough approvals, because this account lost its
 * membership or role (AP-3, C-36). What a worker has claimed meanwhile, or what a crash leaves over, is caught by the
 * same check before the call. Returns how many went to review.
 */
export async function reviewLostApprovals(
  ctx: ConsoleContext,
  actor: Actor,
  accountId: string,
  because: "member_removed" | "member_role_changed",
): Promise<number> {
  const { tenantId } = actor;
  let [after, lost]: [string | null, number] = [null, 0];
  for (;;) {
    const page = { after, limit: BATCH };
    const { last, gone } = await asTenant(ctx.db, tenantId, async (tx) => {
      const ids = await approvedWaiting(tx, tenantId, accountId, page);
      let sent = 0;
      for (const opId of ids) {
        if (await approvalStillHolds(tx, tenantId, opId)) continue;
        const note = { actor: actorName(actor), evidence: JSON.stringify({ because }) };
        if (await sendToReview(tx, { tenantId, opId, owner: OWNER, ...note })) sent += 1;
      }
      return { last: ids.length < BATCH ? null : (ids.at(-1) ?? null), gone: sent };
    });
    lost += gone;
    if (last === null) return lost;
    after = last;
  }
}
