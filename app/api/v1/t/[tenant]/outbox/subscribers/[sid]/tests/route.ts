import { z } from "zod";
import { route } from "@/app/_server/route";
import { SubscriberIdParams } from "@/app/api/v1/t/[tenant]/outbox/bodies";
import { sendTestEvent } from "@/lib/flows/switch-subscriber";

export const POST = route(
  {
    permission: "outbox.act",
    summary: "Send a test event to a subscriber",
    params: SubscriberIdParams,
    answer: z.object({ messageId: z.guid() }),
    status: 201,
  },
  ({ ctx, actor, params }) => sendTestEvent(ctx, actor, params.sid),
);
