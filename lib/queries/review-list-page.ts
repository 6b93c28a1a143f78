import { CONSEQUENCES } from "@/lib/domain/consequence";
import { teamOf } from "@/lib/domain/team";
import { asTenant, type Database, ledgerNow, type Tx } from "@/lib/store/db";
import { Prisma } from "@/lib/store/prisma/client";
import { type BandCounts, queueCounts, type ViewCounts } from "./review-counts";
import { beyond, CLOSED, placeOf, QUEUE } from "./review-keyset";
import type { ReviewsQuery } from "./review-list-query";
import { foundRows, type ReviewRow, type ReviewViewer, rowOf } from "./review-rows";

export interface ReviewListPage {
  readonly now: string;
  readonly rows: readonly ReviewRow[];
  /** Present data of the rows asked for with `also`, where they are not on this page. */
  readonly also: readonly ReviewRow[];
  /** The place of `after=` for the next page; null on the last one. */
  readonly older: string | null;
  /** How many match; `more` when there are more than that. */
  readonly count: number;
  readonly more: boolean;
  readonly counts: ViewCounts;
  /** Open items by consequence and age. */
  readonly bands: BandCounts;
  /** The next thing that is lost when nobody acts. */
  readonly nextLoss: NextLoss | null;
  /** When the last item left the queue, RFC 3339. */
  readonly lastClosedAt: string | null;
  /** Names of the tenant's connections, for the filter. */
  readonly connections: readonly string[];
}

export interface NextLoss {
  readonly itemId: string;
  readonly requestRef: string;
  readonly at: string;
  readonly clock: "business" | "platform";
}

/** Counts of filtered lists are exact up to here, then "more than". */
const COUNT_MAX = 10_000;

/**
 * One page of the review queue with its views, ageing bars and the next loss (RV-4). Breached items come first, then
 * what is lost first, then consequence, then age; closed ones come newest first. Nothing that is in the queue is left
 * out of every view.
 */
export async function reviewListPage(
  db: Database,
  tenantId: string,
  viewer: ReviewViewer,
  query: ReviewsQuery,
): Promise<ReviewListPage> {
  return asTenant(db, tenantId, async (tx) => {
    const now = (await ledgerNow(tx)).toISOString();
    const order = query.view === "closed" ? CLOSED : QUEUE;
    const filters = filtersOf(tenantId, viewer, query);
    const place = beyond(order, query.after);
    const found = await foundRows(
      tx,
      Prisma.sql`SELECT i.*, ${placeOf(order)} AS cursor,
          row_number() OVER (ORDER BY ${order.by}) AS place
        FROM review_items i WHERE ${Prisma.join([...filters, ...place], " AND ")}
        ORDER BY ${order.by} LIMIT ${query.size + 1}`,
    );
    const kept = found.slice(0, query.size);
    const shown = new Set(kept.map(({ id }) => id));
    const queue = await queueCounts(tx, tenantId, viewer);
    const count = await countOf(tx, query, filters, queue.counts);
    return {
      now,
      rows: kept.map((row) => rowOf(row, viewer, now)),
      also: await rowsOf(
        tx,
        tenantId,
        viewer,
        query.also.filter((id) => !shown.has(id)),
        now,
      ),
      older: found.length > query.size ? (kept.at(-1)?.cursor ?? null) : null,
      count: Math.min(count, COUNT_MAX),
      more: count > COUNT_MAX,
      ...queue,
      nextLoss: await nextLoss(tx, tenantId),
      lastClosedAt: await lastClosed(tx, tenantId),
      connections: await connectionNames(tx, tenantId),
    };
  });
}

/** What a view shows, before any filter. A filter by status says itself which statuses are meant. */
function viewFilters({ view, status }: ReviewsQuery, viewer: ReviewViewer): Prisma.Sql[] {
  if (view === "closed") return [Prisma.sql`i.closed_at IS NOT NULL`];
  const open = [Prisma.sql`i.closed_at IS NULL`];
  if (view === "second_person" || view === "settled" || view === "snoozed") {
    return [...open, Prisma.sql`i.status = ${view}`];
  }
  if (status.length === 0) {
    open.push(
      view === "all"
        ? Prisma.sql`i.status <> 'settled'`
        : Prisma.sql`i.status NOT IN ('settled', 'snoozed')`,
    );
  }
  if (view === "mine") open.push(mine(viewer));
  if (view === "untaken") open.push(Prisma.sql`i.assigned_to IS NULL`);
  if (view === "breached") open.push(Prisma.sql`(NOT i.breached) = false`);
  if (view === "critical") open.push(Prisma.sql`i.consequence = 1`);
  return open;
}

function mine({ accountId, role }: ReviewViewer): Prisma.Sql {
  const team = role === null ? "" : teamOf(role);
  return Prisma.sql`(i.team = ${team} OR i.owner = ${`account:${accountId}`})`;
}

