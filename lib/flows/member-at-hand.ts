import { Refusal } from "@/lib/domain/refusal";
import type { Role } from "@/lib/domain/role";
import type { Tx } from "@/lib/store/db";
import { lockMembership } from "@/lib/store/memberships";
import { activeMembers, lockRouting } from "@/lib/store/routing";

/**
 * A member who is about to change, with membership, rota and routing locked against other admins. Throws Refusal
 * `not_found` for somebody who is no member, `member_changed` when the role is not the one on screen.
 */
export async function memberAtHand(
  tx: Tx,
  tenantId: string,
  accountId: string,
  shownRole: Role,
): Promise<void> {
  await lockRouting(tx, tenantId);
  const member = await lockMembership(tx, tenantId, accountId);
  if (member === null || member.removedAt !== null) throw new Refusal("not_found");
  if (member.role !== shownRole) throw new Refusal("member_changed");
}

/** Throws Refusal `last_admin` unless somebody else who can sign in is an admin: a tenant is never left without one. */
export async function refuseLastAdmin(
  tx: Tx,
  tenantId: string,
  leaving: { readonly accountId: string; readonly role: Role },
): Promise<void> {
  if (leaving.role !== "admin") return;
  const members = await activeMembers(tx, tenantId);
  const others = members.filter(
    ({ accountId, role }) => role === "admin" && accountId !== leaving.accountId,
  );
  if (others.length === 0) throw new Refusal("last_admin");
}
