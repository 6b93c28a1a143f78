import { route } from "@/app/_server/route";
import {
  AcknowledgementBody,
  ItemParams,
  UntilAnswer,
} from "@/app/api/v1/t/[tenant]/reviews/act-bodies";
import { acknowledgeItem } from "@/lib/flows/acknowledge-item";

export const POST = route(
  {
    permission: "review.act",
    summary: "Hold the escalation of a review item back, at most until its loss",
    params: ItemParams,
    body: AcknowledgementBody,
    answer: UntilAnswer,
  },
  ({ ctx, actor, params, body }) => acknowledgeItem(ctx, actor, { itemId: params.id, ...body }),
);
