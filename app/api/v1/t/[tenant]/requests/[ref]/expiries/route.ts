import { route } from "@/app/_server/route";
import { changeIn, ExpiryBody, ProposedAnswer, RefParams } from "@/app/api/v1/t/[tenant]/bodies";
import { proposeExpiry } from "@/lib/flows/propose-expire";

export const POST = route(
  {
    permission: "operation.propose",
    summary: "Propose to close a request, now or at its business deadline",
    params: RefParams,
    body: ExpiryBody,
    answer: ProposedAnswer,
  },
  ({ ctx, actor, params, body }) =>
    proposeExpiry(ctx, actor, { ...changeIn(body, params.ref), when: body.when }),
);
