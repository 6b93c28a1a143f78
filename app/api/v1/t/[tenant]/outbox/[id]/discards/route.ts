import { route } from "@/app/_server/route";
import { DeliveryIdParams, StopBody } from "@/app/api/v1/t/[tenant]/outbox/bodies";
import { discard } from "@/lib/flows/replay-deliveries";

export const POST = route(
  {
    permission: "outbox.act",
    summary: "Close a delivery without sending it",
    params: DeliveryIdParams,
    body: StopBody,
  },
  ({ ctx, actor, params, body }) => discard(ctx, actor, params.id, body.reason),
);
