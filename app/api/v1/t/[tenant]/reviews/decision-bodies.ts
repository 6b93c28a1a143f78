import { z } from "zod";
import { DECISION_CODES, DECISION_OUTCOMES } from "@/lib/domain/decision";
import { REASON_LENGTH_MAX } from "@/lib/domain/reason-text";
import { SELECTION_MAX } from "@/lib/flows/freeze-selection";

export const ItemIdParams = z.object({ id: z.guid() });
export const DecisionParams = z.object({ id: z.guid(), did: z.guid() });
export const SelectionParams = z.object({ sid: z.guid() });

/** Longer than any reason: what is too long is told with its length. */
const reason = z
  .string()
  .max(2 * REASON_LENGTH_MAX)
  .describe(
    "Why, in 10 to 2 000 characters; it becomes part of the history. No addresses or links",
  );

/** The platform's own reference of a request. */
const reference = z.string().trim().min(1).max(200);

export const DecisionBody = z.strictObject({
  option: z.enum(DECISION_CODES),
  reason,
  expected: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe("The facts hash that was on screen"),
  kept: reference.nullish().describe("The platform's reference that was chosen or entered by hand"),
  voidsTyped: z
    .array(reference)
    .max(50)
    .optional()
    .describe("References with a signature, typed so that their void is proposed too"),
});

export const OverrideBody = z.strictObject({
  reason: reason.nullish().describe("What the second person should know"),
});

export const SecondBody = z.strictObject({ reason });

export const SelectionBody = z.strictObject({
  itemIds: z.array(z.guid()).min(1).max(SELECTION_MAX),
});

export const BulkBody = z.strictObject({ option: z.enum(DECISION_CODES), reason });

export const DecisionAnswer = z.object({
  id: z.guid(),
  option: z.enum(DECISION_CODES),
  outcome: z.enum(DECISION_OUTCOMES).describe("`reading` while a worker reads the platform"),
});
