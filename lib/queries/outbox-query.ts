import { z } from "zod";
import {
  DELIVERY_STATES,
  type DeliveryState,
  OUTBOX_TYPES,
  type OutboxType,
  TEST_TYPE,
} from "@/lib/domain/outbox";

/** PostgreSQL holds no NUL in a text. */
const Text = z
  .string()
  .max(200)
  .refine((text) => !text.includes("\0"));

const TYPES: readonly (OutboxType | typeof TEST_TYPE)[] = [...OUTBOX_TYPES, TEST_TYPE];

/** `2026-11-30` or a whole instant; anything else is no bound. */
const Moment = Text.optional().transform((text) => {
  const at = text !== undefined && /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : new Date(at);
});

/** Filters and place of the list of deliveries, the same in its URL and in the API. */
export const OutboxQuerySchema = z.object({
  state: Text.optional().transform((text): readonly DeliveryState[] => {
    const words = (text ?? "").split(",");
    return DELIVERY_STATES.filter((state) => words.includes(state));
  }),
  /** A subscriber's name. */
  subscriber: Text.optional(),
  event: Text.optional().transform((text) => TYPES.find((type) => type === text) ?? null),
  request: Text.optional(),
  from: Moment,
  to: Moment,
  size: z.coerce
    .number()
    .pipe(z.union([z.literal(50), z.literal(100), z.literal(200)]))
    .default(50),
  after: Text.optional(),
  before: Text.optional(),
  /** Ids that the page shows already and wants the present data of. */
  also: z
    .string()
    .max(10_000)
    .optional()
    .transform((ids) => (ids ?? "").split(",").filter((id) => z.guid().safeParse(id).success)),
});

export type OutboxQuery = z.output<typeof OutboxQuerySchema>;
