import { route } from "@/app/_server/route";
import { retentionPage } from "@/lib/queries/retention-page";

export const GET = route(
  {
    permission: "privacy.view",
    summary: "Show what is kept for how long, by whose word, what is held and what was removed",
    remembers: false,
  },
  ({ ctx, actor }) =>
    retentionPage(ctx.db, actor.tenantId, { accountId: actor.id, vaultKey: ctx.vaultKey }),
);
