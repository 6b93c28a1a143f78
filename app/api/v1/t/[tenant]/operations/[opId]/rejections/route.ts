import { route } from "@/app/_server/route";
import { EndedAnswer, idIn, OpIdParams, RejectionBody } from "@/app/api/v1/t/[tenant]/bodies";
import { reject } from "@/lib/flows/reject";

export const POST = route(
  {
    permission: "operation.approve",
    summary: "Turn a proposal down",
    params: OpIdParams,
    body: RejectionBody,
    answer: EndedAnswer,
  },
  ({ ctx, actor, params, body }) => reject(ctx, actor, { ...body, opId: idIn(params.opId) }),
);
