import { route } from "@/app/_server/route";
import { decisionAnswer } from "@/app/api/v1/t/[tenant]/reviews/decision-answer";
import {
  DecisionAnswer,
  DecisionBody,
  ItemIdParams,
} from "@/app/api/v1/t/[tenant]/reviews/decision-bodies";
import { decideItem } from "@/lib/flows/decide-item";

export const POST = route(
  {
    permission: "review.decide",
    summary: "Decide about a review item; a fresh read has to agree",
    params: ItemIdParams,
    body: DecisionBody,
    answer: DecisionAnswer,
  },
  async ({ ctx, actor, params, body }) => {
    const { kept = null, voidsTyped = [], ...wish } = body;
    const decided = await decideItem(ctx, actor, { ...wish, kept, voidsTyped, itemId: params.id });
    return decisionAnswer(ctx, actor, params.id, decided);
  },
);
