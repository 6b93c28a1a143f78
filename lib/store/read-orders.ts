import type { Db, Tx } from "@/lib/store/db";

/**
 * Asks the worker for a read of a request, or joins an order that nobody has taken yet; returns the order's id, or
 * null when this tenant has no such request. One statement.
 */
export async function insertReadOrder(
  tx: Tx,
  order: { readonly tenantId: string; readonly requestRef: string; readonly orderedBy: string },
): Promise<string | null> {
  const [row] = await tx.$queryRaw<{ id: string }[]>`
    WITH waiting AS (
      SELECT id FROM read_orders
      WHERE tenant_id = ${order.tenantId}::uuid AND request_ref = ${order.requestRef} AND taken_at IS NULL
      ORDER BY ordered_at LIMIT 1
    ), added AS (
      INSERT INTO read_orders (tenant_id, id, request_ref, ordered_by)
      SELECT r.tenant_id, gen_random_uuid(), r.ref, ${order.orderedBy} FROM requests r
      WHERE r.tenant_id = ${order.tenantId}::uuid AND r.ref = ${order.requestRef}
        AND NOT EXISTS (SELECT 1 FROM waiting)
      RETURNING id
    )
    SELECT id FROM waiting UNION ALL SELECT id FROM added`;
  return row?.id ?? null;
}

export interface ReadOrderRow {
  readonly id: string;
  readonly requestRef: string;
  readonly orderedAt: Date;
  readonly takenAt: Date | null;
  readonly receiptId: string | null;
  /** While nobody reads: the moment at which the read budget has room for it (PL-7); null when it is next. */
  readonly possibleAt: Date | null;
}

/** One order of a tenant; null when there is none. */
export async function readOrderById(
  db: Db,
  tenantId: string,
  id: string,
): Promise<ReadOrderRow | null> {
  const [row] = await db.$queryRaw<ReadOrderRow[]>`
    SELECT id, request_ref AS "requestRef", ordered_at AS "orderedAt", taken_at AS "takenAt", receipt_id AS "receiptId",
      CASE WHEN taken_at IS NULL AND due_at > ledger_now() THEN due_at END AS "possibleAt"
    FROM read_orders WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid`;
  return row ?? null;
}

/** What the receipt of an order came to, without its body; null when there is no such receipt. */
export async function receiptOutcome(
  db: Db,
  tenantId: string,
  receiptId: string,
): Promise<string | null> {
  const row = await db.readReceipt.findUnique({
    where: { tenantId_id: { tenantId, id: receiptId } },
    select: { outcome: true },
  });
  return row?.outcome ?? null;
}
