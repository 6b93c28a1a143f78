import { route } from "@/app/_server/route";
import { SecretAnswer, SubscriberBody } from "@/app/api/v1/t/[tenant]/outbox/bodies";
import { addSubscriber } from "@/lib/flows/save-subscriber";
import { subscribersPage } from "@/lib/queries/subscribers-page";

export const GET = route(
  { permission: "ledger.view", summary: "List who is told of what" },
  ({ ctx, actor }) => subscribersPage(ctx.db, actor.tenantId),
);

export const POST = route(
  {
    permission: "outbox.act",
    summary: "Add a subscriber",
    body: SubscriberBody,
    answer: SecretAnswer.extend({ id: SecretAnswer.shape.secretId }),
    status: 201,
    // The answer holds a secret, which is shown once.
    remembers: false,
  },
  ({ ctx, actor, body }) => addSubscriber(ctx, actor, body),
);
