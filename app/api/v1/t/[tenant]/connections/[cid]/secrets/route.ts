import { z } from "zod";
import { route } from "@/app/_server/route";
import { ConnectionIdParams } from "@/app/api/v1/t/[tenant]/connections/bodies";
import { OVERLAP_HOURS, WEBHOOK_SECRETS_MAX } from "@/lib/domain/connection-acts";
import { rotateWebhookSecret } from "@/lib/flows/rotate-webhook-secret";

const Body = z.strictObject({
  shownKeyIds: z
    .array(z.string().max(60))
    .max(WEBHOOK_SECRETS_MAX)
    .describe("The ids of the active secrets, as they were on screen"),
  overlapHours: z
    .literal(OVERLAP_HOURS)
    .describe("How many hours the secret before is accepted along"),
});

export const POST = route(
  {
    permission: "connection.save",
    summary: "Make a new secret for deliveries; the one before is accepted along for a time",
    params: ConnectionIdParams,
    body: Body,
    answer: z.object({
      keyId: z.string(),
      secret: z.string().describe("Shown this once"),
      previousUntil: z.iso.datetime().nullable(),
    }),
    status: 201,
    // The answer holds a secret, which is shown once.
    remembers: false,
  },
  ({ ctx, actor, params, body }) =>
    rotateWebhookSecret(ctx, actor, { connectionId: params.cid, ...body }),
);
