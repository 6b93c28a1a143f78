import { route } from "@/app/_server/route";
import { ItemIdParams } from "@/app/api/v1/t/[tenant]/reviews/decision-bodies";
import { Refusal } from "@/lib/domain/refusal";
import { reviewItemPage } from "@/lib/queries/review-item-page";

export const GET = route(
  {
    permission: "ledger.view",
    summary: "Show a review item with what can be decided about it",
    params: ItemIdParams,
    remembers: false,
  },
  async ({ ctx, actor, params }) => {
    const viewer = { accountId: actor.id, role: actor.role, vaultKey: ctx.vaultKey };
    const page = await reviewItemPage(ctx.db, actor.tenantId, viewer, params.id);
    if (page === null) throw new Refusal("not_found");
    return page;
  },
);
