import { route } from "@/app/_server/route";
import { changeIn, ProposedAnswer, RefParams, ResendBody } from "@/app/api/v1/t/[tenant]/bodies";
import { proposeResend } from "@/lib/flows/propose-resend";

export const POST = route(
  {
    permission: "operation.propose",
    summary: "Propose to deliver a request to its signers again",
    params: RefParams,
    body: ResendBody,
    answer: ProposedAnswer,
  },
  ({ ctx, actor, params, body }) => proposeResend(ctx, actor, changeIn(body, params.ref)),
);
