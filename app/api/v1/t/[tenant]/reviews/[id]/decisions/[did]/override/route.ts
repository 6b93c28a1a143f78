import { route } from "@/app/_server/route";
import { decisionAnswer } from "@/app/api/v1/t/[tenant]/reviews/decision-answer";
import {
  DecisionAnswer,
  DecisionParams,
  OverrideBody,
} from "@/app/api/v1/t/[tenant]/reviews/decision-bodies";
import { askOverride } from "@/lib/flows/ask-override";

export const POST = route(
  {
    permission: "review.decide",
    summary: "Ask a second person to confirm a decision against the read",
    params: DecisionParams,
    body: OverrideBody,
    answer: DecisionAnswer,
  },
  async ({ ctx, actor, params, body }) => {
    const wish = { itemId: params.id, decisionId: params.did, reason: body.reason ?? null };
    return decisionAnswer(ctx, actor, params.id, await askOverride(ctx, actor, wish));
  },
);
