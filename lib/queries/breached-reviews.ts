import type { Tx } from "@/lib/store/db";

/** How many review items are older than the limit of their consequence (RV-4), as the queue's own view counts them. */
export async function breachedReviews(tx: Tx, tenantId: string): Promise<number> {
  const [row] = await tx.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM review_items
    WHERE tenant_id = ${tenantId}::uuid AND closed_at IS NULL AND (NOT breached) = false
      AND status NOT IN ('settled', 'snoozed')`;
  return row?.count ?? 0;
}
