import { route } from "@/app/_server/route";
import { roleMay } from "@/lib/domain/role";
import { historyPage } from "@/lib/queries/history-page";
import { HistoryQuerySchema } from "@/lib/queries/history-query";

export const GET = route(
  { permission: "ledger.view", summary: "List who did what", query: HistoryQuerySchema },
  ({ ctx, actor, query }) =>
    historyPage(
      ctx.db,
      actor.tenantId,
      {
        accountId: actor.id,
        mayProve: actor.role !== null && roleMay(actor.role, "history.export"),
      },
      query,
    ),
);
