import { route } from "@/app/_server/route";
import { IdParam } from "@/app/api/v1/t/[tenant]/privacy/bodies";
import { Refusal } from "@/lib/domain/refusal";
import { DEFAULT_BACKUP_DAYS, erasurePage } from "@/lib/queries/erasure-page";

export const GET = route(
  {
    permission: "privacy.view",
    summary: "Show an erasure: what it destroys and keeps, what is open, what stands in the way",
    params: IdParam,
    remembers: false,
  },
  async ({ ctx, actor, params }) => {
    const viewer = {
      accountId: actor.id,
      role: actor.role,
      vaultKey: ctx.vaultKey,
      backupDays: ctx.backupDays ?? DEFAULT_BACKUP_DAYS,
    };
    const page = await erasurePage(ctx.db, actor.tenantId, viewer, params.id);
    if (page === null) throw new Refusal("not_found");
    return page;
  },
);
