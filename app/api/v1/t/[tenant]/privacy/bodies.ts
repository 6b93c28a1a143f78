import { z } from "zod";
import { REASON_LENGTH_MAX } from "@/lib/domain/reason-text";
import { DAYS_MAX, HOLD_SCOPES, RECORD_CLASSES } from "@/lib/domain/retention";

const reason = z
  .string()
  .max(REASON_LENGTH_MAX)
  .describe("Why; it becomes part of the history. No addresses, phone numbers or links");

const reference = z.string().max(100);

export const ErasureBody = z.strictObject({
  subjectRef: reference.describe("Opaque reference of the person, as in s_41"),
  reason,
});

export const ConfirmationBody = z.strictObject({
  typed: reference.describe("The reference of the person, typed by whoever confirms"),
});

export const ReasonBody = z.strictObject({ reason });

export const RecordClassParam = z.object({
  class: z.enum(RECORD_CLASSES).describe("Which records"),
});

export const RetentionBody = z.strictObject({
  days: z.int().min(1).max(DAYS_MAX).describe("How many days of 24 hours they are kept"),
  owner: z
    .string()
    .max(100)
    .describe("Who answers for it: a team, or account: and the id of an active member"),
  seen: z.int().min(0).describe("The version that was on screen; 0 for the default"),
});

export const HoldBody = z.strictObject({
  scope: z.enum(HOLD_SCOPES).describe("All of one request, or all requests of one person"),
  about: reference.describe("The reference of the request or of the person"),
  reason,
});

export const IdParam = z.object({ id: z.guid() });

export const IdAnswer = z.object({ id: z.guid() });
