import type { OutboxCause, OutboxType } from "@/lib/domain/outbox";
import type { Tx } from "./db";

export interface NewOutboxEvent {
  readonly requestRef: string;
  readonly type: OutboxType;
  /** Ids only: `{ op }`, `{ inbox }`, `{ receipt }`. */
  readonly cause: OutboxCause;
  /** False for what an event claims: it leaves only after an authoritative read agrees (IN-9). */
  readonly released: boolean;
}

/**
 * Writes what there is to tell of a request in the transaction that caused it (OB-1). One row however often the same
 * end is reported: an end is named by type, platform reference and, for an expiry, the instant that passed; a row of
 * the type that still waits for its read stands for the end that is reported now. Call it after the mirror is written.
 */
export async function writeOutbox(tx: Tx, tenantId: string, event: NewOutboxEvent): Promise<void> {
  const { requestRef, type, cause, released } = event;
  await tx.$executeRaw`
    INSERT INTO outbox_events (tenant_id, id, request_ref, type, fact, revision, cause, held_reason, released_at,
      receipt_id)
    SELECT r.tenant_id, gen_random_uuid(), r.ref, ${type},
      CASE WHEN ${type} = 'operation.settled' THEN coalesce(${cause.op ?? null}, '') || ':' || ${cause.state ?? ""}
        ELSE end_fact(r, ${type}) END,
      CASE WHEN ${type} = 'operation.settled' THEN NULL ELSE r.revision END, ${JSON.stringify(cause)},
      CASE WHEN ${released} THEN NULL ELSE 'awaiting_read' END, CASE WHEN ${released} THEN ledger_now() END,
      ${cause.receipt ?? null}::uuid
    FROM requests r
    WHERE r.tenant_id = ${tenantId}::uuid AND r.ref = ${requestRef}
      AND NOT EXISTS (
        SELECT 1 FROM outbox_events h
        WHERE h.tenant_id = r.tenant_id AND h.request_ref = r.ref AND h.type = ${type} AND h.released_at IS NULL)
    ON CONFLICT (tenant_id, request_ref, type, fact) WHERE request_ref IS NOT NULL DO NOTHING`;
}

/**
 * Releases what waited for an authoritative read that shows `status` (IN-9): the read agrees. `receiptId` is that
 * read. Call it after the mirror is written. Returns how many were released; 0 when nothing waited.
 */
export async function releaseOutbox(
  tx: Tx,
  tenantId: string,
  requestRef: string,
  status: string,
  receiptId: string,
): Promise<number> {
  return tx.$executeRaw`
    UPDATE outbox_events e
    SET released_at = ledger_now(), receipt_id = ${receiptId}::uuid, revision = r.revision,
      fact = CASE WHEN EXISTS (
          SELECT 1 FROM outbox_events o
          WHERE o.tenant_id = e.tenant_id AND o.request_ref = e.request_ref AND o.type = e.type AND o.id <> e.id
            AND o.fact = end_fact(r, e.type))
        THEN e.fact ELSE end_fact(r, e.type) END
    FROM requests r
    WHERE e.tenant_id = ${tenantId}::uuid AND e.request_ref = ${requestRef} AND e.type = 'request.' || ${status}
      AND e.released_at IS NULL AND r.tenant_id = e.tenant_id AND r.ref = e.request_ref`;
}

/**
 * Says of what still waits that an authoritative read shows something else (IN-9): it stays held. Only a read that
 * started `lagMs` after the claim was recorded counts, because an earlier one may simply not have known yet.
 * Returns the types that are disputed from now on.
 */
export async function disputeOutbox(
  tx: Tx,
  tenantId: string,
  requestRef: string,
  shown: {
    readonly status: string;
    readonly receiptId: string;
    readonly startedAt: Date;
    readonly lagMs: number;
  },
): Promise<OutboxType[]> {
  const rows = await tx.$queryRaw<{ type: OutboxType }[]>`
    UPDATE outbox_events SET held_reason = 'read_disagrees', receipt_id = ${shown.receiptId}::uuid
    WHERE tenant_id = ${tenantId}::uuid AND request_ref = ${requestRef} AND type LIKE 'request.%'
      AND type <> 'request.' || ${shown.status} AND released_at IS NULL AND held_reason = 'awaiting_read'
      AND created_at + ${shown.lagMs}::integer * interval '1 millisecond' <= ${shown.startedAt}
    RETURNING type`;
  return rows.map(({ type }) => type);
}

/**
 * Has a request read again once a read can count for what still waits (IN-9): its sweep comes then at the latest.
 * Returns how many requests that moved.
 */
export async function hastenSweep(
  tx: Tx,
  tenantId: string,
  requestRef: string,
  lagMs: number,
): Promise<number> {
  return tx.$executeRaw`
    UPDATE requests r SET next_sweep_at = held.until
    FROM (
      SELECT max(created_at) + ${lagMs}::integer * interval '1 millisecond' AS until FROM outbox_events
      WHERE tenant_id = ${tenantId}::uuid AND request_ref = ${requestRef} AND released_at IS NULL
        AND held_reason = 'awaiting_read') held
    WHERE r.tenant_id = ${tenantId}::uuid AND r.ref = ${requestRef} AND r.next_sweep_at > held.until`;
}
