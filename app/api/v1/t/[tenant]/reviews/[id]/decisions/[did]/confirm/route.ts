import { route } from "@/app/_server/route";
import { decisionAnswer } from "@/app/api/v1/t/[tenant]/reviews/decision-answer";
import {
  DecisionAnswer,
  DecisionParams,
  SecondBody,
} from "@/app/api/v1/t/[tenant]/reviews/decision-bodies";
import { confirmOverride } from "@/lib/flows/confirm-override";

export const POST = route(
  {
    permission: "review.override",
    summary: "Confirm another person's decision against the read",
    params: DecisionParams,
    body: SecondBody,
    answer: DecisionAnswer,
  },
  async ({ ctx, actor, params, body }) => {
    const wish = { itemId: params.id, decisionId: params.did, reason: body.reason };
    return decisionAnswer(ctx, actor, params.id, await confirmOverride(ctx, actor, wish));
  },
);
