import { route } from "@/app/_server/route";
import { operationsPage } from "@/lib/queries/operations-page";
import { OperationsQuerySchema } from "@/lib/queries/operations-query";

export const GET = route(
  {
    permission: "ledger.view",
    summary: "List operations with counts of all states",
    query: OperationsQuerySchema,
  },
  ({ ctx, actor, query }) => operationsPage(ctx.db, actor.tenantId, query),
);
