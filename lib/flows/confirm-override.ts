import { Refusal } from "@/lib/domain/refusal";
import { asTenant } from "@/lib/store/db";
import { answerAsSecond } from "@/lib/store/decisions";
import { recordAct } from "@/lib/store/review-acts";
import type { Actor, ConsoleContext } from "./context";
import type { Decided } from "./decide-item";
import { decisionReason } from "./decision-reason";
import { permitPerson } from "./permit";
import { decisionAtHand, keepDecisionText, refuseSamePerson } from "./second-person";

export interface SecondWish {
  readonly itemId: string;
  readonly decisionId: string;
  /** The second person's own reason. */
  readonly reason: string;
}

/**
 * Confirms another person's decision against the read, with a reason of one's own (RV-3). A worker carries it out; the
 * operation then ends as not proven. Throws Refusal `decided_first`, `reverses_own_decision`, `override_not_waiting`.
 */
export async function confirmOverride(
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
    if (decision.secondBy === person.accountId && decision.secondAnswer === "confirmed") {
      return { decisionId, outcome: decision.outcome };
    }
    await refuseSamePerson(tx, tenantId, person, decision);
    const reason = await keepDecisionText(tx, ctx, tenantId, matter, wish.reason);
    const second = {
      by: person.accountId,
      role: person.role,
      answer: "confirmed",
      reason,
    } as const;
    if (!(await answerAsSecond(tx, { tenantId, id: decisionId, ...second }))) {
      throw new Refusal("override_not_waiting");
    }
    await recordAct(tx, tenantId, {
      itemId: matter.itemId,
      actor: `account:${person.accountId}`,
      act: "override_confirmed",
      detail: { decision: decisionId, option: decision.option },
      note: reason,
    });
    return { decisionId, outcome: "confirming" };
  });
}
