import { Refusal } from "@/lib/domain/refusal";
import { asTenant } from "@/lib/store/db";
import { askSecondPerson, type DecisionRow, markSecondPerson } from "@/lib/store/decisions";
import { recordAct } from "@/lib/store/review-acts";
import type { Actor, ConsoleContext } from "./context";
import type { Decided } from "./decide-item";
import { decisionReason } from "./decision-reason";
import { permitPerson } from "./permit";
import { decisionAtHand, keepDecisionText, tellSecondPerson } from "./second-person";

export interface OverrideWish {
  readonly itemId: string;
  readonly decisionId: string;
  /** What the first person adds for the second; null for nothing. */
  readonly reason?: string | null;
}

/**
 * Asks a second person to confirm a decision against the read (RV-3); only who made the decision asks. Throws Refusal
 * `override_not_offered` where only a proof counts, `override_not_waiting` when it was decided otherwise meanwhile.
 */
export async function askOverride(
  ctx: ConsoleContext,
  actor: Actor,
  wish: OverrideWish,
): Promise<Decided> {
  const person = permitPerson(actor, "review.decide");
  if (wish.reason) decisionReason(wish.reason);
  const { tenantId } = actor;
  return asTenant(ctx.db, tenantId, async (tx) => {
    const { decision, matter } = await decisionAtHand(tx, tenantId, person, wish);
    if (decision.decidedBy !== person.accountId) throw new Refusal("not_permitted");
    const { id: decisionId, outcome } = decision;
    if (outcome === "second_person") return { decisionId, outcome };
    if (!isOffered(decision)) throw new Refusal("override_not_offered");
    if (matter.settledAt !== null) throw new Refusal("item_settled");
    if (!(await askSecondPerson(tx, tenantId, decisionId))) {
      throw new Refusal("override_not_waiting");
    }
    await markSecondPerson(tx, tenantId, matter.itemId, true);
    await tellSecondPerson(tx, tenantId, matter);
    const note = wish.reason
      ? await keepDecisionText(tx, ctx, tenantId, matter, wish.reason)
      : null;
    await recordAct(tx, tenantId, {
      itemId: matter.itemId,
      actor: `account:${person.accountId}`,
      act: "override_asked",
      detail: { decision: decisionId, option: decision.option },
      note,
    });
    return { decisionId, outcome: "second_person" };
  });
}

/** A send is done only with a reference that a read shows, whoever confirms it (PL-6). */
function isOffered({ overridable, option, kept, shows }: DecisionRow): boolean {
  if (!overridable) return false;
  return option !== "applied" || kept === null || shows === "effect_differs";
}
