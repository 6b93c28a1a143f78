import { z } from "zod";
import {
  OPERATION_KINDS,
  OPERATION_STATES,
  type OperationKind,
  type OperationState,
} from "@/lib/domain/operation";

/** PostgreSQL holds no NUL in a text. */
const Text = z
  .string()
  .max(200)
  .refine((text) => !text.includes("\0"));

/** `2026-11-30` or a whole instant; anything else is no bound. */
const Moment = Text.optional().transform((text) => {
  const at = text !== undefined && /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : new Date(at);
});

/** The word if it is one of the list; null otherwise, which is no filter. */
function oneOf<T extends string>(words: readonly T[]) {
  return Text.optional().transform((text): T | null => words.find((word) => word === text) ?? null);
}

/** What the list is of: histories of operations, what operators did beside them, or both. */
export const HISTORY_SOURCES = ["operations", "operators"] as const;

/** Filters and place of the history, the same in its address and in the API. */
export const HistoryQuerySchema = z.object({
  source: oneOf(HISTORY_SOURCES),
  /** As history names people and programs: `user:<uuid>`, `worker:<name>`. */
  who: Text.optional(),
  /** `approved`, `paused`, `contact_revealed`…: a reason of an operation's entry, or what an operator did. */
  action: Text.optional(),
  kind: oneOf<OperationKind>(OPERATION_KINDS),
  state: oneOf<OperationState>(OPERATION_STATES),
  request: Text.optional(),
  op: Text.optional().transform((text) => (z.guid().safeParse(text).success ? text : undefined)),
  from: Moment,
  to: Moment,
  size: z.coerce
    .number()
    .pipe(z.union([z.literal(50), z.literal(100), z.literal(200)]))
    .default(50),
  after: Text.optional(),
  before: Text.optional(),
});

export type HistoryQuery = z.output<typeof HistoryQuerySchema>;
