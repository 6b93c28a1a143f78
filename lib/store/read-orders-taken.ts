import type { Db, Tx } from "./db";

/** A read that somebody at the console waits for. */
export interface TakenReadOrder {
  readonly tenantId: string;
  readonly id: string;
  readonly requestRef: string;
  readonly connectionId: string;
  readonly platformRef: string | null;
  readonly takenAt: Date;
}

/** Takes the read orders that nobody has taken yet, the oldest first; each is taken once. */
export async function takeReadOrders(db: Db, limit: number): Promise<TakenReadOrder[]> {
  return db.$queryRaw<TakenReadOrder[]>`
    WITH waiting AS MATERIALIZED (
      SELECT tenant_id, id FROM read_orders WHERE taken_at IS NULL
      ORDER BY ordered_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )
    UPDATE read_orders o SET taken_at = ledger_now()
    FROM waiting w, requests r
    WHERE o.tenant_id = w.tenant_id AND o.id = w.id
      AND r.tenant_id = o.tenant_id AND r.ref = o.request_ref
    RETURNING o.tenant_id AS "tenantId", o.id, o.request_ref AS "requestRef",
      r.connection_id AS "connectionId", r.platform_ref AS "platformRef", o.taken_at AS "takenAt"`;
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
