import { route } from "@/app/_server/route";
import { SubscriberBody, SubscriberIdParams } from "@/app/api/v1/t/[tenant]/outbox/bodies";
import { Refusal } from "@/lib/domain/refusal";
import { saveSubscriber } from "@/lib/flows/save-subscriber";
import { subscriberPage } from "@/lib/queries/subscribers-page";

export const GET = route(
  { permission: "ledger.view", summary: "One subscriber", params: SubscriberIdParams },
  async ({ ctx, actor, params }) => {
    const page = await subscriberPage(ctx.db, actor.tenantId, actor.id, params.sid);
    if (page === null) throw new Refusal("not_found");
    return page;
  },
);

export const PATCH = route(
  {
    permission: "outbox.act",
    summary: "Change name, address and events of a subscriber",
    params: SubscriberIdParams,
    body: SubscriberBody,
  },
  ({ ctx, actor, params, body }) => saveSubscriber(ctx, actor, params.sid, body),
);
