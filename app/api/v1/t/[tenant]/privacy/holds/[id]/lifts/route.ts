import { route } from "@/app/_server/route";
import { IdAnswer, IdParam, ReasonBody } from "@/app/api/v1/t/[tenant]/privacy/bodies";
import { liftHold } from "@/lib/flows/lift-hold";

export const POST = route(
  {
    permission: "retention.hold",
    summary: "Lift a hold",
    params: IdParam,
    body: ReasonBody,
    answer: IdAnswer,
    status: 201,
  },
  ({ ctx, actor, params, body }) => liftHold(ctx, actor, { id: params.id, ...body }),
);
