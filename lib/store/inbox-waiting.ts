import type { Db, Tx } from "./db";

/** A recorded event that is to be applied, taken for one try. */
export interface TakenEvent {
  readonly tenantId: string;
  readonly id: string;
  readonly connectionId: string;
  readonly hasEventId: boolean;
  readonly type: string;
  readonly platformRef: string | null;
  readonly clientReference: string | null;
  readonly claimedStatus: string | null;
  readonly occurredAt: Date | null;
  /** Tries that failed before. */
  readonly attempts: number;
}

/** A try that ended with its process is made again after this time. Milliseconds. */
const AGAIN_MS = 30_000;

/**
 * Takes recorded events whose try is due (IN-2), the longest due first; each is taken by one worker at a time. Needs a
 * connection that sees every tenant.
 */
export async function takeEventsToApply(db: Db, limit: number): Promise<TakenEvent[]> {
  return db.$queryRaw<TakenEvent[]>`
    WITH due AS MATERIALIZED (
      SELECT tenant_id, id FROM inbox_events WHERE outcome = 'received' AND next_try_at <= ledger_now()
      ORDER BY next_try_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )
    UPDATE inbox_events i SET next_try_at = ledger_now() + ${AGAIN_MS}::integer * interval '1 millisecond'
    FROM due d WHERE i.tenant_id = d.tenant_id AND i.id = d.id
    RETURNING i.tenant_id AS "tenantId", i.id, i.connection_id AS "connectionId", i.has_event_id AS "hasEventId",
      i.type, i.platform_ref AS "platformRef", i.client_reference AS "clientReference",
      i.claimed_status AS "claimedStatus", i.occurred_at AS "occurredAt", i.attempts`;
}

