import { z } from "zod";
import { route } from "@/app/_server/route";
import { idIn } from "@/app/api/v1/t/[tenant]/bodies";
import { replayEvent } from "@/lib/flows/replay-events";

export const POST = route(
  {
    permission: "inbox.replay",
    summary: "Apply one recorded event again; what was applied changes nothing",
    params: z.object({ id: z.string().describe("Id of the event in the inbox") }),
    answer: z.object({ id: z.guid(), result: z.string() }),
  },
  ({ ctx, actor, params }) => replayEvent(ctx, actor, idIn(params.id)),
);
