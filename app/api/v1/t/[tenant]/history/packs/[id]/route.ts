import { z } from "zod";
import { route } from "@/app/_server/route";
import { Refusal } from "@/lib/domain/refusal";
import { packPage } from "@/lib/queries/packs-page";

export const GET = route(
  {
    permission: "history.export",
    summary: "How far an evidence pack is, its size and hash",
    params: z.object({ id: z.guid().describe("Id of the pack") }),
  },
  async ({ ctx, actor, params }) => {
    const pack = await packPage(ctx.db, actor.tenantId, params.id);
    if (pack === null) throw new Refusal("not_found");
    return pack;
  },
);
