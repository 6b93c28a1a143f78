import { route } from "@/app/_server/route";
import { Refusal } from "@/lib/domain/refusal";
import { approvePage } from "@/lib/queries/approve-page";
import { OperationIdSchema } from "@/lib/queries/page-query";

export const GET = route(
  {
    permission: "payload.view",
    summary: "Everything that the approval of one operation shows",
    params: OperationIdSchema,
  },
  async ({ ctx, actor, params }) => {
    const viewer = { accountId: actor.id, role: actor.role };
    const view = await approvePage(ctx.db, actor.tenantId, viewer, params.opId);
    if (view === null) throw new Refusal("not_found");
    return view;
  },
);
