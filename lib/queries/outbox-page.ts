import type { DeliveryState } from "@/lib/domain/outbox";
import { asTenant, type Database, ledgerNow, type Tx } from "@/lib/store/db";
import { Prisma } from "@/lib/store/prisma/client";
import type { OutboxQuery } from "./outbox-query";
import {
  DELIVERY_COLUMNS,
  DELIVERY_TABLES,
  type FoundDelivery,
  type OutboxRow,
  outboxRow,
  placeOfDelivery,
  SHOWN_STATE,
} from "./outbox-row";

export interface OutboxPage {
  readonly now: string;
  readonly rows: readonly OutboxRow[];
  readonly also: readonly OutboxRow[];
  readonly older: string | null;
  readonly newer: string | null;
  readonly count: number;
  readonly more: boolean;
  /** How many are in these states, whatever the filters; the tabs show them. */
  readonly counts: { readonly all: number; readonly waiting: number; readonly dead: number };
  readonly subscribers: readonly string[];
}

/** Counts are exact up to here, then "more than". */
const COUNT_MAX = 10_000;

/** What waits: everything that is neither delivered nor ended otherwise. */
export const WAITING_STATES: readonly DeliveryState[] = ["queued", "held", "retrying"];

/** One page of deliveries, the newest first. Costs by what is shown, or by `COUNT_MAX`. */
export async function outboxPage(
  db: Database,
  tenantId: string,
  query: OutboxQuery,
): Promise<OutboxPage> {
  return asTenant(db, tenantId, async (tx) => {
    const now = (await ledgerNow(tx)).toISOString();
    const { rows, older, newer } = await pageOf(tx, tenantId, query);
    const shown = new Set(rows.map(({ id }) => id));
    const count = await countOf(tx, filtersOf(tenantId, query));
    const none = { state: [], event: null, from: null, to: null } as const;
    const all = { ...query, ...none, subscriber: undefined, request: undefined };
    return {
      now,
      rows: rows.map(outboxRow),
      also: await rowsOf(
        tx,
        tenantId,
        query.also.filter((id) => !shown.has(id)),
      ),
      older,
      newer,
      count: Math.min(count, COUNT_MAX),
      more: count > COUNT_MAX,
      counts: {
        all: await countOf(tx, filtersOf(tenantId, all)),
        waiting: await countOf(tx, filtersOf(tenantId, { ...all, state: WAITING_STATES })),
        dead: await countOf(tx, filtersOf(tenantId, { ...all, state: ["dead"] })),
      },
      subscribers: await namesOf(tx, tenantId),
    };
  });
}

async function pageOf(tx: Tx, tenantId: string, query: OutboxQuery) {
  const backwards = query.after === undefined && query.before !== undefined;
  const cursor = cursorOf(query.after ?? query.before);
  const filters = [...filtersOf(tenantId, query)];
  if (cursor) {
    const sign = Prisma.raw(backwards ? ">" : "<");
    filters.push(Prisma.sql`(d.created_at, d.id) ${sign} (
      'epoch'::timestamptz + ${cursor.micros}::bigint * interval '1 microsecond', ${cursor.id}::uuid)`);
  }
  const direction = Prisma.raw(backwards ? "ASC" : "DESC");
  const found = await tx.$queryRaw<FoundDelivery[]>`
    SELECT ${DELIVERY_COLUMNS} ${DELIVERY_TABLES}
    WHERE ${Prisma.join(filters, " AND ")}
    ORDER BY d.created_at ${direction}, d.id ${direction}
    LIMIT ${query.size + 1}`;
  const more = found.length > query.size;
  const rows = found.slice(0, query.size);
  if (backwards) rows.reverse();
  const [first, last] = [rows[0], rows.at(-1)];
  const hasNewer = backwards ? more : cursor !== null;
  return {
    rows,
    newer: hasNewer && first ? placeOfDelivery(first) : null,
    older: (backwards || more) && last ? placeOfDelivery(last) : null,
  };
}

/** Reads a place of the list; null for anything else, which is then the first page. */
function cursorOf(text: string | undefined): { micros: string; id: string } | null {
  const found = /^(-?\d{1,18})_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(text ?? "");
  return found?.[1] && found[2] ? { micros: found[1], id: found[2] } : null;
}

function filtersOf(
  tenantId: string,
  query: Pick<OutboxQuery, "state" | "subscriber" | "event" | "request" | "from" | "to">,
): readonly Prisma.Sql[] {
  const filters = [Prisma.sql`d.tenant_id = ${tenantId}::uuid`];
  if (query.state.length > 0) filters.push(stateFilter(query.state));
  if (query.subscriber) filters.push(Prisma.sql`s.name = ${query.subscriber}`);
  if (query.event) filters.push(Prisma.sql`o.type = ${query.event}`);
  if (query.request) filters.push(Prisma.sql`d.request_ref = ${query.request}`);
  if (query.from) filters.push(Prisma.sql`d.created_at >= ${query.from}`);
  if (query.to) filters.push(Prisma.sql`d.created_at < ${query.to}`);
  return filters;
}

/** By the stored state where that suffices: only what is queued or held has to be looked at more closely. */
function stateFilter(states: readonly DeliveryState[]): Prisma.Sql {
  const stored = states.includes("held") ? [...new Set([...states, "queued"])] : [...states];
  const byIndex = Prisma.sql`d.state = ANY(${stored}::text[])`;
  if (states.includes("held") === states.includes("queued")) return byIndex;
  return Prisma.sql`${byIndex} AND ${SHOWN_STATE} = ANY(${[...states]}::text[])`;
}

async function countOf(tx: Tx, filters: readonly Prisma.Sql[]): Promise<number> {
  const [row] = await tx.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (SELECT 1 ${DELIVERY_TABLES}
      WHERE ${Prisma.join([...filters], " AND ")} LIMIT ${COUNT_MAX + 1}) counted`;
  return row?.count ?? 0;
}

async function rowsOf(tx: Tx, tenantId: string, ids: readonly string[]): Promise<OutboxRow[]> {
  if (ids.length === 0) return [];
  const rows = await tx.$queryRaw<FoundDelivery[]>`
    SELECT ${DELIVERY_COLUMNS} ${DELIVERY_TABLES}
    WHERE d.tenant_id = ${tenantId}::uuid AND d.id = ANY (${[...ids]}::uuid[])`;
  return rows.map(outboxRow);
}

async function namesOf(tx: Tx, tenantId: string): Promise<string[]> {
  const rows = await tx.subscriber.findMany({
    where: { tenantId },
    orderBy: { name: "asc" },
    select: { name: true },
  });
  return rows.map(({ name }) => name);
}
