import { route } from "@/app/_server/route";
import { changeIn, ProposedAnswer, RefParams, ReminderBody } from "@/app/api/v1/t/[tenant]/bodies";
import { proposeReminder } from "@/lib/flows/propose-remind";

export const POST = route(
  {
    permission: "operation.propose",
    summary: "Propose to remind signers of a request",
    params: RefParams,
    body: ReminderBody,
    answer: ProposedAnswer,
  },
  ({ ctx, actor, params, body }) =>
    proposeReminder(ctx, actor, {
      ...changeIn(body, params.ref),
      subjectRefs: body.subjectRefs ?? null,
      message: body.message ?? null,
    }),
);
