import { route } from "@/app/_server/route";
import { DeliveryIdParams } from "@/app/api/v1/t/[tenant]/outbox/bodies";
import { Refusal } from "@/lib/domain/refusal";
import { deliveryPage } from "@/lib/queries/delivery-page";

export const GET = route(
  {
    permission: "ledger.view",
    summary: "One delivery with all its tries",
    params: DeliveryIdParams,
  },
  async ({ ctx, actor, params }) => {
    const page = await deliveryPage(ctx.db, actor.tenantId, actor.id, params.id);
    if (page === null) throw new Refusal("not_found");
    return page;
  },
);
