import { z } from "zod";
import { route } from "@/app/_server/route";
import { ReplayBody } from "@/app/api/v1/t/[tenant]/outbox/bodies";
import { replay } from "@/lib/flows/replay-deliveries";

export const POST = route(
  {
    permission: "outbox.act",
    summary: "Send deliveries again under the same message ids",
    body: ReplayBody,
    answer: z.object({
      replayed: z.int(),
      left: z.int().describe("Held, under way, or not to be found"),
    }),
  },
  ({ ctx, actor, body }) => replay(ctx, actor, body.ids),
);
