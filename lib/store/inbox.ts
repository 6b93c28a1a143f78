import type { Db, Tx } from "./db";

/** The door of one platform connection (IN-1). */
export interface InboxDoor {
  readonly tenantId: string;
  readonly name: string;
  readonly adapter: string;
  readonly webhookSecretsSealed: string;
}

/** The tenant that a connection belongs to; null when there is no such connection. Needs no tenant (IN-1). */
export async function tenantOfConnection(db: Db, connectionId: string): Promise<string | null> {
  const [row] = await db.$queryRaw<{ tenant: string | null }[]>`
    SELECT tenant_of_connection(${connectionId}::uuid) AS tenant`;
  return row?.tenant ?? null;
}

/** What is needed to check a delivery, without the platform's credential. */
export async function inboxDoor(
  tx: Tx,
  tenantId: string,
  connectionId: string,
): Promise<InboxDoor | null> {
  return tx.connection.findUnique({
    where: { tenantId_id: { tenantId, id: connectionId } },
    select: { tenantId: true, name: true, adapter: true, webhookSecretsSealed: true },
  });
}

export interface NewInboxEvent {
  readonly tenantId: string;
  readonly id: string;
  readonly connectionId: string;
  readonly identity: string;
  readonly hasEventId: boolean;
  readonly type: string;
  readonly platformRef: string | null;
  readonly clientReference: string | null;
  readonly claimedStatus: string | null;
  readonly occurredAt: string | null;
  readonly outcome: string;
  readonly keyId: string;
  readonly bodySealed: string;
}

/**
 * Records a delivery once per identity (IN-2); a copy of a recorded one only counts up. True when it was new: only
 * then may it have consequences, in the same transaction.
 */
export async function recordInboxEvent(tx: Tx, event: NewInboxEvent): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ fresh: boolean }[]>`
    INSERT INTO inbox_events (tenant_id, id, connection_id, identity, has_event_id, type, platform_ref,
      client_reference, claimed_status, occurred_at, outcome, key_id, body_sealed, applied_at)
    VALUES (${event.tenantId}::uuid, ${event.id}::uuid, ${event.connectionId}::uuid, ${event.identity},
      ${event.hasEventId}, ${event.type}, ${event.platformRef}, ${event.clientReference},
      ${event.claimedStatus}, ${event.occurredAt}::timestamptz, ${event.outcome}, ${event.keyId},
      ${event.bodySealed}, CASE WHEN ${event.outcome} = 'applied' THEN ledger_now() END)
    ON CONFLICT (tenant_id, connection_id, identity) DO UPDATE SET copies = inbox_events.copies + 1
    RETURNING copies = 1 AS fresh`;
  return row?.fresh ?? false;
}

/** What decides where an event belongs: the request that it is about, and whether a send may still own it. */
export interface EventPlace {
  readonly requestRef: string | null;
  readonly sendOpen: boolean;
  /** The request of the send that carries the event's client reference. */
  readonly ownSendRef: string | null;
}

/** Finds the request of an event and the sends of its connection that are not settled yet (IN-4). */
export async function placeOfEvent(
  tx: Tx,
  tenantId: string,
  connectionId: string,
  event: { readonly platformRef: string; readonly clientReference: string | null },
): Promise<EventPlace> {
  const [row] = await tx.$queryRaw<EventPlace[]>`
    SELECT (
        SELECT ref FROM requests
        WHERE tenant_id = ${tenantId}::uuid AND connection_id = ${connectionId}::uuid
          AND platform_ref = ${event.platformRef}) AS "requestRef",
      EXISTS (
        SELECT 1 FROM operations
        WHERE tenant_id = ${tenantId}::uuid AND connection_id = ${connectionId}::uuid AND kind = 'send'
          AND state IN ('claimed', 'submitting', 'needs_reconcile', 'reconciling', 'needs_review')) AS "sendOpen",
      (SELECT request_ref FROM operations
        WHERE tenant_id = ${tenantId}::uuid AND connection_id = ${connectionId}::uuid AND kind = 'send'
          AND op_id::text = ${event.clientReference}) AS "ownSendRef"`;
  return row ?? { requestRef: null, sendOpen: false, ownSendRef: null };
}

/** Applies events that waited for the send of this request to be settled (C-13). Returns how many. */
export async function matchInboxEvents(
  tx: Tx,
  tenantId: string,
  connectionId: string,
  platformRef: string,
): Promise<number> {
  return tx.$executeRaw`
    UPDATE inbox_events SET outcome = 'applied', applied_at = ledger_now()
    WHERE tenant_id = ${tenantId}::uuid AND connection_id = ${connectionId}::uuid
      AND platform_ref = ${platformRef} AND outcome = 'unmatched'`;
}

/** Opens a review item about input that belongs to no operation (RV-1, IN-4). */
export async function openInputReview(
  tx: Tx,
  tenantId: string,
  item: { readonly inboxId: string; readonly reason: string; readonly owner: string },
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO review_items (tenant_id, id, inbox_id, reason, owner, evidence)
    VALUES (${tenantId}::uuid, gen_random_uuid(), ${item.inboxId}::uuid, ${item.reason}, ${item.owner}, '{}')`;
}
