import { route } from "@/app/_server/route";
import { SelectionParams } from "@/app/api/v1/t/[tenant]/reviews/decision-bodies";
import { Refusal } from "@/lib/domain/refusal";
import { decisionSelectionPage } from "@/lib/queries/decision-selection-page";

export const GET = route(
  {
    permission: "ledger.view",
    summary: "Show a selection with the progress of its decision",
    params: SelectionParams,
  },
  async ({ ctx, actor, params }) => {
    const viewer = { accountId: actor.id, role: actor.role, vaultKey: ctx.vaultKey };
    const page = await decisionSelectionPage(ctx.db, actor.tenantId, viewer, params.sid);
    if (page === null) throw new Refusal("not_found");
    return page;
  },
);
