import { z } from "zod";
import { route } from "@/app/_server/route";
import { ConnectionIdParams } from "@/app/api/v1/t/[tenant]/connections/bodies";
import { endWebhookSecret } from "@/lib/flows/end-webhook-secret";

export const POST = route(
  {
    permission: "connection.save",
    summary: "Remove a secret for deliveries at once",
    params: ConnectionIdParams,
    body: z.strictObject({ keyId: z.string().max(60).describe("The id of the secret") }),
  },
  ({ ctx, actor, params, body }) => endWebhookSecret(ctx, actor, params.cid, body.keyId),
);
