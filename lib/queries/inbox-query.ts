import { z } from "zod";
import { sha256Hex } from "@/lib/domain/canonical";
import { INBOX_OUTCOMES, type InboxOutcome } from "@/lib/domain/inbox-words";
import { Prisma } from "@/lib/store/prisma/client";

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

/** Filters and place of the list of events, the same in its URL and in the API. The newest come first. */
export const InboxQuerySchema = z.object({
  /** `a,b` or repeated. */
  outcome: z
    .union([Text, z.array(Text)])
    .optional()
    .transform((given): readonly InboxOutcome[] => {
      const words = [given ?? []].flat().flatMap((each) => each.split(","));
      return INBOX_OUTCOMES.filter((value) => words.includes(value));
    }),
  connection: Text.optional(),
  type: Text.optional(),
  request: Text.optional(),
  source: z.enum(["webhook", "poll"]).optional(),
  /** Only events that came more than once. */
  copies: z.literal("yes").optional(),
  /** Days or instants, RFC 3339 in UTC; the later one not included. */
  from: Moment,
  to: Moment,
  /** An event id, the id of an inbox row, or a request's reference here or at the platform. */
  q: Text.optional(),
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

export type InboxQuery = z.output<typeof InboxQuerySchema>;

/** The conditions of a list of events, with these as `i`. */
export function inboxFilters(tenantId: string, query: InboxQuery): Prisma.Sql[] {
  const filters = [Prisma.sql`i.tenant_id = ${tenantId}::uuid`];
  if (query.outcome.length > 0) filters.push(Prisma.sql`i.outcome = ANY(${[...query.outcome]})`);
  if (query.connection) {
    filters.push(Prisma.sql`i.connection_id = (SELECT id FROM connections
      WHERE tenant_id = ${tenantId}::uuid AND name = ${query.connection})`);
  }
  if (query.type) filters.push(Prisma.sql`i.type = ${query.type}`);
  if (query.source) filters.push(Prisma.sql`i.source = ${query.source}`);
  if (query.copies) filters.push(Prisma.sql`i.copies > 1`);
  if (query.from) filters.push(Prisma.sql`i.received_at >= ${query.from}`);
  if (query.to) filters.push(Prisma.sql`i.received_at < ${query.to}`);
  if (query.request) filters.push(aboutRequest(tenantId, query.request));
  if (query.q) filters.push(searched(tenantId, query.q.trim()));
  return filters;
}

/**
 * Events of a request, by what they were found to be about and by the reference that it has at the platform. Single
 * values to compare with, so that both sides can be looked up in an index.
 */
function aboutRequest(tenantId: string, ref: string): Prisma.Sql {
  const own = (column: Prisma.Sql) =>
    Prisma.sql`(SELECT r.${column} FROM requests r WHERE r.tenant_id = ${tenantId}::uuid AND r.ref = ${ref})`;
  return Prisma.sql`(i.request_ref = ${ref} OR (i.connection_id = ${own(Prisma.sql`connection_id`)}
    AND i.platform_ref = ${own(Prisma.sql`platform_ref`)}))`;
}

function searched(tenantId: string, text: string): Prisma.Sql {
  const either = [
    Prisma.sql`i.identity IN (${`id:${text}`}, ${`sent:${sha256Hex(text)}`})`,
    Prisma.sql`i.platform_ref = ${text}`,
    aboutRequest(tenantId, text),
  ];
  if (z.guid().safeParse(text).success) either.push(Prisma.sql`i.id = ${text}::uuid`);
  return Prisma.sql`(${Prisma.join(either, " OR ")})`;
}

/** A place in the list: the moment of receipt in microseconds since 1970, and the id. */
export interface InboxCursor {
  readonly micros: string;
  readonly id: string;
}

/** Reads a cursor of the list; null for anything else, which is then the first page. */
export function parseInboxCursor(text: string | undefined): InboxCursor | null {
  const found = /^(\d{1,18})_([0-9a-f-]{36})$/.exec(text ?? "");
  const [, micros = "", id = ""] = found ?? [];
  return found !== null && z.guid().safeParse(id).success ? { micros, id } : null;
}
