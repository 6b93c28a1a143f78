import { z } from "zod";
import { route } from "@/app/_server/route";
import { Refusal } from "@/lib/domain/refusal";
import { checkPage } from "@/lib/queries/history-checks-page";

export const GET = route(
  {
    permission: "history.verify",
    summary: "How far a check of the history is and what it found",
    params: z.object({ id: z.guid().describe("Id of the check") }),
  },
  async ({ ctx, actor, params }) => {
    const page = await checkPage(ctx.db, actor.tenantId, params.id);
    if (page === null) throw new Refusal("not_found");
    return page;
  },
);
