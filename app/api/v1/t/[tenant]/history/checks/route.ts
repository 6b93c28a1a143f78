import { z } from "zod";
import { route } from "@/app/_server/route";
import { CheckScopeSchema } from "@/lib/domain/history-scope";
import { askCheck } from "@/lib/flows/ask-check";
import { checksPage } from "@/lib/queries/history-checks-page";

export const GET = route(
  { permission: "history.verify", summary: "List checks of the history and the newest seal" },
  ({ ctx, actor }) => checksPage(ctx.db, actor.tenantId),
);

export const POST = route(
  {
    permission: "history.verify",
    summary: "Ask for a check of the history; a worker makes it",
    body: z.strictObject({ scope: CheckScopeSchema }),
    answer: z.object({ id: z.guid() }),
    status: 201,
  },
  ({ ctx, actor, body }) => askCheck(ctx, actor, body.scope),
);
