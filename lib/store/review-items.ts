import type { Tx } from "./db";

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
