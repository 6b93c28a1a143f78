import { asTenant, type Database, ledgerNow, type Tx } from "@/lib/store/db";
import { Prisma } from "@/lib/store/prisma/client";
import { BUSINESS, PLATFORM } from "./deadlines-keyset";

export interface MonthEntry {
  readonly ref: string;
  /** The request's own zone. */
  readonly zone: string;
  readonly mark: "business" | "platform" | "remind" | "expire";
  readonly at: string;
  readonly unknown: boolean;
}

export interface DeadlinesMonth {
  readonly now: string;
  readonly month: string;
  /** By instant. They begin a day before the month and end a day after it: on which day an instant falls depends on
   * the zone in which it is read. */
  readonly entries: readonly MonthEntry[];
  /** True when there are more than could be given. */
  readonly more: boolean;
}

/** Of each kind of mark; a month with more is better read as a table. */
const EACH_MAX = 500;

/** Every clock and timer of open requests that falls into a month (`2026-12`) in some zone. */
export async function deadlinesMonth(
  db: Database,
  tenantId: string,
  month: string,
): Promise<DeadlinesMonth> {
  return asTenant(db, tenantId, async (tx) => {
    const now = (await ledgerNow(tx)).toISOString();
    const [year = 0, number = 1] = month.split("-").map(Number);
    const from = new Date(Date.UTC(year, number - 1, 0));
    const to = new Date(Date.UTC(year, number, 2));
    const found = await entriesOf(tx, tenantId, from, to);
    const counts = new Map<string, number>();
    for (const { mark } of found) counts.set(mark, (counts.get(mark) ?? 0) + 1);
    return {
      now,
      month,
      entries: found.map(({ at, ...entry }) => ({ ...entry, at: at.toISOString() })),
      more: [...counts.values()].some((count) => count >= EACH_MAX),
    };
  });
}

type Found = Omit<MonthEntry, "at"> & { readonly at: Date };

function entriesOf(tx: Tx, tenantId: string, from: Date, to: Date): Promise<Found[]> {
  const clock = (
    mark: string,
    key: Prisma.Sql,
  ) => Prisma.sql`(SELECT r.ref, r.zone, ${mark} AS mark, ${key} AS at
    FROM requests r WHERE r.tenant_id = ${tenantId}::uuid AND NOT r.mirror_terminal
      AND ${key} >= ${from} AND ${key} < ${to} ORDER BY ${key}, r.ref LIMIT ${EACH_MAX})`;
  return tx.$queryRaw<Found[]>`
    SELECT found.*, EXISTS (SELECT 1 FROM operations u WHERE u.tenant_id = ${tenantId}::uuid
      AND u.request_ref = found.ref AND u.state IN ('needs_reconcile', 'reconciling')) AS unknown
    FROM (${clock("business", BUSINESS)} UNION ALL ${clock("platform", PLATFORM)} UNION ALL
      (SELECT t.request_ref, r.zone, t.kind, t.due_at
        FROM operations t JOIN requests r ON r.tenant_id = t.tenant_id AND r.ref = t.request_ref
        WHERE t.tenant_id = ${tenantId}::uuid AND t.state = 'scheduled' AND t.kind IN ('remind', 'expire')
          AND t.due_at >= ${from} AND t.due_at < ${to} AND NOT r.mirror_terminal
        ORDER BY t.due_at, t.request_ref LIMIT ${EACH_MAX})) found
    ORDER BY found.at, found.ref`;
}
