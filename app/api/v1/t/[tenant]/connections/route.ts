import { route } from "@/app/_server/route";
import { connectionsPage } from "@/lib/queries/connections-page";

export const GET = route(
  {
    permission: "ledger.view",
    summary: "List the platform connections with their health, without any secret",
  },
  ({ ctx, actor }) => connectionsPage(ctx, actor.tenantId),
);
