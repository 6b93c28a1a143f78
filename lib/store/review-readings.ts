import type { Db, Tx } from "./db";

/** An item whose operation waits for a person and is read once more. */
export interface DueReading {
  readonly tenantId: string;
  readonly itemId: string;
  readonly connectionId: string;
  /** Database time of the taking: no read of this turn started before. */
  readonly takenAt: Date;
}

/** A reading that was taken and not finished, by a crash, is taken again after this time. Milliseconds. */
const AGAIN_MS = 120_000;

/**
 * Takes items whose next reading is due, the longest due first; each is taken by one worker. Needs a connection that
 * sees every tenant.
 */
export async function takeDueReadings(db: Db, limit: number): Promise<DueReading[]> {
  return db.$queryRaw<DueReading[]>`
    WITH due AS MATERIALIZED (
      SELECT tenant_id, id FROM review_items
      WHERE next_read_at <= ledger_now() AND settled_at IS NULL AND connection_id IS NOT NULL
      ORDER BY next_read_at, tenant_id, id LIMIT ${limit}
      FOR UPDATE SKIP LOCKED
    )
    UPDATE review_items i SET next_read_at = ledger_now() + ${AGAIN_MS}::integer * interval '1 millisecond'
    FROM due d
    WHERE i.tenant_id = d.tenant_id AND i.id = d.id
    RETURNING i.tenant_id AS "tenantId", i.id AS "itemId", i.connection_id AS "connectionId",
      ledger_now() AS "takenAt"`;
}

/** Says when the item's next reading comes; null for never. */
export async function setNextReading(
  tx: Tx,
  tenantId: string,
  itemId: string,
  at: Date | null,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE review_items SET next_read_at = ${at} WHERE tenant_id = ${tenantId}::uuid AND id = ${itemId}::uuid`;
}
