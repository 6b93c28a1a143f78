import { z } from "zod";
import { route } from "@/app/_server/route";
import { SelectionParams } from "@/app/api/v1/t/[tenant]/reviews/decision-bodies";
import { stopBulk } from "@/lib/flows/bulk-decide";

export const POST = route(
  {
    permission: "review.decide",
    summary: "Stop a bulk decision; what no worker has taken is not attempted",
    params: SelectionParams,
    answer: z.object({ stopped: z.int() }),
  },
  ({ ctx, actor, params }) => stopBulk(ctx, actor, params.sid),
);
