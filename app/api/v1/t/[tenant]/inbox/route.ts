import { route } from "@/app/_server/route";
import { inboxPage } from "@/lib/queries/inbox-page";
import { InboxQuerySchema } from "@/lib/queries/inbox-query";

export const GET = route(
  {
    permission: "ledger.view",
    summary: "List what the platforms told, the newest first, without payloads",
    query: InboxQuerySchema,
  },
  ({ ctx, actor, query }) => inboxPage(ctx.db, actor.tenantId, query),
);
