import { route } from "@/app/_server/route";
import { approvalsPage } from "@/lib/queries/approvals-page";
import { ApprovalsQuerySchema } from "@/lib/queries/page-query";

export const GET = route(
  {
    permission: "ledger.view",
    summary: "List approvals: mine, others, proposed by me, decided",
    query: ApprovalsQuerySchema,
  },
  ({ ctx, actor, query }) =>
    approvalsPage(ctx.db, actor.tenantId, { accountId: actor.id, role: actor.role }, query),
);
