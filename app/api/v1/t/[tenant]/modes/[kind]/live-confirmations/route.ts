import { z } from "zod";
import { route } from "@/app/_server/route";
import { LiveBody, ModeParams } from "@/app/api/v1/t/[tenant]/control-bodies";
import { confirmLive } from "@/lib/flows/change-mode";

export const POST = route(
  {
    permission: "control.mode",
    summary: "Let a kind reach the platform after another person asked for it",
    params: ModeParams,
    body: LiveBody,
    answer: z.object({ kind: z.string(), mode: z.string(), released: z.int() }),
  },
  ({ ctx, actor, params, body }) => confirmLive(ctx, actor, { ...body, kind: params.kind }),
);