/** Gives a recorded event up after its last try (IN-8): it stays with its body. False when it was applied meanwhile. */
export async function buryEvent(
  tx: Tx,
  tenantId: string,
  id: string,
  error: string,
): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE inbox_events SET outcome = 'dead', attempts = attempts + 1, last_error = ${error}
    WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid AND outcome = 'received'`;
  return count === 1;
}

/** Makes events that waited for the send of this request due to be applied (C-13). Returns how many. */
export async function matchInboxEvents(
  tx: Tx,
  tenantId: string,
  connectionId: string,
  platformRef: string,
): Promise<number> {
  return tx.$executeRaw`
    UPDATE inbox_events SET outcome = 'received', next_try_at = ledger_now()
    WHERE tenant_id = ${tenantId}::uuid AND connection_id = ${connectionId}::uuid
      AND platform_ref = ${platformRef} AND outcome = 'unmatched'`;
}

/**
 * Ends the waiting of unmatched events (IN-4): those whose request is known by now, or whose connection has no open
 * send any more, are applied again, which sets the latter aside; those that wait for longer than `maxMs` go to a
 * person. The oldest first. Needs a connection that sees every tenant. Returns how many moved.
 */
export async function endWaiting(db: Db, maxMs: number, limit: number): Promise<number> {
  return db.$executeRaw`
    WITH old AS MATERIALIZED (
      SELECT i.tenant_id, i.id, i.received_at < ledger_now() - ${maxMs}::bigint * interval '1 millisecond' AS too_long,
        EXISTS (SELECT 1 FROM requests r WHERE r.tenant_id = i.tenant_id AND r.connection_id = i.connection_id
          AND r.platform_ref = i.platform_ref) AS known,
        EXISTS (SELECT 1 FROM operations o
          WHERE o.tenant_id = i.tenant_id AND o.connection_id = i.connection_id AND o.kind = 'send'
            AND (o.state IN ('claimed', 'submitting', 'needs_reconcile', 'reconciling', 'needs_review')
              OR o.state = 'scheduled' AND o.attempts > 0)) AS send_open
      FROM inbox_events i WHERE i.outcome = 'unmatched'
      ORDER BY i.received_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ), moved AS (
      UPDATE inbox_events i
      SET outcome = CASE WHEN old.known OR NOT old.send_open THEN 'received' ELSE 'quarantined' END,
        next_try_at = ledger_now()
      FROM old
      WHERE i.tenant_id = old.tenant_id AND i.id = old.id AND (old.known OR old.too_long OR NOT old.send_open)
      RETURNING i.tenant_id, i.id, i.outcome, i.received_at
    ), reviewed AS (
      INSERT INTO review_items (tenant_id, id, inbox_id, reason, owner, evidence)
      SELECT tenant_id, gen_random_uuid(), id, 'event_unmatched_too_long', 'team:on-call',
        json_build_object('received_at', received_at)::text
      FROM moved WHERE outcome = 'quarantined'
      ON CONFLICT DO NOTHING
    )
    SELECT 1 FROM moved`;
}

/** One recorded day of one tenant's contradictions that a read has answered by now. */
export interface Contradiction {
  readonly tenantId: string;
  readonly requestRef: string;
  readonly inboxId: string;
  readonly receiptId: string;
  readonly observed: string | null;
}

/**
 * Tells people of contradicting ends once a read that started after the event has answered (IN-5): the read is named
 * by the event, and one item per request opens with its answer. Needs a connection that sees every tenant. Returns the
 * contradictions that it settled.
 */
export async function settleContradictions(db: Db, limit: number): Promise<Contradiction[]> {
  return db.$queryRaw<Contradiction[]>`
    WITH told AS MATERIALIZED (
      SELECT i.tenant_id, i.id, i.request_ref, i.contradicts, i.claimed_status, seen.id AS receipt_id, seen.status,
        seen.outcome, seen.started_at
      FROM inbox_events i CROSS JOIN LATERAL (
        SELECT n.id, n.status, n.outcome, n.started_at FROM read_receipts n
        WHERE n.tenant_id = i.tenant_id AND n.request_ref = i.request_ref
          AND n.started_at >= i.received_at AND n.outcome IN ('read', 'not_found')
        ORDER BY n.started_at LIMIT 1) seen
      WHERE i.contradicts IS NOT NULL AND i.receipt_id IS NULL
      ORDER BY i.received_at LIMIT ${limit} FOR UPDATE OF i SKIP LOCKED
    ), named AS (
      UPDATE inbox_events i SET receipt_id = told.receipt_id
      FROM told WHERE i.tenant_id = told.tenant_id AND i.id = told.id
      RETURNING i.id
    ), reviewed AS (
      INSERT INTO review_items (tenant_id, id, request_ref, inbox_id, reason, owner, evidence)
      SELECT told.tenant_id, gen_random_uuid(), told.request_ref, told.id, 'contradicting_end', 'team:on-call',
        json_build_object('inbox', told.id, 'receipt', told.receipt_id, 'old', told.contradicts,
          'new', told.claimed_status, 'observed', coalesce(told.status, told.outcome), 'moment', told.started_at)::text
      FROM told
      ON CONFLICT DO NOTHING
    )
    SELECT told.tenant_id AS "tenantId", told.request_ref AS "requestRef", told.id AS "inboxId",
      told.receipt_id AS "receiptId", told.status AS observed
    FROM told JOIN named ON named.id = told.id`;
}

/** Recorded events that are not applied after a time that policy allows, and events that wait for their send. */
export interface LateEvents {
  readonly tenantId: string;
  readonly state: "received" | "unmatched";
  readonly count: number;
  readonly oldestMs: number;
}

/**
 * The condition of an alert (IN-2, IN-4): per tenant how many recorded events were not applied, or not matched, within
 * `maxMs`, and how old the oldest is. Empty when all is well. Needs a connection that sees every tenant.
 */
export async function lateEvents(db: Db, maxMs: number): Promise<LateEvents[]> {
  return db.$queryRaw<LateEvents[]>`
    SELECT tenant_id AS "tenantId", outcome AS state, count(*)::integer AS count,
      (extract(epoch FROM ledger_now() - min(received_at)) * 1000)::float8 AS "oldestMs"
    FROM inbox_events
    WHERE outcome IN ('received', 'unmatched') AND received_at < ledger_now() - ${maxMs}::bigint * interval '1 millisecond'
    GROUP BY tenant_id, outcome ORDER BY tenant_id, outcome`;
}
