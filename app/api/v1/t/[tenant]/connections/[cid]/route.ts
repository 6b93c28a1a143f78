import { route } from "@/app/_server/route";
import { ConnectionIdParams } from "@/app/api/v1/t/[tenant]/connections/bodies";
import { Refusal } from "@/lib/domain/refusal";
import { connectionPage } from "@/lib/queries/connection-page";

export const GET = route(
  {
    permission: "ledger.view",
    summary: "Show one connection: health, secrets by their ids, polling, and what people did",
    params: ConnectionIdParams,
  },
  async ({ ctx, actor, params }) => {
    const page = await connectionPage(ctx, actor.tenantId, actor.id, params.cid);
    if (!page) throw new Refusal("not_found");
    return page;
  },
);
