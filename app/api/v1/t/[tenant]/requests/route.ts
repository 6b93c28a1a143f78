import { route } from "@/app/_server/route";
import { RequestsQuerySchema } from "@/lib/queries/page-query";
import { requestsPage } from "@/lib/queries/requests-page";

export const GET = route(
  { permission: "ledger.view", summary: "List signing requests", query: RequestsQuerySchema },
  ({ ctx, actor, query }) =>
    requestsPage(ctx.db, actor.tenantId, actor.id, query.filter, query.order),
);
