import { route } from "@/app/_server/route";
import { changeIn, ProposedAnswer, RefParams, VoidBody } from "@/app/api/v1/t/[tenant]/bodies";
import { proposeVoid } from "@/lib/flows/propose-void";

export const POST = route(
  {
    permission: "operation.propose",
    summary: "Propose to withdraw a request at its platform",
    params: RefParams,
    body: VoidBody,
    answer: ProposedAnswer,
  },
  ({ ctx, actor, params, body }) => proposeVoid(ctx, actor, changeIn(body, params.ref)),
);
