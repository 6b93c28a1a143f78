import { route } from "@/app/_server/route";
import { controlsPage } from "@/lib/queries/controls-page";

export const GET = route(
  {
    permission: "ledger.view",
    summary: "Active switches with what they hold, modes per kind, and the record of controls",
  },
  ({ ctx, actor }) => controlsPage(ctx, actor.tenantId, actor.id),
);
