import { route } from "@/app/_server/route";
import { HandOverBody, ItemParams, OwnerAnswer } from "@/app/api/v1/t/[tenant]/reviews/act-bodies";
import { handOverItem } from "@/lib/flows/hand-over-item";

export const POST = route(
  {
    permission: "review.act",
    summary: "Hand a review item over to a person or a team, with a note",
    params: ItemParams,
    body: HandOverBody,
    answer: OwnerAnswer,
  },
  ({ ctx, actor, params, body }) => handOverItem(ctx, actor, { itemId: params.id, ...body }),
);
