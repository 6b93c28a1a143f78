import { route } from "@/app/_server/route";
import { deadlinesMonth } from "@/lib/queries/deadlines-month";
import { DeadlineMonthSchema } from "@/lib/queries/deadlines-query";

export const GET = route(
  {
    permission: "ledger.view",
    summary: "Clocks and timers of open requests in one month, as 2026-12",
    params: DeadlineMonthSchema,
  },
  ({ ctx, actor, params }) => deadlinesMonth(ctx.db, actor.tenantId, params.month),
);
