import { asTenant, type Database, type Tx } from "@/lib/store/db";
import { Prisma } from "@/lib/store/prisma/client";
import type { Viewer } from "./approvals-page";
import { deadlineConditions } from "./deadlines-filter";
import {
  beyond,
  type Cursor,
  cursorText,
  EARLIEST,
  microsOf,
  orderOf,
  parseCursor,
  type Stretch,
  stretchesOf,
} from "./deadlines-keyset";
import type { DeadlinesQuery } from "./deadlines-query";
import { COLUMNS, type DeadlineRow, type FoundRow, JOINS, rowOf } from "./deadlines-row";

export interface DeadlinesPage {
  readonly now: string;
  readonly by: DeadlinesQuery["by"];
  readonly rows: readonly DeadlineRow[];
  /** Present data of the references asked for with `also`, where they are not on this page. */
  readonly also: readonly DeadlineRow[];
  readonly older: string | null;
  readonly newer: string | null;
  /** Exact up to `COUNT_MAX`; `more` says that there are more. */
  readonly count: number;
  readonly more: boolean;
  readonly views: DeadlineViewCounts;
  readonly connections: readonly string[];
}

export interface DeadlineViewCounts {
  readonly due: number;
  readonly waiting: number;
  readonly unknown: number;
  readonly drift: number;
  readonly passed: number;
}

const COUNT_MAX = 10_000;

/**
 * One page of open requests by one of their clocks, with the counts of the built-in views (screens: deadlines). Every
 * part costs by what is shown, by what is open or by `COUNT_MAX`, never by the length of the history.
 */
export async function deadlinesPage(
  db: Database,
  tenantId: string,
  viewer: Viewer,
  query: DeadlinesQuery,
): Promise<DeadlinesPage> {
  return asTenant(db, tenantId, async (tx) => {
    const where = deadlineConditions(tenantId, viewer, query);
    const found = await pageOf(tx, where, query);
    const [head] = await headOf(tx, tenantId, viewer, where);
    const shown = new Set(found.rows.map(({ ref }) => ref));
    const missing = query.also.filter((ref) => !shown.has(ref));
    const also = missing.length === 0 ? [] : await rowsOf(tx, tenantId, missing);
    const total = head?.total ?? 0;
    return {
      now: (head?.now ?? new Date(0)).toISOString(),
      by: query.by,
      rows: found.rows.map((row) => rowOf(row, viewer.accountId)),
      also: also.map((row) => rowOf(row, viewer.accountId)),
      older: found.older,
      newer: found.newer,
      count: Math.min(total, COUNT_MAX),
      more: total > COUNT_MAX,
      views: {
        due: head?.due ?? 0,
        waiting: head?.waiting ?? 0,
        unknown: head?.unknown ?? 0,
        drift: head?.drift ?? 0,
        passed: head?.passed ?? 0,
      },
      connections: head?.connections ?? [],
    };
  });
}

interface Placed extends FoundRow {
  readonly stretch: Stretch["name"];
}

interface Read {
  readonly rows: readonly Placed[];
  readonly older: string | null;
  readonly newer: string | null;
}

async function pageOf(tx: Tx, where: Prisma.Sql, query: DeadlinesQuery): Promise<Read> {
  const backwards = query.before !== undefined;
  const cursor = parseCursor(query.before ?? query.after);
  const stretches = [...stretchesOf(query.by)];
  if (backwards) stretches.reverse();
  const first = stretches.findIndex(({ name }) => name === cursor?.stretch);
  const wanted = query.size + 1;
  const found: Placed[] = [];
  for (const [place, stretch] of stretches.slice(Math.max(first, 0)).entries()) {
    if (found.length >= wanted) break;
    const from = place === 0 && first >= 0 ? cursor : null;
    const rows = await stretchOf(tx, stretch, where, {
      from,
      backwards,
      limit: wanted - found.length,
    });
    found.push(...rows.map((row) => ({ ...row, stretch: stretch.name })));
  }
  const more = found.length > query.size;
  const rows = found.slice(0, query.size);
  if (backwards) rows.reverse();
  const [head, tail] = [rows[0], rows.at(-1)];
  return {
    rows,
    older: tail && (backwards || more) ? placeOf(tail) : null,
    newer: head && (backwards ? more : first >= 0) ? placeOf(head) : null,
  };
}

function placeOf({ stretch, micros, ref }: Placed): string {
  return cursorText(stretch, micros, ref);
}

interface Reading {
  readonly from: Cursor | null;
  readonly backwards: boolean;
  readonly limit: number;
}

function stretchOf(
  tx: Tx,
  stretch: Stretch,
  where: Prisma.Sql,
  { from, backwards, limit }: Reading,
): Promise<FoundRow[]> {
  const behind = from === null ? Prisma.empty : Prisma.sql`AND ${beyond(stretch, from, backwards)}`;
  return tx.$queryRaw<FoundRow[]>`
    SELECT ${COLUMNS}, ${microsOf(stretch)} AS micros ${stretch.from} ${JOINS}
    WHERE ${where} AND ${stretch.where} ${behind}
    ORDER BY ${orderOf(stretch, backwards)} LIMIT ${limit}`;
}

function rowsOf(tx: Tx, tenantId: string, refs: readonly string[]): Promise<FoundRow[]> {
  return tx.$queryRaw<FoundRow[]>`
    SELECT ${COLUMNS}, (extract(epoch FROM ${EARLIEST}) * 1000000)::bigint::text AS micros FROM requests r ${JOINS}
    WHERE r.tenant_id = ${tenantId}::uuid AND r.ref = ANY(${refs}::text[])`;
}

type Head = { now: Date; total: number; connections: string[] } & DeadlineViewCounts;

function headOf(tx: Tx, tenantId: string, viewer: Viewer, where: Prisma.Sql): Promise<Head[]> {
  const count = (
    conditions: Prisma.Sql,
  ) => Prisma.sql`(SELECT count(*)::int FROM (SELECT 1 FROM requests r
    JOIN connections c ON c.tenant_id = r.tenant_id AND c.id = r.connection_id
    WHERE ${conditions} LIMIT ${COUNT_MAX + 1}) counted)`;
  const view = (filter: Parameters<typeof deadlineConditions>[2]) =>
    count(deadlineConditions(tenantId, viewer, filter));
  return tx.$queryRaw<Head[]>`SELECT ledger_now() AS now, ${count(where)} AS total,
    ${view({ due: "48h" })} AS due, ${view({ waiting: "me" })} AS waiting, ${view({ unknown: "yes" })} AS unknown,
    ${view({ drift: "yes" })} AS drift, ${view({ passed: "yes" })} AS passed,
    ARRAY(SELECT name FROM connections WHERE tenant_id = ${tenantId}::uuid ORDER BY name) AS connections`;
}
