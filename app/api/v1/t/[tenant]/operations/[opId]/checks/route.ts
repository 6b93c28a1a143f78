import { z } from "zod";
import { route } from "@/app/_server/route";
import { idIn, OpIdParams } from "@/app/api/v1/t/[tenant]/bodies";
import { checkNow } from "@/lib/flows/check-now";

export const POST = route(
  {
    permission: "operation.check",
    summary: "Let the next look at an unknown operation come now",
    params: OpIdParams,
    answer: z.object({
      opId: z.guid(),
      asked: z.boolean().describe("False when a look is due or under way anyway"),
    }),
  },
  ({ ctx, actor, params }) => checkNow(ctx, actor, idIn(params.opId)),
);
