import { z } from "zod";
import { route } from "@/app/_server/route";
import {
  RotationBody,
  SecretAnswer,
  SubscriberIdParams,
} from "@/app/api/v1/t/[tenant]/outbox/bodies";
import { rotateSubscriberSecret } from "@/lib/flows/rotate-subscriber-secret";

export const POST = route(
  {
    permission: "outbox.act",
    summary: "Make a new signing secret; the present one signs along for a day",
    params: SubscriberIdParams,
    body: RotationBody,
    answer: SecretAnswer.extend({ previousUntil: z.iso.datetime() }),
    status: 201,
    // The answer holds a secret, which is shown once.
    remembers: false,
  },
  ({ ctx, actor, params, body }) => rotateSubscriberSecret(ctx, actor, params.sid, body.secretId),
);
