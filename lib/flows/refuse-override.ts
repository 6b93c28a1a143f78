import { Refusal } from "@/lib/domain/refusal";
import { asTenant } from "@/lib/store/db";
import { answerAsSecond, markSecondPerson } from "@/lib/store/decisions";
import { recordAct } from "@/lib/store/review-acts";
import type { SecondWish } from "./confirm-override";
import type { Actor, ConsoleContext } from "./context";
import type { Decided } from "./decide-item";
import { decisionReason } from "./decision-reason";
import { permitPerson } from "./permit";
import { decisionAtHand, keepDecisionText, refuseSamePerson } from "./second-person";

/**
 * Refuses to confirm another person's decision, with a reason: nothing was decided and the item is open again (RV-3).
 * Throws Refusal like a confirmation.
 */
export async function refuseOverride(
  ctx: ConsoleContext,
  actor: Actor,
  wish: SecondWish,
): Promise<Decided> {
  const person = permitPerson(actor, "review.override");
  decisionReason(wish.reason);
  const { tenantId } = actor;
  return asTenant(ctx.db, tenantId, async (tx) => {
    const { decision, matter } = await decisionAtHand(tx, tenantId, person, wish);
    const { id: decisionId } = decision;
    if (decision.secondBy === person.accountId && decision.secondAnswer === "refused") {
      return { decisionId, outcome: decision.outcome };
    }
    await refuseSamePerson(tx, tenantId, person, decision);
    const reason = await keepDecisionText(tx, ctx, tenantId, matter, wish.reason);
    const second = { by: person.accountId, role: person.role, answer: "refused", reason } as const;
    if (!(await answerAsSecond(tx, { tenantId, id: decisionId, ...second }))) {
      throw new Refusal("override_not_waiting");
    }
    await markSecondPerson(tx, tenantId, matter.itemId, false);
    await recordAct(tx, tenantId, {
      itemId: matter.itemId,
      actor: `account:${person.accountId}`,
      act: "override_refused",
      detail: { decision: decisionId, option: decision.option },
      note: reason,
    });
    return { decisionId, outcome: "override_refused" };
  });
}
