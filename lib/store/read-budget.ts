import { READ_SHARE, type ReadUse } from "@/lib/domain/read-reserve";
import type { Db, Tx } from "./db";

export type MayRead = { readonly may: true } | { readonly may: false; readonly freeAt: Date };

/**
 * Whether one more read of this connection fits into its budget for this use (PL-7): the reads of the last hour by
 * their receipts, against the limit that people set or else the platform states. Pages and sweeps stop before the
 * budget is used up (`READ_SHARE`). Reads that decisions have reserved count like those that were made. `freeAt` is when
 * the next read for this use fits. Without a known limit always true. Reserves nothing: callers that ask at the same
 * moment can each be let through, unless they take their turn first (`takeReadTurn`).
 */
export async function mayRead(
  db: Db,
  tenantId: string,
  connectionId: string,
  use: ReadUse,
): Promise<MayRead> {
  const [row] = await db.$queryRaw<{ freeAt: Date | null }[]>`
    WITH budget AS MATERIALIZED (
      SELECT greatest(1, floor(l.reads_per_hour * ${READ_SHARE[use]}::float8))::integer AS reads
      FROM effective_limits(${tenantId}::uuid) l
      WHERE l.connection_id = ${connectionId}::uuid AND l.reads_per_hour IS NOT NULL
    ), reserved AS MATERIALIZED (
      SELECT count(*)::integer AS reads FROM decisions d
      WHERE d.tenant_id = ${tenantId}::uuid AND d.connection_id = ${connectionId}::uuid AND d.outcome = 'reading'
        AND d.read_reserved_until > ledger_now()
    )
    SELECT CASE WHEN reserved.reads >= budget.reads THEN ledger_now() + interval '5 seconds' ELSE (
      SELECT r.started_at + interval '1 hour' FROM read_receipts r
      WHERE r.tenant_id = ${tenantId}::uuid AND r.connection_id = ${connectionId}::uuid
        AND r.started_at > ledger_now() - interval '1 hour'
      ORDER BY r.started_at DESC OFFSET budget.reads - reserved.reads - 1 LIMIT 1) END AS "freeAt"
    FROM budget, reserved`;
  const freeAt = row?.freeAt ?? null;
  return freeAt === null ? { may: true } : { may: false, freeAt };
}

/**
 * Makes those who would reserve a read of this connection do so one after the other, until the transaction ends (PL-7).
 */
export async function takeReadTurn(tx: Tx, tenantId: string, connectionId: string): Promise<void> {
  await tx.$executeRaw`
    SELECT pg_advisory_xact_lock(hashtextextended(${`reads of ${tenantId} ${connectionId}`}, 0))`;
}

export interface ReadForecast {
  readonly connectionId: string;
  readonly name: string;
  /** Reads of the last 60 minutes. */
  readonly used: number;
  /** Reads per hour; null where neither people nor the platform say one. */
  readonly limit: number | null;
  /** Reads of the last ten minutes, times six. */
  readonly hourlyRate: number;
  /** When the next read for an operation fits; null while one fits now. */
  readonly freeAt: Date | null;
}

/** What each connection of the tenant has read, may read, and would read in an hour at its present rate (PL-7). */
export async function readForecast(db: Db, tenantId: string): Promise<ReadForecast[]> {
  return db.$queryRaw<ReadForecast[]>`
    SELECT c.id AS "connectionId", c.name, read.used, l.reads_per_hour AS "limit", read.rate AS "hourlyRate",
      CASE WHEN read.used >= l.reads_per_hour THEN (
        SELECT r.started_at + interval '1 hour' FROM read_receipts r
        WHERE r.tenant_id = c.tenant_id AND r.connection_id = c.id AND r.started_at > ledger_now() - interval '1 hour'
        ORDER BY r.started_at DESC OFFSET l.reads_per_hour - 1 LIMIT 1) END AS "freeAt"
    FROM connections c JOIN effective_limits(${tenantId}::uuid) l ON l.connection_id = c.id
    CROSS JOIN LATERAL (
      SELECT count(*)::integer AS used,
        6 * count(*) FILTER (WHERE r.started_at > ledger_now() - interval '10 minutes')::integer AS rate
      FROM read_receipts r
      WHERE r.tenant_id = c.tenant_id AND r.connection_id = c.id AND r.started_at > ledger_now() - interval '1 hour'
    ) read
    WHERE c.tenant_id = ${tenantId}::uuid
    ORDER BY c.name`;
}