function filtersOf(tenantId: string, viewer: ReviewViewer, query: ReviewsQuery): Prisma.Sql[] {
  const filters = [Prisma.sql`i.tenant_id = ${tenantId}::uuid`, ...viewFilters(query, viewer)];
  const { reason, owner, team, status, consequence, kind, connection, age, request } = query;
  if (reason) filters.push(Prisma.sql`i.reason = ${reason}`);
  if (owner) {
    filters.push(Prisma.sql`i.owner = ${owner === "me" ? `account:${viewer.accountId}` : owner}`);
  }
  if (team) filters.push(Prisma.sql`i.team = ${team}`);
  if (status.length > 0) filters.push(Prisma.sql`i.status = ANY(${[...status]})`);
  if (consequence.length > 0) {
    const places = consequence.map((each) => CONSEQUENCES.indexOf(each) + 1);
    filters.push(Prisma.sql`i.consequence = ANY(${places}::smallint[])`);
  }
  if (kind.length > 0) filters.push(Prisma.sql`i.kind = ANY(${[...kind]})`);
  if (connection) {
    filters.push(Prisma.sql`i.connection_id = (SELECT id FROM connections
      WHERE tenant_id = ${tenantId}::uuid AND name = ${connection})`);
  }
  if (age === "breached") filters.push(Prisma.sql`i.breached`);
  if (age === "warning") filters.push(Prisma.sql`NOT i.breached AND i.warn_at <= ledger_now()`);
  if (age === "within") filters.push(Prisma.sql`NOT i.breached AND i.warn_at > ledger_now()`);
  if (request) filters.push(Prisma.sql`i.request_ref = ${request}`);
  return filters;
}

/** The names of filters besides the view and the place. */
const NARROWING = [
  "reason",
  "owner",
  "team",
  "status",
  "consequence",
  "kind",
  "connection",
  "age",
  "request",
] as const satisfies readonly (keyof ReviewsQuery)[];

/** How many match: by the counts of the views where nothing narrows them, else counted no further than needed. */
async function countOf(
  tx: Tx,
  query: ReviewsQuery,
  filters: readonly Prisma.Sql[],
  counts: ViewCounts,
): Promise<number> {
  const narrowed = NARROWING.some((name) => (query[name]?.length ?? 0) > 0);
  if (!narrowed && query.view !== "closed") return counts[query.view];
  const [row] = await tx.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (SELECT 1 FROM review_items i
      WHERE ${Prisma.join([...filters], " AND ")} LIMIT ${COUNT_MAX + 1}) counted`;
  return row?.count ?? 0;
}

async function rowsOf(
  tx: Tx,
  tenantId: string,
  viewer: ReviewViewer,
  ids: readonly string[],
  now: string,
): Promise<ReviewRow[]> {
  if (ids.length === 0) return [];
  const found = await foundRows(
    tx,
    Prisma.sql`SELECT i.*, '' AS cursor, 1 AS place FROM review_items i
      WHERE i.tenant_id = ${tenantId}::uuid AND i.id = ANY(${[...ids]}::uuid[])`,
  );
  return found.map((row) => rowOf(row, viewer, now));
}

/** By the index of the queue: once among the breached items, once among the others. */
async function nextLoss(tx: Tx, tenantId: string): Promise<NextLoss | null> {
  const [row] = await tx.$queryRaw<
    { id: string; request_ref: string; loses_at: Date; by_business: boolean }[]
  >`
    SELECT first.id, first.request_ref, first.loses_at, r.business_deadline_at IS NOT DISTINCT FROM first.loses_at
      AS by_business
    FROM (VALUES (true), (false)) AS kept(in_time), LATERAL (
      SELECT i.tenant_id, i.id, i.request_ref, i.loses_at FROM review_items i
      WHERE i.tenant_id = ${tenantId}::uuid AND i.closed_at IS NULL AND (NOT i.breached) = kept.in_time
        AND coalesce(i.loses_at, 'infinity'::timestamptz) > ledger_now() AND i.loses_at IS NOT NULL
        AND i.status <> 'settled'
      ORDER BY coalesce(i.loses_at, 'infinity'::timestamptz) LIMIT 1) first
    JOIN requests r ON r.tenant_id = first.tenant_id AND r.ref = first.request_ref
    ORDER BY first.loses_at LIMIT 1`;
  if (!row) return null;
  return {
    itemId: row.id,
    requestRef: row.request_ref,
    at: row.loses_at.toISOString(),
    clock: row.by_business ? "business" : "platform",
  };
}

async function lastClosed(tx: Tx, tenantId: string): Promise<string | null> {
  const [row] = await tx.$queryRaw<{ at: Date }[]>`
    SELECT closed_at AS at FROM review_items
    WHERE tenant_id = ${tenantId}::uuid AND closed_at IS NOT NULL
    ORDER BY closed_at DESC LIMIT 1`;
  return row?.at.toISOString() ?? null;
}

async function connectionNames(tx: Tx, tenantId: string): Promise<string[]> {
  const rows = await tx.connection.findMany({
    where: { tenantId },
    select: { name: true },
    orderBy: { name: "asc" },
  });
  return rows.map(({ name }) => name);
}
