import { route } from "@/app/_server/route";
import {
  AssignmentBody,
  ItemParams,
  OwnerAnswer,
} from "@/app/api/v1/t/[tenant]/reviews/act-bodies";
import { assignItem } from "@/lib/flows/assign-item";

export const POST = route(
  {
    permission: "review.act",
    summary: "Take a review item that nobody works on, or give it to another member",
    params: ItemParams,
    body: AssignmentBody,
    answer: OwnerAnswer,
  },
  ({ ctx, actor, params, body }) => assignItem(ctx, actor, { itemId: params.id, to: body.to }),
);
