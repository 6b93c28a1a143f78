import { z } from "zod";
import { route } from "@/app/_server/route";
import { inboxMatches } from "@/lib/queries/inbox-matches";
import { InboxQuerySchema } from "@/lib/queries/inbox-query";

export const GET = route(
  {
    permission: "ledger.view",
    summary: "The ids of the newest events that match now, as a selection to be replayed",
    query: InboxQuerySchema,
    answer: z.object({ ids: z.array(z.guid()), count: z.int(), more: z.boolean() }),
  },
  ({ ctx, actor, query }) => inboxMatches(ctx.db, actor.tenantId, query),
);
