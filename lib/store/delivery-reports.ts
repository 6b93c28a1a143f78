import type { Tx } from "./db";

export interface DeliveryReport {
  readonly deliveryId: string;
  readonly attempt: number;
  readonly workerId: string;
  readonly outcome: string;
  readonly status: number | null;
  readonly durationMs: number;
  /** What becomes of the delivery; `retrying` comes back after `nextInMs`. */
  readonly to: "delivered" | "retrying" | "dead";
  readonly nextInMs: number;
}

/**
 * Writes what an attempt came to. The log takes it always; the delivery only while this worker holds it under this
 * very attempt. False when the lease was lost: another attempt decides then, and nothing else may follow from this one.
 */
export async function reportDelivery(
  tx: Tx,
  tenantId: string,
  report: DeliveryReport,
): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ took: boolean }[]>`
    WITH logged AS (
      UPDATE delivery_attempts
      SET outcome = ${report.outcome}, status = ${report.status}, duration_ms = ${report.durationMs}
      WHERE tenant_id = ${tenantId}::uuid AND delivery_id = ${report.deliveryId}::uuid AND attempt = ${report.attempt}
    ), taken AS (
      UPDATE outbox_deliveries
      SET state = ${report.to}, lease_owner = NULL, lease_until = NULL, last_status = ${report.status},
        last_error = CASE WHEN ${report.outcome} = 'delivered' THEN NULL ELSE ${report.outcome} END,
        last_at = ledger_now(), delivered_at = CASE WHEN ${report.to} = 'delivered' THEN ledger_now() END,
        next_try_at = ledger_now() + ${report.nextInMs}::float8 * interval '1 millisecond'
      WHERE tenant_id = ${tenantId}::uuid AND id = ${report.deliveryId}::uuid
        AND lease_owner = ${report.workerId}::uuid AND attempts = ${report.attempt}
        AND state IN ('queued', 'retrying')
      RETURNING 1
    )
    SELECT EXISTS (SELECT 1 FROM taken) AS took`;
  return row?.took ?? false;
}

/**
 * Stops a subscriber that does not want to be told or must not be (OB-1); what waits for it is kept. False when it
 * was stopped already.
 */
export async function stopByRelay(
  tx: Tx,
  tenantId: string,
  subscriberId: string,
  why: "gone" | "target_refused",
): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE subscribers SET state = 'stopped', stopped_why = ${why}, stopped_by = 'system:relay', stopped_at = ledger_now()
    WHERE tenant_id = ${tenantId}::uuid AND id = ${subscriberId}::uuid AND state = 'active'`;
  return count === 1;
}

export interface SubscriberReview {
  readonly subscriberId: string;
  readonly reason: "delivery_dead" | "delivery_gone" | "delivery_target_refused";
  /** Never empty (RV-1). */
  readonly owner: string;
  /** Ids, codes and numbers only (PV-4). */
  readonly evidence: object;
}

/** Opens a review item about a subscriber, one per reason while it is open. */
export async function openSubscriberReview(
  tx: Tx,
  tenantId: string,
  item: SubscriberReview,
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO review_items (tenant_id, id, subscriber_id, reason, owner, evidence)
    VALUES (${tenantId}::uuid, gen_random_uuid(), ${item.subscriberId}::uuid, ${item.reason}, ${item.owner},
      ${JSON.stringify(item.evidence)})
    ON CONFLICT DO NOTHING`;
}
