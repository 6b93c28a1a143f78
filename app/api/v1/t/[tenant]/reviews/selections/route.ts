import { z } from "zod";
import { route } from "@/app/_server/route";
import { SelectionBody } from "@/app/api/v1/t/[tenant]/reviews/decision-bodies";
import { freezeSelection } from "@/lib/flows/freeze-selection";

export const POST = route(
  {
    permission: "review.decide",
    summary: "Freeze a counted list of items of one reason and kind",
    body: SelectionBody,
    answer: z.object({ id: z.guid(), count: z.int() }),
  },
  ({ ctx, actor, body }) => freezeSelection(ctx, actor, body.itemIds),
);
