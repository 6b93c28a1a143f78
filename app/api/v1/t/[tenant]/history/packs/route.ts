import { z } from "zod";
import { route } from "@/app/_server/route";
import { PackScopeSchema } from "@/lib/domain/history-scope";
import { askPack } from "@/lib/flows/ask-pack";
import { packsPage } from "@/lib/queries/packs-page";

export const GET = route(
  { permission: "history.export", summary: "List evidence packs, newest first" },
  ({ ctx, actor }) => packsPage(ctx.db, actor.tenantId),
);

export const POST = route(
  {
    permission: "history.export",
    summary: "Ask for an evidence pack; a worker makes it",
    body: z.strictObject({ scope: PackScopeSchema }),
    answer: z.object({ id: z.guid() }),
    status: 201,
  },
  ({ ctx, actor, body }) => askPack(ctx, actor, body.scope),
);
