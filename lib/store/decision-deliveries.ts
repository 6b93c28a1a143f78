import type { Tx } from "./db";

/** The dead letters of a subscriber, oldest first (OB-1). */
export async function deadDeliveriesOf(
  tx: Tx,
  tenantId: string,
  subscriberId: string,
): Promise<readonly string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM outbox_deliveries
    WHERE tenant_id = ${tenantId}::uuid AND subscriber_id = ${subscriberId}::uuid AND state = 'dead'
    ORDER BY seq, id`;
  return rows.map(({ id }) => id);
}
