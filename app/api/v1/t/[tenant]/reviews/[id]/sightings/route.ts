import { z } from "zod";
import { route } from "@/app/_server/route";
import { ItemParams } from "@/app/api/v1/t/[tenant]/reviews/act-bodies";
import { seeItem } from "@/lib/flows/see-item";

export const POST = route(
  {
    permission: "review.act",
    summary: "Say that a review item settled by a read was seen by its owner",
    params: ItemParams,
    body: z.strictObject({}),
    answer: z.object({ itemId: z.guid() }),
  },
  ({ ctx, actor, params }) => seeItem(ctx, actor, { itemId: params.id }),
);
