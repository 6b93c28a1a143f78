import type { Role } from "@/lib/domain/role";
import { recordControl } from "@/lib/store/control-events";
import { asTenant } from "@/lib/store/db";
import { endMembership } from "@/lib/store/memberships";
import { retireShiftsOf } from "@/lib/store/rota";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { memberAtHand, refuseLastAdmin } from "./member-at-hand";
import { permitPerson } from "./permit";
import { reviewLostApprovals } from "./review-lost-approvals";

/**
 * Takes somebody out of the tenant (PV-1, C-36): refused from the next request on, shifts of the rota end, items find
 * their team with the next alert pass, and what the member approved and nobody started goes to review. Other tenants
 * of the account are not touched. Throws Refusal `last_admin`, `member_changed`, `not_found`, `not_permitted`.
 */
export async function removeMember(
  ctx: ConsoleContext,
  actor: Actor,
  member: { readonly accountId: string; readonly shownRole: Role },
): Promise<{ readonly toReview: number }> {
  permitPerson(actor, "members.manage");
  const { tenantId } = actor;
  const { accountId, shownRole: role } = member;
  await asTenant(ctx.db, tenantId, async (tx) => {
    await memberAtHand(tx, tenantId, accountId, role);
    await refuseLastAdmin(tx, tenantId, { accountId, role });
    await endMembership(tx, tenantId, accountId);
    const shifts = await retireShiftsOf(tx, tenantId, accountId, null);
    await recordControl(tx, tenantId, {
      kind: "member_removed",
      about: `member:${accountId}`,
      actor: actorName(actor),
      body: { role, shifts },
    });
  });
  return { toReview: await reviewLostApprovals(ctx, actor, accountId, "member_removed") };
}
