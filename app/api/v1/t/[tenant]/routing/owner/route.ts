import { route } from "@/app/_server/route";
import { WhoQuery } from "@/app/api/v1/t/[tenant]/routing/bodies";
import { whoWouldGet } from "@/lib/queries/routing-page";

export const GET = route(
  {
    permission: "ledger.view",
    summary: "Say who would get a review item of a reason now",
    query: WhoQuery,
  },
  ({ ctx, actor, query: { reason, kind, connection } }) =>
    whoWouldGet(ctx.db, actor.tenantId, {
      reason,
      kind: kind ?? null,
      connectionId: connection ?? null,
    }),
);
