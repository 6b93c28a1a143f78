import { z } from "zod";
import { route } from "@/app/_server/route";
import { PauseParams, ResumeAskBody } from "@/app/api/v1/t/[tenant]/control-bodies";
import { askResume } from "@/lib/flows/ask-resume";

export const POST = route(
  {
    permission: "control.resume",
    summary: "Ask another person to open a switch",
    params: PauseParams,
    body: ResumeAskBody,
    answer: z.object({ pauseId: z.guid(), byYou: z.boolean(), perMinute: z.int() }),
  },
  ({ ctx, actor, params, body: { perMinute, ...seen } }) =>
    askResume(ctx, actor, { pauseId: params.id, seen, perMinute: perMinute ?? null }),
);
