import { route } from "@/app/_server/route";
import { deadlinesPage } from "@/lib/queries/deadlines-page";
import { DeadlinesQuerySchema } from "@/lib/queries/deadlines-query";

export const GET = route(
  {
    permission: "ledger.view",
    summary: "List open requests by their clocks, with the counts of the built-in views",
    query: DeadlinesQuerySchema,
  },
  ({ ctx, actor, query }) =>
    deadlinesPage(ctx.db, actor.tenantId, { accountId: actor.id, role: actor.role }, query),
);
