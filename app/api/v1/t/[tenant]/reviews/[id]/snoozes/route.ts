import { route } from "@/app/_server/route";
import { ItemParams, SnoozeBody, UntilAnswer } from "@/app/api/v1/t/[tenant]/reviews/act-bodies";
import { snoozeItem } from "@/lib/flows/snooze-item";

export const POST = route(
  {
    permission: "review.act",
    summary: "Hide a review item until a time, with a reason; never a critical one",
    params: ItemParams,
    body: SnoozeBody,
    answer: UntilAnswer,
  },
  ({ ctx, actor, params, body }) => snoozeItem(ctx, actor, { itemId: params.id, ...body }),
);
