import { z } from "zod";
import { OUTBOX_TYPES, REPLAY_MAX } from "@/lib/domain/outbox";
import { REASON_LENGTH_MAX } from "@/lib/domain/reason-text";

export const DeliveryIdParams = z.object({ id: z.guid().describe("Id of the delivery") });

export const SubscriberIdParams = z.object({ sid: z.guid().describe("Id of the subscriber") });

export const SubscriberBody = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9 ._-]{0,59}$/)
    .describe("What this subscriber is called here: letters, digits, spaces, dots, hyphens"),
  url: z.string().max(500).describe("Where events are posted, as in https://books.example/hook"),
  eventTypes: z
    .array(z.enum(OUTBOX_TYPES))
    .min(1)
    .transform((types) => OUTBOX_TYPES.filter((type) => types.includes(type)))
    .describe("What it is told of"),
});

export const StopBody = z.strictObject({
  reason: z
    .string()
    .max(REASON_LENGTH_MAX)
    .describe("Why; it becomes part of the history. No addresses, phone numbers or links"),
});

export const RotationBody = z.strictObject({
  secretId: z.string().max(60).describe("The id of the present secret, as it was on screen"),
});

export const ReplayBody = z.strictObject({
  ids: z.array(z.guid()).min(1).max(REPLAY_MAX).describe("Ids of deliveries"),
});

export const SecretAnswer = z.object({
  secretId: z.string(),
  secret: z.string().describe("Shown this once"),
});
