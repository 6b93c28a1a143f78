import { route } from "@/app/_server/route";
import { reviewListPage } from "@/lib/queries/review-list-page";
import { ReviewsQuerySchema } from "@/lib/queries/review-list-query";

export const GET = route(
  {
    permission: "ledger.view",
    summary: "List what waits for a decision, what is lost first at the top",
    query: ReviewsQuerySchema,
  },
  ({ ctx, actor, query }) =>
    reviewListPage(ctx.db, actor.tenantId, { accountId: actor.id, role: actor.role }, query),
);
