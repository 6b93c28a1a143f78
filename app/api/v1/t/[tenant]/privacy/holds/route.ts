import { route } from "@/app/_server/route";
import { HoldBody, IdAnswer } from "@/app/api/v1/t/[tenant]/privacy/bodies";
import { setHold } from "@/lib/flows/set-hold";

export const POST = route(
  {
    permission: "retention.hold",
    summary: "Hold a request or a person back from retention and erasure",
    body: HoldBody,
    answer: IdAnswer,
    status: 201,
  },
  ({ ctx, actor, body }) => setHold(ctx, actor, body),
);
