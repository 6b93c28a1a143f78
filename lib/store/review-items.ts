import type { Tx } from "./db";

/**
 * Asks the owner of a connection to look at the clocks (TM-4, RV-1): one open item per connection. `seconds` is by how
 * much they differ. False when one is open already; its evidence stays the first one.
 */
export async function openClockReview(
  tx: Tx,
  tenantId: string,
  connectionId: string,
  seconds: number,
): Promise<boolean> {
  const evidence = JSON.stringify({ clock: "The platform's clock", n: seconds });
  const opened = await tx.$executeRaw`
    INSERT INTO review_items (tenant_id, id, connection_id, reason, owner, evidence)
    SELECT c.tenant_id, gen_random_uuid(), c.id, 'clock_skew', c.owner, ${evidence} FROM connections c
    WHERE c.tenant_id = ${tenantId}::uuid AND c.id = ${connectionId}::uuid
    ON CONFLICT DO NOTHING`;
  return opened === 1;
}

/** Settles the open item about the clocks of a connection: a read shows that they agree again (RV-1). */
export async function settleClockReview(
  tx: Tx,
  tenantId: string,
  connectionId: string,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE review_items SET settled_at = ledger_now()
    WHERE tenant_id = ${tenantId}::uuid AND connection_id = ${connectionId}::uuid AND reason = 'clock_skew'
      AND settled_at IS NULL`;
}

/**
 * Opens a review item about a request as a whole, without an operation (RV-1, RC-7, TM-6): one open item per request
 * and reason. `owner` is never empty. False when such an item is open already; its evidence stays the first one.
 */
export async function openRequestReview(
  tx: Tx,
  tenantId: string,
  item: {
    readonly requestRef: string;
    readonly reason: string;
    readonly owner: string;
    /** JSON without personal data (PV-4). */
    readonly evidence: object;
  },
): Promise<boolean> {
  const opened = await tx.$executeRaw`
    INSERT INTO review_items (tenant_id, id, request_ref, reason, owner, evidence)
    VALUES (${tenantId}::uuid, gen_random_uuid(), ${item.requestRef}, ${item.reason}, ${item.owner},
      ${JSON.stringify(item.evidence)})
    ON CONFLICT DO NOTHING`;
  return opened === 1;
}
