import { OPERATION_STATES, type OperationState } from "@/lib/domain/operation";
import { asTenant, type Database, type Tx } from "@/lib/store/db";
import { Prisma } from "@/lib/store/prisma/client";
import {
  beyond,
  type Cursor,
  cursorColumns,
  cursorText,
  orderOf,
  parseCursor,
  type Stretch,
  stretchesOf,
} from "./operations-keyset";
import { type OperationsQuery, sortOf, statesOf } from "./operations-query";
import { COLUMNS, type FoundRow, type OperationRow, rowOf, TABLES } from "./operations-row";

export interface StateCount {
  readonly state: OperationState;
  readonly count: number;
  readonly more: boolean;
}

export interface OperationsPage {
  readonly now: string;
  readonly sort: "risk" | "changed" | "-changed";
  readonly rows: readonly OperationRow[];
  /** Present data of the rows asked for with `also`, where they are not on this page. */
  readonly also: readonly OperationRow[];
  readonly older: string | null;
  readonly newer: string | null;
  readonly count: number;
  readonly more: boolean;
  readonly states: readonly StateCount[];
  readonly oldestUnknownSince: string | null;
  readonly connections: readonly string[];
}

/** Counts are exact up to here, then "more than". */
export const COUNT_MAX = 10_000;

/**
 * One page of operations with the counts of all states. Every part costs by what is shown or by `COUNT_MAX`, never by
 * the length of the history.
 */
export async function operationsPage(
  db: Database,
  tenantId: string,
  query: OperationsQuery,
): Promise<OperationsPage> {
  return asTenant(db, tenantId, async (tx) => {
    const [head] = await tx.$queryRaw<{ now: Date; oldest: Date | null }[]>`
      SELECT ledger_now() AS now, (SELECT min(unknown_since) FROM operations
        WHERE tenant_id = ${tenantId}::uuid AND state IN ('needs_reconcile', 'reconciling')) AS oldest`;
    const now = (head?.now ?? new Date(0)).toISOString();
    const { rows, older, newer } = await pageOf(tx, tenantId, query, now);
    const shown = new Set(rows.map(({ opId }) => opId));
    const states = await stateCounts(tx, tenantId);
    const total = await countOf(tx, tenantId, query, states);
    return {
      now,
      sort: sortOf(query),
      rows,
      also: await rowsOf(
        tx,
        tenantId,
        query.also.filter((id) => !shown.has(id)),
        now,
      ),
      older,
      newer,
      count: Math.min(total, COUNT_MAX),
      more: total > COUNT_MAX,
      states,
      oldestUnknownSince: head?.oldest?.toISOString() ?? null,
      connections: await connectionNames(tx, tenantId),
    };
  });
}

type Placed = FoundRow & { readonly stretch: Stretch };

async function pageOf(tx: Tx, tenantId: string, query: OperationsQuery, now: string) {
  const stretches = stretchesOf(sortOf(query), statesOf(query));
  const [after, before] = [parseCursor(query.after), parseCursor(query.before)];
  const backwards = after === null && before !== null;
  const cursor = after ?? before;
  const found = await collect(tx, tenantId, query, stretches, cursor, backwards);
  const more = found.length > query.size;
  const kept = found.slice(0, query.size);
  if (backwards) kept.reverse();
  const [first, last] = [kept[0], kept.at(-1)];
  const newer = backwards ? more : cursor !== null;
  const older = backwards || more;
  return {
    rows: kept.map((row) => rowOf(row, now)),
    newer: newer && first ? cursorText(first.stretch, first.place) : null,
    older: older && last ? cursorText(last.stretch, last.place) : null,
  };
}

/** Rows from the cursor on, through as many stretches as it takes to fill a page and one row more. */
async function collect(
  tx: Tx,
  tenantId: string,
  query: OperationsQuery,
  stretches: readonly Stretch[],
  cursor: Cursor | null,
  backwards: boolean,
): Promise<Placed[]> {
  const ordered = backwards ? [...stretches].reverse() : stretches;
  const start = ordered.findIndex(({ name }) => name === cursor?.stretch);
  const found: Placed[] = [];
  for (const stretch of ordered.slice(Math.max(0, start))) {
    const filters = [...filtersOf(tenantId, query, stretch.states)];
    if (cursor?.stretch === stretch.name) filters.push(beyond(stretch, cursor, backwards));
    const rows = await tx.$queryRaw<FoundRow[]>`
      SELECT ${COLUMNS}, ${cursorColumns(stretch)} AS place ${TABLES}
      WHERE ${Prisma.join(filters, " AND ")}
      ORDER BY ${orderOf(stretch, backwards)}
      LIMIT ${query.size + 1 - found.length}`;
    found.push(...rows.map((row) => ({ ...row, stretch })));
    if (found.length > query.size) break;
  }
  return found;
}

