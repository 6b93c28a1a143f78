import { z } from "zod";
import { route } from "@/app/_server/route";
import { PauseParams, ResumptionBody } from "@/app/api/v1/t/[tenant]/control-bodies";
import { resume } from "@/lib/flows/resume";

export const POST = route(
  {
    permission: "control.resume",
    summary: "Open a switch after another person asked for it",
    params: PauseParams,
    body: ResumptionBody,
    answer: z.object({ pauseId: z.guid(), starting: z.int(), perMinute: z.int() }),
  },
  ({ ctx, actor, params, body }) => resume(ctx, actor, { pauseId: params.id, seen: body }),
);
