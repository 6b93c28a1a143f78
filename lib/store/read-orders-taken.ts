import { READ_SHARE } from "@/lib/domain/read-reserve";
import type { Db, Tx } from "./db";

/** A read that somebody at the console, or an event, waits for. */
export interface TakenReadOrder {
  readonly tenantId: string;
  readonly id: string;
  readonly requestRef: string;
  readonly connectionId: string;
  readonly platformRef: string | null;
  /** Who ordered it: `platform:<connection>` for an event. */
  readonly orderedBy: string;
  /** Reads for it that were not answered. */
  readonly tries: number;
}

/** A read that was begun and not reported, by a crash, is made again after this time. Milliseconds. */
const AGAIN_MS = 120_000;

/**
 * Takes the orders whose time has come, the longest due first; each is taken by one worker. One that a worker took and
 * never answered is taken again, so that no order is lost (RC-6). Needs a connection that sees every tenant.
 */
export async function takeReadOrders(db: Db, limit: number): Promise<TakenReadOrder[]> {
  return db.$queryRaw<TakenReadOrder[]>`
    WITH waiting AS MATERIALIZED (
      SELECT tenant_id, id FROM read_orders WHERE receipt_id IS NULL AND due_at <= ledger_now()
      ORDER BY due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )
    UPDATE read_orders o
    SET taken_at = ledger_now(), due_at = ledger_now() + ${AGAIN_MS}::integer * interval '1 millisecond'
    FROM waiting w, requests r
    WHERE o.tenant_id = w.tenant_id AND o.id = w.id
      AND r.tenant_id = o.tenant_id AND r.ref = o.request_ref
    RETURNING o.tenant_id AS "tenantId", o.id, o.request_ref AS "requestRef", r.connection_id AS "connectionId",
      r.platform_ref AS "platformRef", o.ordered_by AS "orderedBy", o.tries`;
}

/**
 * Lets through as many of these orders of one connection as its read budget has room for (PL-7), the oldest first, and
 * puts the others back until the moment at which theirs fits. Pages and events stop before the budget is used up, so
 * that operations keep their reserve. Returns when each that may be read now was let through, by its id. Two workers
 * that ask at the same moment can each be let through.
 */
export async function admitReadOrders(
  tx: Tx,
  tenantId: string,
  connectionId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  const rows = await tx.$queryRaw<{ id: string; takenAt: Date | null }[]>`
    WITH budget AS MATERIALIZED (
      SELECT greatest(1, floor(l.reads_per_hour * ${READ_SHARE.page}::float8))::integer AS reads
      FROM effective_limits(${tenantId}::uuid) l
      WHERE l.connection_id = ${connectionId}::uuid AND l.reads_per_hour IS NOT NULL
    ), asked AS MATERIALIZED (
      SELECT id, row_number() OVER (ORDER BY ordered_at, id)::integer AS place FROM read_orders
      WHERE tenant_id = ${tenantId}::uuid AND id = ANY(${[...ids]}::uuid[])
    ), decided AS MATERIALIZED (
      SELECT a.id, CASE WHEN b.reads IS NULL THEN NULL
        WHEN a.place > b.reads THEN ledger_now() + interval '1 hour' ELSE (
        SELECT r.started_at + interval '1 hour' FROM read_receipts r
        WHERE r.tenant_id = ${tenantId}::uuid AND r.connection_id = ${connectionId}::uuid
          AND r.started_at > ledger_now() - interval '1 hour'
        ORDER BY r.started_at DESC OFFSET b.reads - a.place LIMIT 1) END AS free_at
      FROM asked a LEFT JOIN budget b ON true
    )
    UPDATE read_orders o
    SET taken_at = CASE WHEN d.free_at IS NULL THEN ledger_now() END, due_at = coalesce(d.free_at, o.due_at)
    FROM decided d WHERE o.tenant_id = ${tenantId}::uuid AND o.id = d.id
    RETURNING o.id, o.taken_at AS "takenAt"`;
  return new Map(rows.flatMap(({ id, takenAt }) => (takenAt === null ? [] : [[id, takenAt]])));
}

/** Puts an order whose read was not answered back for `pauseMs`. */
export async function postponeReadOrder(
  tx: Tx,
  tenantId: string,
  id: string,
  pauseMs: number,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE read_orders SET taken_at = NULL, tries = tries + 1,
      due_at = ledger_now() + ${pauseMs}::integer * interval '1 millisecond'
    WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid AND receipt_id IS NULL`;
}

/** Says which receipt answers an order. */
export async function answerReadOrder(
  tx: Tx,
  tenantId: string,
  id: string,
  receiptId: string,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE read_orders SET receipt_id = ${receiptId}::uuid
    WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid`;
}
