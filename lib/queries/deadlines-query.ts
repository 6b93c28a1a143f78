import { z } from "zod";
import { DEADLINE_ORDERS } from "@/lib/domain/deadline-order";
import { OPERATION_KINDS } from "@/lib/domain/operation";

/** PostgreSQL holds no NUL in a text. */
const Text = z
  .string()
  .min(1)
  .max(100)
  .refine((text) => !text.includes("\0"));
const Yes = z.literal("yes").optional();

/** So many rows of an earlier page may be asked for again. */
const ALSO_MAX = 200;

/** Filters, order and place of the deadlines, the same in the page's address and in the API. */
export const DeadlinesQuerySchema = z.object({
  /** Which clock orders; `earliest` is whichever of business deadline and platform expiry comes first. */
  by: z.enum(DEADLINE_ORDERS).default("earliest"),
  /** `48h`, `7d`: the earliest clock falls within that time and has not passed. */
  due: z
    .string()
    .regex(/^\d{1,4}[hd]$/)
    .optional(),
  passed: Yes,
  unknown: Yes,
  waiting: z.literal("me").optional(),
  drift: Yes,
  clock_conflict: Yes,
  owner: z.literal("me").optional(),
  status: Text.optional(),
  connection: Text.optional(),
  /** Requests with an operation of this kind that has not ended. */
  kind: z.enum(OPERATION_KINDS).optional(),
  /** A part of the reference. */
  q: Text.optional(),
  size: z.coerce
    .number()
    .pipe(z.union([z.literal(50), z.literal(100), z.literal(200)]))
    .default(50),
  after: z.string().max(120).optional(),
  before: z.string().max(120).optional(),
  /** References that the page shows already and wants the present data of, wherever they have moved to. */
  also: z
    .string()
    .max(14_000)
    .optional()
    .transform((refs) =>
      (refs ?? "")
        .split(",")
        .filter((ref) => /^[A-Za-z0-9_-]{3,60}$/.test(ref))
        .slice(0, ALSO_MAX),
    ),
});

export type DeadlinesQuery = z.output<typeof DeadlinesQuerySchema>;

/** The month that the calendar shows, as `2026-12`. */
export const DeadlineMonthSchema = z.object({
  month: z.string().regex(/^\d{4}-(?:0[1-9]|1[0-2])$/),
});

/** Hours of `48h` or `7d`. */
export function hoursOf(due: string): number {
  const count = Number(due.slice(0, -1));
  return due.endsWith("d") ? count * 24 : count;
}
