import type { DeliveryState } from "@/lib/domain/outbox";
import type { Tx } from "./db";

/** A delivery that goes out again. */
export interface Replayed {
  readonly id: string;
  readonly subscriberId: string;
}

/**
 * Queues deliveries again under the same message id, due at once and with all their tries; what waits for its next
 * try has it now. What is held, or in a worker's hands, stays as it is. Returns those that were queued.
 */
export async function replayDeliveries(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
  by: string,
): Promise<Replayed[]> {
  return tx.$queryRaw<Replayed[]>`
    UPDATE outbox_deliveries d
    SET state = 'queued', seq = e.seq, tries = 0, next_try_at = ledger_now(), delivered_at = NULL, discarded_by = NULL,
      discard_reason = NULL, replayed_by = ${by}, replayed_at = ledger_now()
    FROM outbox_events e
    WHERE d.tenant_id = ${tenantId}::uuid AND d.id = ANY (${[...ids]}::uuid[]) AND e.tenant_id = d.tenant_id
      AND e.id = d.outbox_id AND e.seq IS NOT NULL AND d.state <> 'held'
      AND (d.lease_until IS NULL OR d.lease_until <= ledger_now())
    RETURNING d.id, d.subscriber_id AS "subscriberId"`;
}

/**
 * Ends a delivery without sending it; `reason` is the vault entry with what the person wrote. Returns its subscriber;
 * null when it has ended otherwise or a worker is sending it just now.
 */
export async function discardDelivery(
  tx: Tx,
  tenantId: string,
  id: string,
  decision: { readonly by: string; readonly reason: string },
): Promise<string | null> {
  const [row] = await tx.$queryRaw<{ subscriberId: string }[]>`
    UPDATE outbox_deliveries
    SET state = 'discarded', lease_owner = NULL, lease_until = NULL, discarded_by = ${decision.by},
      discard_reason = ${decision.reason}::uuid
    WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid AND state IN ('held', 'queued', 'retrying', 'dead')
      AND (lease_until IS NULL OR lease_until <= ledger_now())
    RETURNING subscriber_id AS "subscriberId"`;
  return row?.subscriberId ?? null;
}

/** The state of a delivery of the tenant; null when there is none. */
export async function deliveryState(
  tx: Tx,
  tenantId: string,
  id: string,
): Promise<DeliveryState | null> {
  const row = await tx.outboxDelivery.findUnique({
    where: { tenantId_id: { tenantId, id } },
    select: { state: true },
  });
  return (row?.state as DeliveryState | undefined) ?? null;
}

/** Settles the questions about dead letters of subscribers that have none left. Returns how many. */
export async function settleDeadReviews(
  tx: Tx,
  tenantId: string,
  subscriberIds: readonly string[],
): Promise<number> {
  return tx.$executeRaw`
    UPDATE review_items i SET settled_at = ledger_now()
    WHERE i.tenant_id = ${tenantId}::uuid AND i.subscriber_id = ANY (${[...subscriberIds]}::uuid[])
      AND i.reason = 'delivery_dead' AND i.settled_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM outbox_deliveries d
        WHERE d.tenant_id = i.tenant_id AND d.subscriber_id = i.subscriber_id AND d.state = 'dead')`;
}
