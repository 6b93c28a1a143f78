import { z } from "zod";
import { route } from "@/app/_server/route";
import { PauseBody, scopeIn } from "@/app/api/v1/t/[tenant]/control-bodies";
import { pause } from "@/lib/flows/pause";

export const POST = route(
  {
    permission: "control.pause",
    summary: "Stop new starts of the tenant, a connection or a kind",
    body: PauseBody,
    answer: z.object({ pauseId: z.guid(), pausedAt: z.iso.datetime(), already: z.boolean() }),
  },
  ({ ctx, actor, body }) =>
    pause(ctx, actor, {
      scope: scopeIn(body),
      reason: body.reason,
      reviewAfter: body.reviewAfter ?? null,
    }),
);
