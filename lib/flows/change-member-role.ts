import type { Role } from "@/lib/domain/role";
import { teamOf } from "@/lib/domain/team";
import { recordControl } from "@/lib/store/control-events";
import { asTenant } from "@/lib/store/db";
import { updateRole } from "@/lib/store/memberships";
import { retireShiftsOf } from "@/lib/store/rota";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { memberAtHand, refuseLastAdmin } from "./member-at-hand";
import { permitPerson } from "./permit";
import { reviewLostApprovals } from "./review-lost-approvals";

/**
 * Gives a member another role, from the next request on (PV-1, C-36). Shifts of teams that the member leaves end, and
 * what the member approved and the new role may not approve goes to review. The same role again changes nothing.
 * Throws Refusal `last_admin`, `member_changed`, `not_found`, `not_permitted`.
 */
export async function changeMemberRole(
  ctx: ConsoleContext,
  actor: Actor,
  change: { readonly accountId: string; readonly shownRole: Role; readonly role: Role },
): Promise<{ readonly toReview: number }> {
  permitPerson(actor, "members.manage");
  const { tenantId } = actor;
  const { accountId, shownRole: from, role: to } = change;
  const changed = await asTenant(ctx.db, tenantId, async (tx) => {
    await memberAtHand(tx, tenantId, accountId, from);
    if (from === to) return false;
    await refuseLastAdmin(tx, tenantId, { accountId, role: from });
    await updateRole(tx, tenantId, accountId, to);
    const shifts = await retireShiftsOf(tx, tenantId, accountId, teamOf(to));
    await recordControl(tx, tenantId, {
      kind: "member_role_changed",
      about: `member:${accountId}`,
      actor: actorName(actor),
      body: { from, to, shifts },
    });
    return true;
  });
  if (!changed) return { toReview: 0 };
  return { toReview: await reviewLostApprovals(ctx, actor, accountId, "member_role_changed") };
}
