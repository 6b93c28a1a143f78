import { route } from "@/app/_server/route";
import { ContactAnswer, ContactBody, RefParams, refIn } from "@/app/api/v1/t/[tenant]/bodies";
import { reportContact } from "@/lib/flows/report-contact";

export const POST = route(
  {
    permission: "contact.report",
    summary: "Report a contact with signers that was made elsewhere",
    params: RefParams,
    body: ContactBody,
    answer: ContactAnswer,
  },
  ({ ctx, actor, params, body }) =>
    reportContact(ctx, actor, {
      requestRef: refIn(params.ref),
      subjectRefs: body.subjectRefs ?? null,
      at: body.at,
    }),
);
