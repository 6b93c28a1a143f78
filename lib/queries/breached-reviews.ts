import { AGE_LIMIT_MS, consequenceOf } from "@/lib/domain/consequence";
import type { OperationKind } from "@/lib/domain/operation";
import type { Tx } from "@/lib/store/db";

interface OpenItem {
  readonly kind: OperationKind | null;
  readonly reason: string;
  readonly opened_at: Date;
  readonly loses_at: Date | null;
}

/** Only this many of the oldest items are looked at: beyond it a badge says nothing more. */
const LOOKED_AT_MAX = 500;

/** How many open review items are older than the limit of their consequence (RV-4), as the queue itself counts. */
export async function breachedReviews(tx: Tx, tenantId: string, now: Date): Promise<number> {
  const items = await tx.$queryRaw<OpenItem[]>`
    SELECT o.kind, i.reason, i.opened_at, least(r.business_deadline_at, r.mirror_expires_at) AS loses_at
    FROM review_items i
    LEFT JOIN operations o ON o.tenant_id = i.tenant_id AND o.op_id = i.op_id
    LEFT JOIN requests r ON r.tenant_id = i.tenant_id AND r.ref = coalesce(i.request_ref, o.request_ref)
    WHERE i.tenant_id = ${tenantId}::uuid AND i.settled_at IS NULL
    ORDER BY i.opened_at, i.id LIMIT ${LOOKED_AT_MAX}`;
  return items.filter((item) => isBreached(item, now)).length;
}

function isBreached(item: OpenItem, now: Date): boolean {
  const { kind, reason } = item;
  const losesAt = item.loses_at?.toISOString() ?? null;
  const limit = AGE_LIMIT_MS[consequenceOf({ kind, reason, losesAt }, now.toISOString())];
  return now.getTime() - item.opened_at.getTime() > limit;
}
