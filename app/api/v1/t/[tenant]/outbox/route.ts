import { route } from "@/app/_server/route";
import { outboxPage } from "@/lib/queries/outbox-page";
import { OutboxQuerySchema } from "@/lib/queries/outbox-query";

export const GET = route(
  { permission: "ledger.view", summary: "List deliveries", query: OutboxQuerySchema },
  ({ ctx, actor, query }) => outboxPage(ctx.db, actor.tenantId, query),
);
