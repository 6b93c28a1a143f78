import { route } from "@/app/_server/route";
import { SubscriberIdParams } from "@/app/api/v1/t/[tenant]/outbox/bodies";
import { endSubscriberSecret } from "@/lib/flows/rotate-subscriber-secret";

export const POST = route(
  {
    permission: "outbox.act",
    summary: "End the secret before the present one at once",
    params: SubscriberIdParams,
  },
  ({ ctx, actor, params }) => endSubscriberSecret(ctx, actor, params.sid),
);