/** The conditions of a list; `states` are those of one stretch. */
export function filtersOf(
  tenantId: string,
  query: OperationsQuery,
  states: readonly OperationState[],
): readonly Prisma.Sql[] {
  const filters = [Prisma.sql`o.tenant_id = ${tenantId}::uuid`];
  if (states.length < OPERATION_STATES.length) filters.push(oneOf(Prisma.sql`o.state`, states));
  if (query.kind.length > 0) filters.push(oneOf(Prisma.sql`o.kind`, query.kind));
  if (query.reason) filters.push(Prisma.sql`o.reason = ${query.reason}`);
  if (query.request) filters.push(Prisma.sql`o.request_ref = ${query.request}`);
  if (query.connection) {
    filters.push(Prisma.sql`o.connection_id = (SELECT id FROM connections
      WHERE tenant_id = ${tenantId}::uuid AND name = ${query.connection})`);
  }
  if (query.age !== null) {
    filters.push(
      Prisma.sql`o.changed_at <= ledger_now() - ${query.age}::bigint * interval '1 millisecond'`,
    );
  }
  if (query.q) filters.push(searched(query.q.trim()));
  return filters;
}

/** A single value as an equation: only then can an index that begins with the column give the rows in order. */
function oneOf(column: Prisma.Sql, values: readonly string[]): Prisma.Sql {
  if (values.length === 1) return Prisma.sql`${column} = ${values[0]}`;
  return Prisma.sql`${column} = ANY(${[...values]})`;
}

/** An op id or its beginning, a request's reference or an operation's key; each of the three has an index. */
function searched(text: string): Prisma.Sql {
  const either = [Prisma.sql`o.request_ref = ${text}`, Prisma.sql`o.op_key = ${text}`];
  const digits = text
    .toLowerCase()
    .replace(/^op\s+/, "")
    .replaceAll("-", "");
  if (/^[0-9a-f]{4,32}$/.test(digits)) {
    const [from, to] = [digits.padEnd(32, "0"), digits.padEnd(32, "f")];
    either.push(Prisma.sql`o.op_id BETWEEN ${from}::uuid AND ${to}::uuid`);
  }
  return Prisma.sql`(${Prisma.join(either, " OR ")})`;
}

/** The one condition that every list has. */
const ONLY_TENANT = 1;

/** How many match, counted no further than needed. Where only states are asked for, their own counts say it. */
async function countOf(
  tx: Tx,
  tenantId: string,
  query: OperationsQuery,
  states: readonly StateCount[],
): Promise<number> {
  const filters = filtersOf(tenantId, query, statesOf(query));
  const others = filtersOf(tenantId, query, OPERATION_STATES).length - ONLY_TENANT;
  if (others === 0) {
    const shown = states.filter(({ state }) => statesOf(query).includes(state));
    return shown.reduce((sum, { count, more }) => sum + count + (more ? 1 : 0), 0);
  }
  const [row] = await tx.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (SELECT 1 FROM operations o
      WHERE ${Prisma.join([...filters], " AND ")} LIMIT ${COUNT_MAX + 1}) counted`;
  return row?.count ?? 0;
}

async function stateCounts(tx: Tx, tenantId: string): Promise<StateCount[]> {
  const rows = await tx.$queryRaw<{ state: OperationState; count: number }[]>`
    SELECT s.state, counted.count FROM unnest(${[...OPERATION_STATES]}::text[]) AS s(state),
      LATERAL (SELECT count(*)::int AS count FROM (SELECT 1 FROM operations o
        WHERE o.tenant_id = ${tenantId}::uuid AND o.state = s.state LIMIT ${COUNT_MAX + 1}) limited) counted`;
  const counts = new Map(rows.map(({ state, count }) => [state, count]));
  return OPERATION_STATES.map((state) => {
    const count = counts.get(state) ?? 0;
    return { state, count: Math.min(count, COUNT_MAX), more: count > COUNT_MAX };
  });
}

async function rowsOf(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
  now: string,
): Promise<OperationRow[]> {
  if (ids.length === 0) return [];
  const rows = await tx.$queryRaw<FoundRow[]>`SELECT ${COLUMNS}, ARRAY[]::text[] AS place ${TABLES}
    WHERE o.tenant_id = ${tenantId}::uuid AND o.op_id = ANY(${[...ids]}::uuid[])`;
  return rows.map((row) => rowOf(row, now));
}

async function connectionNames(tx: Tx, tenantId: string): Promise<string[]> {
  const rows = await tx.connection.findMany({
    where: { tenantId },
    select: { name: true },
    orderBy: { name: "asc" },
  });
  return rows.map(({ name }) => name);
}
