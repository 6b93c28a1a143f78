import { route } from "@/app/_server/route";
import { EndedAnswer, idIn, OpIdParams, ReasonBody } from "@/app/api/v1/t/[tenant]/bodies";
import { withdraw } from "@/lib/flows/withdraw";

export const POST = route(
  {
    permission: "operation.edit",
    summary: "Take one's own proposal back before any call left for it",
    params: OpIdParams,
    body: ReasonBody,
    answer: EndedAnswer,
  },
  ({ ctx, actor, params, body }) => withdraw(ctx, actor, { ...body, opId: idIn(params.opId) }),
);
