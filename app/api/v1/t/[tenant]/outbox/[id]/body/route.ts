import { z } from "zod";
import { route } from "@/app/_server/route";
import { DeliveryIdParams } from "@/app/api/v1/t/[tenant]/outbox/bodies";
import { Refusal } from "@/lib/domain/refusal";
import { deliveryBody } from "@/lib/queries/delivery-page";

export const GET = route(
  {
    permission: "payload.view",
    summary: "The body of a delivery, byte for byte",
    params: DeliveryIdParams,
    answer: z.object({ body: z.string() }),
  },
  async ({ ctx, actor, params }) => {
    const body = await deliveryBody(ctx.db, actor.tenantId, params.id);
    if (body === null) throw new Refusal("not_found");
    return { body };
  },
);
