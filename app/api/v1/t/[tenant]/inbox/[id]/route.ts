import { z } from "zod";
import { route } from "@/app/_server/route";
import { idIn } from "@/app/api/v1/t/[tenant]/bodies";
import { Refusal } from "@/lib/domain/refusal";
import { inboxEventPage } from "@/lib/queries/inbox-event-page";

export const GET = route(
  {
    permission: "ledger.view",
    summary: "Show one event with what it says, what a read said and what the ledger holds",
    params: z.object({ id: z.string().describe("Id of the event in the inbox") }),
  },
  async ({ ctx, actor, params }) => {
    const page = await inboxEventPage(ctx.db, actor.tenantId, actor.id, idIn(params.id));
    if (!page) throw new Refusal("not_found");
    return page;
  },
);
