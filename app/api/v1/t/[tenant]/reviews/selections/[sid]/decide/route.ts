import { z } from "zod";
import { route } from "@/app/_server/route";
import { BulkBody, SelectionParams } from "@/app/api/v1/t/[tenant]/reviews/decision-bodies";
import { bulkDecide } from "@/lib/flows/bulk-decide";

export const POST = route(
  {
    permission: "review.decide",
    summary: "Decide all items of a selection; each is proven by its own fresh read",
    params: SelectionParams,
    body: BulkBody,
    answer: z.object({ selectionId: z.guid(), started: z.int(), left: z.int() }),
  },
  ({ ctx, actor, params, body }) => bulkDecide(ctx, actor, { ...body, selectionId: params.sid }),
);
