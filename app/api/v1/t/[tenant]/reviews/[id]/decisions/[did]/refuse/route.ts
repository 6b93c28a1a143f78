import { route } from "@/app/_server/route";
import { decisionAnswer } from "@/app/api/v1/t/[tenant]/reviews/decision-answer";
import {
  DecisionAnswer,
  DecisionParams,
  SecondBody,
} from "@/app/api/v1/t/[tenant]/reviews/decision-bodies";
import { refuseOverride } from "@/lib/flows/refuse-override";

export const POST = route(
  {
    permission: "review.override",
    summary: "Refuse to confirm another person's decision",
    params: DecisionParams,
    body: SecondBody,
    answer: DecisionAnswer,
  },
  async ({ ctx, actor, params, body }) => {
    const wish = { itemId: params.id, decisionId: params.did, reason: body.reason };
    return decisionAnswer(ctx, actor, params.id, await refuseOverride(ctx, actor, wish));
  },
);
