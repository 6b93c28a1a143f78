import { Refusal } from "@/lib/domain/refusal";
import { recordControl } from "@/lib/store/control-events";
import { asTenant } from "@/lib/store/db";
import { lockMembership } from "@/lib/store/memberships";
import { revokeSessionsOf } from "@/lib/store/sessions";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { permitPerson } from "./permit";

/**
 * Ends sessions of a member, the one that is named or all: their cookies are worth nothing from the next request on
 * (C-36), in every tenant, and the person signs in again. Throws Refusal `not_found` for no member or a session that
 * is not open, `not_permitted`.
 */
export async function endMemberSessions(
  ctx: ConsoleContext,
  actor: Actor,
  { accountId, sessionId }: { readonly accountId: string; readonly sessionId: string | null },
): Promise<{ readonly ended: number }> {
  permitPerson(actor, "members.manage");
  const { tenantId } = actor;
  return asTenant(ctx.db, tenantId, async (tx) => {
    const member = await lockMembership(tx, tenantId, accountId);
    if (member === null || member.removedAt !== null) throw new Refusal("not_found");
    const ended = await revokeSessionsOf(tx, accountId, sessionId);
    if (ended === 0 && sessionId !== null) throw new Refusal("not_found");
    if (ended === 0) return { ended };
    await recordControl(tx, tenantId, {
      kind: "member_sessions_ended",
      about: `member:${accountId}`,
      actor: actorName(actor),
      body: { count: ended },
    });
    return { ended };
  });
}
