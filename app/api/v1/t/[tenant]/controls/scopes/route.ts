import { route } from "@/app/_server/route";
import { pauseScopes } from "@/lib/queries/pause-scopes";

export const GET = route(
  {
    permission: "control.pause",
    summary: "What pausing each scope would hold, and what is under way",
  },
  ({ ctx, actor }) => pauseScopes(ctx.db, actor.tenantId),
);
