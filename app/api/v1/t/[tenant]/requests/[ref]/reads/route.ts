import { route } from "@/app/_server/route";
import { Refusal } from "@/lib/domain/refusal";
import { RequestRefSchema } from "@/lib/queries/page-query";
import { requestPage } from "@/lib/queries/request-page";

export const GET = route(
  {
    permission: "ledger.view",
    summary: "Read receipts of one signing request, newest first",
    params: RequestRefSchema,
  },
  async ({ ctx, actor, params }) => {
    const view = await requestPage(ctx.db, actor.tenantId, actor.id, params.ref);
    if (view === null) throw new Refusal("not_found");
    return { now: view.now, reads: view.reads };
  },
);
