import { z } from "zod";
import { REASON_LENGTH_MAX } from "@/lib/domain/reason-text";

export const ItemParams = z.object({ id: z.guid() });

/** A person or a team, as items name their owner. */
const Owner = z
  .string()
  .regex(/^(?:team:[a-z-]{2,40}|account:[0-9a-f-]{36})$/)
  .describe("A team, or account:<uuid>");

const Until = z.iso.datetime({ offset: true }).describe("Until when, RFC 3339");

const Typed = z
  .string()
  .max(REASON_LENGTH_MAX)
  .describe("Becomes part of the history. No addresses, phone numbers or links");

export const AssignmentBody = z.strictObject({ to: Owner });

export const HandOverBody = z.strictObject({
  to: Owner,
  note: Typed,
  from: Owner.optional().describe("The owner that was on screen; another one by now is told"),
});

export const AcknowledgementBody = z.strictObject({ until: Until });

export const SnoozeBody = z.strictObject({ until: Until, reason: Typed });

export const OwnerAnswer = z.object({ itemId: z.guid(), owner: z.string() });

export const UntilAnswer = z.object({ itemId: z.guid(), until: z.iso.datetime() });
