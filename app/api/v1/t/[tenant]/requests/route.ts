import { route } from "@/app/_server/route";
import { askedRequests, RequestsQuerySchema } from "@/lib/queries/page-query";
import { requestsPage } from "@/lib/queries/requests-page";

export const GET = route(
  { permission: "ledger.view", summary: "List signing requests", query: RequestsQuerySchema },
  ({ ctx, actor, query }) => {
    const { filter, order } = askedRequests(query);
    return requestsPage(ctx.db, actor.tenantId, actor.id, filter, order);
  },
);
