import { invariant } from "@/lib/domain/invariant";
import type { Actor, ConsoleContext } from "@/lib/flows/context";
import type { Decided } from "@/lib/flows/decide-item";
import { type DecisionView, decisionView } from "@/lib/queries/decision-view";

/**
 * The decision after an act on it. What was typed is left out: the answer is kept for repeats of the request (API-1), and
 * typed texts are kept in the vault only.
 */
export async function decisionAnswer(
  ctx: ConsoleContext,
  actor: Actor,
  itemId: string,
  { decisionId }: Decided,
): Promise<DecisionView> {
  const viewer = { accountId: actor.id, role: actor.role, vaultKey: ctx.vaultKey };
  const view = await decisionView(ctx.db, actor.tenantId, viewer, { itemId, decisionId });
  invariant(view, "a decision that was written is there");
  const second = view.second && { ...view.second, reason: null };
  return { ...view, reason: null, second };
}
