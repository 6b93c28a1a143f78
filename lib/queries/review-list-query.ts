import { z } from "zod";
import { CONSEQUENCES } from "@/lib/domain/consequence";
import { OPERATION_KINDS } from "@/lib/domain/operation";

/** PostgreSQL holds no NUL in a text. */
const Text = z
  .string()
  .max(200)
  .refine((text) => !text.includes("\0"));

/** `a,b` or a repeated parameter; a value that is not on the list is left out, as it can match nothing new. */
function listOf<const Value extends string>(allowed: readonly Value[]) {
  return z
    .union([Text, z.array(Text)])
    .optional()
    .transform((given): readonly Value[] => {
      const words = [given ?? []].flat().flatMap((each) => each.split(","));
      return allowed.filter((value) => words.includes(value));
    });
}

export const REVIEW_VIEWS = [
  "mine",
  "untaken",
  "breached",
  "critical",
  "second_person",
  "settled",
  "snoozed",
  "all",
  "closed",
] as const;

const STATUSES = [
  "open",
  "claimed",
  "acknowledged",
  "snoozed",
  "second_person",
  "settled",
  "closed_proven",
  "closed_override",
] as const;

/** Filters, view and place of the review queue, the same in its URL and in the API. */
export const ReviewsQuerySchema = z.object({
  view: z.enum(REVIEW_VIEWS).default("mine"),
  reason: Text.optional(),
  /** `account:<uuid>`, a team, or `me`. */
  owner: Text.optional(),
  team: Text.optional(),
  status: listOf(STATUSES),
  consequence: listOf(CONSEQUENCES),
  kind: listOf(OPERATION_KINDS),
  /** By name. */
  connection: Text.optional(),
  /** Where the age stands against its limit. */
  age: z.enum(["within", "warning", "breached"]).optional(),
  request: Text.optional(),
  /** The place behind which the page begins, as a page before gave it. */
  after: Text.optional(),
  size: z.coerce
    .number()
    .pipe(z.union([z.literal(50), z.literal(100), z.literal(200)]))
    .default(50),
  /** Ids that the page shows already and wants the present data of, wherever they have moved to. */
  also: Text.or(z.string().max(10_000))
    .optional()
    .transform((ids) => (ids ?? "").split(",").filter((id) => z.guid().safeParse(id).success)),
});

export type ReviewsQuery = z.output<typeof ReviewsQuerySchema>;
