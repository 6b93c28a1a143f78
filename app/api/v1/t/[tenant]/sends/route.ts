import type { z } from "zod";
import { route } from "@/app/_server/route";
import { deadlineIn, ProposedAnswer, SendBody } from "@/app/api/v1/t/[tenant]/bodies";
import { proposeSend } from "@/lib/flows/propose-send";

export const POST = route(
  {
    permission: "operation.propose",
    summary: "Propose to send documents to signers",
    body: SendBody,
    answer: ProposedAnswer,
  },
  ({ ctx, actor, body }) => {
    const { choice: _choice, reminders, replaces, ...rest } = body;
    return proposeSend(ctx, actor, {
      ...rest,
      ...deadlineIn(body),
      template: rest.template ?? null,
      message: rest.message ?? null,
      signaturePolicy: rest.signaturePolicy ?? null,
      routing: rest.routing ?? null,
      reminders: {
        ...(reminders.owner ? { owner: reminders.owner } : {}),
        intervalDays: reminders.intervalDays ?? null,
      },
      replaces: replaces ? replacementIn(replaces) : null,
    });
  },
);

type ReplacesBody = NonNullable<z.infer<typeof SendBody>["replaces"]>;

function replacementIn({ startAtOnce, ...rest }: ReplacesBody) {
  return { ...rest, startAtOnce: startAtOnce ?? false };
}
