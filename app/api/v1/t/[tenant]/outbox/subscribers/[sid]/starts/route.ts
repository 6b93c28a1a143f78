import { route } from "@/app/_server/route";
import { SubscriberIdParams } from "@/app/api/v1/t/[tenant]/outbox/bodies";
import { startDeliveries } from "@/lib/flows/switch-subscriber";

export const POST = route(
  {
    permission: "outbox.act",
    summary: "Start deliveries to a subscriber again",
    params: SubscriberIdParams,
  },
  ({ ctx, actor, params }) => startDeliveries(ctx, actor, params.sid),
);
