import { z } from "zod";
import { streamRoute } from "@/app/_server/route";
import { takePackFile } from "@/lib/flows/take-pack";

export const GET = streamRoute(
  {
    permission: "history.export",
    summary: "The file of a ready evidence pack; taking it is history",
    params: z.object({ id: z.guid().describe("Id of the pack") }),
  },
  async ({ ctx, actor, params }) => {
    const file = await takePackFile(ctx, actor, params.id);
    return { ...file, type: "application/zip" };
  },
);
