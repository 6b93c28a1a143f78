import { z } from "zod";
import type { RequestsFilter, RequestsOrder } from "./requests-page";

/** PostgreSQL holds no NUL in a text. */
const Text = z
  .string()
  .min(1)
  .max(100)
  .refine((text) => !text.includes("\0"));
const Size = z.coerce
  .number()
  .pipe(z.union([z.literal(50), z.literal(100), z.literal(200)]))
  .default(50);

/** Filters, order and place of the list of requests as its URL and the API spell them. */
export const RequestsQuerySchema = z.object({
  status: Text.optional(),
  connection: Text.optional(),
  drift: z.literal("yes").optional(),
  due: z
    .string()
    .regex(/^\d{1,4}h$/)
    .optional(),
  unknown: z.literal("yes").optional(),
  owner: z.literal("me").optional(),
  q: Text.optional(),
  sort: z.enum(["deadline", "-deadline"]).default("deadline"),
  size: Size,
  after: Text.optional(),
  before: Text.optional(),
});

export type RequestsQuery = z.output<typeof RequestsQuerySchema>;

/** What the query asks for, in the words of `requestsPage`. */
export function askedRequests(query: RequestsQuery): {
  readonly filter: RequestsFilter;
  readonly order: RequestsOrder;
} {
  return {
    filter: {
      status: query.status,
      connection: query.connection,
      drift: query.drift === "yes",
      dueHours: query.due === undefined ? undefined : Number(query.due.slice(0, -1)),
      unknown: query.unknown === "yes",
      mine: query.owner === "me",
      q: query.q,
    },
    order: { sort: query.sort, size: query.size, after: query.after, before: query.before },
  };
}

/** The same for the list of approvals. */
export const ApprovalsQuerySchema = z.object({
  tab: z.enum(["mine", "others", "proposed_by_me", "decided"]).default("mine"),
  kind: Text.optional(),
  request: Text.optional(),
  after: z.guid().optional(),
  size: Size,
});

export type ApprovalsQuery = z.output<typeof ApprovalsQuerySchema>;

/** Anything goes in here: what is no reference names nothing, and that is the same "not found". */
export const RequestRefSchema = z.object({ ref: z.string() });
export const OperationIdSchema = z.object({ opId: z.string() });
