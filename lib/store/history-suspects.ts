import type { CheckScope } from "@/lib/domain/history-scope";
import { Prisma } from "@/lib/store/prisma/client";
import type { Tx } from "./db";

/** A part of a tenant's operations by their ids: all that lie behind `after` up to `upto`, or just `ids`. */
export type OperationRange =
  | { readonly after: string; readonly upto: string }
  | { readonly ids: readonly string[] };

export const FIRST_ID = "00000000-0000-0000-0000-000000000000";
const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/**
 * The next `size` operations of a scope behind `after`, in order of their ids, as a range; null behind the last one.
 * `next` is where to go on, null at the end. For the whole history the range is closed: what lies between two
 * operations and belongs to none is in it.
 */
export async function nextRange(
  tx: Tx,
  tenantId: string,
  scope: CheckScope,
  after: string,
  size: number,
): Promise<{ readonly range: OperationRange; readonly next: string | null }> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT o.op_id AS id FROM operations o
    WHERE o.tenant_id = ${tenantId}::uuid AND o.op_id > ${after}::uuid AND ${within(scope)}
    ORDER BY o.op_id LIMIT ${size}`;
  const ids = rows.map(({ id }) => id);
  const next = ids.length < size ? null : (ids.at(-1) ?? null);
  if (scope.kind !== "all") return { range: { ids }, next };
  return { range: { after, upto: next ?? LAST_ID }, next };
}

/** The condition of a scope on the operations `o`. */
export function within(scope: CheckScope): Prisma.Sql {
  switch (scope.kind) {
    case "all":
      return Prisma.sql`true`;
    case "request":
      return Prisma.sql`o.request_ref = ${scope.ref}`;
    case "operation":
      return Prisma.sql`o.op_id = ${scope.op}::uuid`;
    case "period":
      return Prisma.sql`o.created_at < ${scope.to}::timestamptz AND o.changed_at >= ${scope.from}::timestamptz
        AND EXISTS (SELECT 1 FROM operation_events e WHERE e.tenant_id = o.tenant_id AND e.op_id = o.op_id
          AND e.at >= ${scope.from}::timestamptz AND e.at < ${scope.to}::timestamptz)`;
  }
}

function inRange(range: OperationRange): Prisma.Sql {
  return "ids" in range
    ? Prisma.sql`op_id = ANY(${[...range.ids]}::uuid[])`
    : Prisma.sql`op_id > ${range.after}::uuid AND op_id <= ${range.upto}::uuid`;
}

export interface RangeCheck {
  readonly chains: number;
  readonly entries: number;
  /** Operations that have to be looked at one by one. */
  readonly suspects: readonly string[];
}

/**
 * Compares everything that a range of operations holds, within the database (SM-4): entries with their text, their
 * hash and the entry before them; heads, payload versions and seal leaves with the entries; dates with complete
 * seals. Says which operations do not fit, not why.
 */
export async function suspectsIn(
  tx: Tx,
  tenantId: string,
  range: OperationRange,
): Promise<RangeCheck> {
  const mine = Prisma.sql`tenant_id = ${tenantId}::uuid AND ${inRange(range)}`;
  const [row] = await tx.$queryRaw<RangeCheck[]>`
    WITH e AS MATERIALIZED (
      SELECT *, row_number() OVER chain AS place, lag(hash) OVER chain AS hash_before,
        lag(to_state) OVER chain AS state_before
      FROM operation_events WHERE ${mine}
      WINDOW chain AS (PARTITION BY op_id ORDER BY seq)
    ), tails AS (
      SELECT DISTINCT ON (op_id) op_id, seq AS length, hash FROM e ORDER BY op_id, seq DESC
    ), own AS MATERIALIZED (
      SELECT op_id, chain_length, chain_head, version, payload_hash, canonical_text FROM operations WHERE ${mine}
    ), versions AS MATERIALIZED (
      SELECT op_id, version, payload_hash, canonical_text FROM operation_versions WHERE ${mine}
    ), leaves AS MATERIALIZED (
      SELECT op_id, seal_seq, length, head FROM seal_leaves WHERE ${mine}
    ), suspects AS (
      SELECT op_id FROM e WHERE ${ENTRY_DOES_NOT_FIT}
      UNION SELECT coalesce(o.op_id, t.op_id) FROM own o FULL JOIN tails t ON t.op_id = o.op_id
        WHERE (o.chain_length, o.chain_head) IS DISTINCT FROM (t.length, t.hash)
      UNION SELECT op_id FROM versions
        WHERE encode(sha256(convert_to(canonical_text, 'UTF8')), 'hex') <> payload_hash
          AND NOT (canonical_text = '{}' AND payload_may_go(${tenantId}::uuid, op_id))
      UNION SELECT o.op_id FROM own o LEFT JOIN versions v ON v.op_id = o.op_id AND v.version = o.version
        WHERE (v.payload_hash, v.canonical_text) IS DISTINCT FROM (o.payload_hash, o.canonical_text)
      UNION SELECT e.op_id FROM e LEFT JOIN versions v ON v.op_id = e.op_id
          AND v.version::text = CASE WHEN e.body IS JSON OBJECT THEN e.body::json ->> 'version' END
        WHERE v.payload_hash IS DISTINCT FROM CASE WHEN e.body IS JSON OBJECT THEN e.body::json ->> 'payload_hash' END
      UNION SELECT l.op_id FROM leaves l LEFT JOIN e ON e.op_id = l.op_id AND e.seq = l.length
        WHERE e.hash IS DISTINCT FROM l.head
      UNION SELECT e.op_id FROM e
        LEFT JOIN LATERAL (SELECT min(l.seal_seq) AS seq FROM seal_leaves l
          WHERE l.tenant_id = ${tenantId}::uuid AND l.op_id = e.op_id AND l.length >= e.seq) cover ON true
        WHERE e.at < (SELECT s.covered_until FROM seals s WHERE s.tenant_id = ${tenantId}::uuid AND s.complete
          AND s.seq < coalesce(cover.seq, 2147483647) ORDER BY s.seq DESC LIMIT 1)
    )
    SELECT (SELECT count(*)::integer FROM own) AS chains, (SELECT count(*)::integer FROM e) AS entries,
      ARRAY(SELECT op_id::text FROM suspects ORDER BY op_id) AS suspects`;
  return row ?? { chains: 0, entries: 0, suspects: [] };
}

/** True for an entry of `e` that does not fit its text, its place or the entry before it. */
const ENTRY_DOES_NOT_FIT = Prisma.sql`seq <> place
  OR hash <> encode(sha256(convert_to(coalesce(hash_before, '') || body, 'UTF8')), 'hex')
  OR CASE WHEN body IS JSON OBJECT THEN
    (body::json ->> 'tenant', body::json ->> 'op', body::json ->> 'seq', body::json ->> 'kind',
      body::json ->> 'from', body::json ->> 'to', body::json ->> 'reason', body::json ->> 'actor',
      body::json ->> 'at')
    IS DISTINCT FROM (tenant_id::text, op_id::text, seq::text, kind, from_state, to_state, reason, actor,
      to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
    OR body::json ->> 'from' IS DISTINCT FROM state_before
  ELSE true END`;
