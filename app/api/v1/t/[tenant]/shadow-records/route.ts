import { route } from "@/app/_server/route";
import { ShadowQuerySchema, shadowReport } from "@/lib/queries/shadow-report";

export const GET = route(
  {
    permission: "ledger.view",
    summary: "What shadow mode would have done, against what then happened",
    query: ShadowQuerySchema,
  },
  ({ ctx, actor, query }) => shadowReport(ctx.db, actor.tenantId, query),
);
