import { z } from "zod";
import { route } from "@/app/_server/route";
import { RoutingBody } from "@/app/api/v1/t/[tenant]/routing/bodies";
import { saveRouting } from "@/lib/flows/save-routing";
import { routingPage } from "@/lib/queries/routing-page";

export const GET = route(
  {
    permission: "ledger.view",
    summary: "Show who gets which review item and who is on call",
  },
  ({ ctx, actor }) => routingPage(ctx.db, actor.tenantId),
);

export const PUT = route(
  {
    permission: "routing.save",
    summary: "Put a set of routing rules in force",
    body: RoutingBody,
    answer: z.object({ rules: z.array(z.object({ id: z.guid() })) }),
  },
  ({ ctx, actor, body }) => saveRouting(ctx, actor, body),
);
