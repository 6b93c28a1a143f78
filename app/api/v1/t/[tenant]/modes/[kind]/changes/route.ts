import { z } from "zod";
import { route } from "@/app/_server/route";
import { ModeBody, ModeParams } from "@/app/api/v1/t/[tenant]/control-bodies";
import { changeMode } from "@/lib/flows/change-mode";

export const POST = route(
  {
    permission: "control.mode",
    summary: "Switch a kind off or to shadow, or ask for live",
    params: ModeParams,
    body: ModeBody,
    answer: z.object({ kind: z.string(), mode: z.string(), askId: z.guid().nullable() }),
  },
  ({ ctx, actor, params, body }) => changeMode(ctx, actor, { ...body, kind: params.kind }),
);
