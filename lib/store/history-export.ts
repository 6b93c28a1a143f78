import type { ExportedEntry, HistoryFilter } from "@/lib/domain/history-export";
import { Prisma } from "@/lib/store/prisma/client";
import type { Tx } from "./db";

/** Where a page of an export ended: the time as stored, and what tells entries of one moment apart. */
export interface ExportPlace {
  readonly at: string;
  readonly id: string;
  readonly entry: number;
}

export const EXPORT_BEGIN: ExportPlace = {
  at: "-infinity",
  id: "00000000-0000-0000-0000-000000000000",
  entry: 0,
};

function all(conditions: readonly (Prisma.Sql | null)[]): Prisma.Sql {
  return Prisma.join(
    [Prisma.sql`true`, ...conditions.filter((condition) => condition !== null)],
    " AND ",
  );
}

function between(filter: HistoryFilter): (Prisma.Sql | null)[] {
  return [
    filter.from === undefined ? null : Prisma.sql`e.at >= ${filter.from}::timestamptz`,
    filter.to === undefined ? null : Prisma.sql`e.at < ${filter.to}::timestamptz`,
    filter.who === undefined ? null : Prisma.sql`e.actor = ${filter.who}`,
  ];
}

/** Entries of operations' histories behind a place, oldest first, at most `size`. */
export async function operationEntries(
  tx: Tx,
  tenantId: string,
  filter: HistoryFilter,
  after: ExportPlace,
  size: number,
): Promise<readonly ExportedEntry[]> {
  const { request, op, kind, state, action } = filter;
  return tx.$queryRaw<ExportedEntry[]>`
    SELECT to_char(e.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at, 'operation' AS source,
      e.actor AS who, e.kind AS what, o.kind, o.request_ref AS request, e.op_id AS op, e.seq AS entry,
      e.from_state AS "from", e.to_state AS "to", e.reason, e.hash
    FROM operation_events e JOIN operations o ON o.tenant_id = e.tenant_id AND o.op_id = e.op_id
    WHERE e.tenant_id = ${tenantId}::uuid
      AND (e.at, e.op_id, e.seq) > (${after.at}::timestamptz, ${after.id}::uuid, ${after.entry}::integer)
      AND ${all([
        ...between(filter),
        request === undefined ? null : Prisma.sql`o.request_ref = ${request}`,
        op === undefined ? null : Prisma.sql`e.op_id = ${op}::uuid`,
        kind === undefined ? null : Prisma.sql`o.kind = ${kind}`,
        state === undefined ? null : Prisma.sql`e.to_state = ${state}`,
        action === undefined ? null : Prisma.sql`(e.reason = ${action} OR e.kind = ${action})`,
      ])}
    ORDER BY e.at, e.op_id, e.seq LIMIT ${size}`;
}

/**
 * What operators did, with vault readings, decisions and sign-ins, behind a place, oldest first, at most `size`; nothing
 * where the filter is about operations.
 */
export async function operatorEntries(
  tx: Tx,
  tenantId: string,
  filter: HistoryFilter,
  after: ExportPlace,
  size: number,
): Promise<readonly (ExportedEntry & { readonly id: string; readonly seq: number })[]> {
  const { request, op, kind, state, action } = filter;
  if ([request, op, kind, state].some((narrow) => narrow !== undefined)) return [];
  return tx.$queryRaw<(ExportedEntry & { id: string; seq: number })[]>`
    SELECT to_char(e.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at, 'operator' AS source,
      e.actor AS who, e.action AS what, NULL AS kind, NULL AS request, NULL AS op, NULL AS entry, NULL AS "from",
      e.about AS "to", e.reason, NULL AS hash, e.id, e.seq
    FROM operator_entries e
    WHERE e.tenant_id = ${tenantId}::uuid
      AND (e.at, e.id, e.seq) > (${after.at}::timestamptz, ${after.id}::uuid, ${after.entry}::integer)
      AND ${all([
        ...between(filter),
        action === undefined ? null : Prisma.sql`e.action = ${action}`,
      ])}
    ORDER BY e.at, e.id, e.seq LIMIT ${size}`;
}
