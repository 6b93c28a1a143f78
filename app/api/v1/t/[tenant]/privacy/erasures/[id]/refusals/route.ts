import { route } from "@/app/_server/route";
import { IdAnswer, IdParam, ReasonBody } from "@/app/api/v1/t/[tenant]/privacy/bodies";
import { refuseErasure } from "@/lib/flows/refuse-erasure";

export const POST = route(
  {
    permission: "erasure.confirm",
    summary: "Refuse an erasure; nothing is destroyed",
    params: IdParam,
    body: ReasonBody,
    answer: IdAnswer,
    status: 201,
  },
  ({ ctx, actor, params, body }) => refuseErasure(ctx, actor, { id: params.id, ...body }),
);
