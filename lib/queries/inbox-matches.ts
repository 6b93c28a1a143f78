import { asTenant, type Database, type Tx } from "@/lib/store/db";
import { Prisma } from "@/lib/store/prisma/client";
import { type InboxQuery, inboxFilters } from "./inbox-query";

/** Counts are exact up to here, then "more than". */
export const COUNT_MAX = 10_000;

/** How many events match, counted up to one more than `COUNT_MAX`. */
export async function countMatches(tx: Tx, tenantId: string, query: InboxQuery): Promise<number> {
  const [row] = await tx.$queryRaw<{ count: number }[]>`
    SELECT count(*)::integer AS count FROM (SELECT 1 FROM inbox_events i
      WHERE ${Prisma.join(inboxFilters(tenantId, query), " AND ")} LIMIT ${COUNT_MAX + 1}) counted`;
  return row?.count ?? 0;
}

/** What matches a list's filters now, as a person selects it to be replayed: ids of the newest, and how many there are. */
export interface InboxMatches {
  readonly ids: readonly string[];
  readonly count: number;
  readonly more: boolean;
}

/** At most so many events are replayed as one selection. */
export const SELECTION_MAX = 500;

/** The ids that match now, at most `SELECTION_MAX`, the newest first; what comes later is not in it. */
export async function inboxMatches(
  db: Database,
  tenantId: string,
  query: InboxQuery,
): Promise<InboxMatches> {
  return asTenant(db, tenantId, async (tx) => {
    const count = await countMatches(tx, tenantId, query);
    const rows = await tx.$queryRaw<{ id: string }[]>`
      SELECT i.id FROM inbox_events i
      WHERE ${Prisma.join(inboxFilters(tenantId, query), " AND ")}
      ORDER BY i.received_at DESC, i.id DESC LIMIT ${SELECTION_MAX}`;
    return {
      ids: rows.map(({ id }) => id),
      count: Math.min(count, COUNT_MAX),
      more: count > COUNT_MAX,
    };
  });
}

/** How many events were received from one instant up to another, the later one not included. */
export async function countBetween(
  db: Database,
  tenantId: string,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<number> {
  return asTenant(db, tenantId, async (tx) => {
    const [row] = await tx.$queryRaw<{ count: number }[]>`
      SELECT count(*)::integer AS count FROM inbox_events
      WHERE tenant_id = ${tenantId}::uuid AND received_at >= ${from} AND received_at < ${to}`;
    return row?.count ?? 0;
  });
}
