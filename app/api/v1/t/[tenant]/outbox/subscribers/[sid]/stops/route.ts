import { route } from "@/app/_server/route";
import { StopBody, SubscriberIdParams } from "@/app/api/v1/t/[tenant]/outbox/bodies";
import { stopDeliveries } from "@/lib/flows/switch-subscriber";

export const POST = route(
  {
    permission: "outbox.act",
    summary: "Stop deliveries to a subscriber; what waits is kept",
    params: SubscriberIdParams,
    body: StopBody,
  },
  ({ ctx, actor, params, body }) => stopDeliveries(ctx, actor, params.sid, body.reason),
);
