import { z } from "zod";
import { route } from "@/app/_server/route";
import { RotaBody } from "@/app/api/v1/t/[tenant]/routing/bodies";
import { saveRota } from "@/lib/flows/save-rota";

export const PUT = route(
  {
    permission: "routing.save",
    summary: "Say who of each team is on call when",
    body: RotaBody,
    answer: z.object({ shifts: z.int() }),
  },
  ({ ctx, actor, body }) => saveRota(ctx, actor, body),
);
