import { route } from "@/app/_server/route";
import { EndedAnswer, idIn, OpIdParams, ReasonBody } from "@/app/api/v1/t/[tenant]/bodies";
import { withdrawApproval } from "@/lib/flows/withdraw-approval";

export const POST = route(
  {
    permission: "operation.approve",
    summary: "Take one's own approval back until a worker picks the operation up",
    params: OpIdParams,
    body: ReasonBody,
    answer: EndedAnswer,
  },
  ({ ctx, actor, params, body }) =>
    withdrawApproval(ctx, actor, { ...body, opId: idIn(params.opId) }),
);
