import type { InboxOutcome } from "@/lib/domain/inbox-words";
import { asTenant, type Database, ledgerNow, type Tx } from "@/lib/store/db";
import { Prisma } from "@/lib/store/prisma/client";
import { COUNT_MAX, countMatches } from "./inbox-matches";
import { type InboxCursor, type InboxQuery, inboxFilters, parseInboxCursor } from "./inbox-query";
import { type InboxStrip, inboxStrip } from "./inbox-strip";

/** One event of the list. Instants are RFC 3339 in UTC. */
export interface InboxRow {
  readonly id: string;
  readonly receivedAt: string;
  readonly connection: string;
  readonly type: string;
  readonly requestRef: string | null;
  readonly platformRef: string | null;
  readonly zone: string;
  readonly outcome: InboxOutcome;
  readonly copies: number;
  /** The event's own time; null where it tells none. */
  readonly occurredAt: string | null;
  /** From the event to its receipt, in milliseconds. */
  readonly delayMs: number | null;
  readonly source: "webhook" | "poll";
  readonly claimedStatus: string | null;
  readonly contradicts: string | null;
  readonly attempts: number;
  readonly lastError: string | null;
}

export interface InboxPage extends InboxStrip {
  readonly now: string;
  readonly rows: readonly InboxRow[];
  readonly also: readonly InboxRow[];
  readonly newer: string | null;
  readonly older: string | null;
  readonly count: number;
  readonly more: boolean;
}

/** What the platforms told and what came of it, the newest first; nothing of a payload. */
export async function inboxPage(
  db: Database,
  tenantId: string,
  query: InboxQuery,
): Promise<InboxPage> {
  return asTenant(db, tenantId, async (tx) => {
    const now = (await ledgerNow(tx)).toISOString();
    const before = parseInboxCursor(query.before);
    const after = before === null ? parseInboxCursor(query.after) : null;
    const found = await rowsOf(tx, tenantId, query, { before, after });
    const count = await countMatches(tx, tenantId, query);
    const more = found.length > query.size;
    const kept = found.slice(0, query.size);
    if (before !== null) kept.reverse();
    const [first, last] = [kept.at(0), kept.at(-1)];
    return {
      now,
      rows: kept.map(rowOf),
      also: await rowsById(
        tx,
        tenantId,
        query.also.filter((id) => !kept.some((row) => row.id === id)),
      ),
      newer: first && (before === null ? after !== null : more) ? placeOf(first) : null,
      older: last && (before === null ? more : true) ? placeOf(last) : null,
      count: Math.min(count, COUNT_MAX),
      more: count > COUNT_MAX,
      ...(await inboxStrip(tx, tenantId)),
    };
  });
}

interface FoundRow {
  id: string;
  micros: string;
  received_at: Date;
  connection: string;
  type: string;
  request_ref: string | null;
  platform_ref: string | null;
  zone: string | null;
  outcome: InboxOutcome;
  copies: number;
  occurred_at: Date | null;
  source: "webhook" | "poll";
  claimed_status: string | null;
  contradicts: string | null;
  attempts: number;
  last_error: string | null;
}

/** The link of a row's place, as it stands in `after=` and `before=`. */
function placeOf({ micros, id }: FoundRow): string {
  return `${micros}_${id}`;
}

const COLUMNS = Prisma.sql`i.id, (extract(epoch FROM i.received_at) * 1000000)::bigint::text AS micros, i.received_at,
  c.name AS connection, i.type, coalesce(i.request_ref, r.ref) AS request_ref, i.platform_ref, r.zone, i.outcome,
  i.copies, i.occurred_at, i.source, i.claimed_status, i.contradicts, i.attempts, i.last_error`;

const TABLES = Prisma.sql`FROM inbox_events i
  JOIN connections c ON c.tenant_id = i.tenant_id AND c.id = i.connection_id
  LEFT JOIN requests r ON r.tenant_id = i.tenant_id AND r.ref = i.request_ref`;

async function rowsOf(
  tx: Tx,
  tenantId: string,
  query: InboxQuery,
  { before, after }: Record<"before" | "after", InboxCursor | null>,
): Promise<FoundRow[]> {
  const filters = inboxFilters(tenantId, query);
  const place = before ?? after;
  if (place !== null) {
    const sign = Prisma.raw(before === null ? "<" : ">");
    filters.push(Prisma.sql`(i.received_at, i.id) ${sign} (
      'epoch'::timestamptz + ${place.micros}::bigint * interval '1 microsecond', ${place.id}::uuid)`);
  }
  const direction = Prisma.raw(before === null ? "DESC" : "ASC");
  return tx.$queryRaw<FoundRow[]>`
    SELECT ${COLUMNS} ${TABLES}
    WHERE ${Prisma.join(filters, " AND ")}
    ORDER BY i.received_at ${direction}, i.id ${direction} LIMIT ${query.size + 1}`;
}

function rowOf(row: FoundRow): InboxRow {
  return {
    id: row.id,
    receivedAt: row.received_at.toISOString(),
    connection: row.connection,
    type: row.type,
    requestRef: row.request_ref,
    platformRef: row.platform_ref,
    zone: row.zone ?? "UTC",
    outcome: row.outcome,
    copies: row.copies,
    occurredAt: row.occurred_at?.toISOString() ?? null,
    delayMs: row.occurred_at && row.received_at.getTime() - row.occurred_at.getTime(),
    source: row.source,
    claimedStatus: row.claimed_status,
    contradicts: row.contradicts,
    attempts: row.attempts,
    lastError: row.last_error,
  };
}

async function rowsById(tx: Tx, tenantId: string, ids: readonly string[]): Promise<InboxRow[]> {
  if (ids.length === 0) return [];
  const rows = await tx.$queryRaw<FoundRow[]>`
    SELECT ${COLUMNS} ${TABLES}
    WHERE i.tenant_id = ${tenantId}::uuid AND i.id = ANY(${[...ids]}::uuid[])`;
  return rows.map(rowOf);
}
