import { z } from "zod";
import { route } from "@/app/_server/route";
import { RefParams, refIn } from "@/app/api/v1/t/[tenant]/bodies";
import { orderRead } from "@/lib/flows/order-read";

export const POST = route(
  {
    permission: "request.read",
    summary: "Order a read of a request at its platform",
    params: RefParams,
    answer: z.object({ orderId: z.guid() }),
  },
  async ({ ctx, actor, params }) => ({ orderId: await orderRead(ctx, actor, refIn(params.ref)) }),
);
