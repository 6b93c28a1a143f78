import { route } from "@/app/_server/route";
import { DecisionAnswer, DecisionParams } from "@/app/api/v1/t/[tenant]/reviews/decision-bodies";
import { Refusal } from "@/lib/domain/refusal";
import { decisionView } from "@/lib/queries/decision-view";

export const GET = route(
  {
    permission: "ledger.view",
    summary: "Show what came of a decision",
    params: DecisionParams,
    answer: DecisionAnswer,
    remembers: false,
  },
  async ({ ctx, actor, params }) => {
    const viewer = { accountId: actor.id, role: actor.role, vaultKey: ctx.vaultKey };
    const ids = { itemId: params.id, decisionId: params.did };
    const view = await decisionView(ctx.db, actor.tenantId, viewer, ids);
    if (view === null) throw new Refusal("not_found");
    return view;
  },
);
