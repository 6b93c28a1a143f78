import type { Db } from "./db";

/**
 * Places events that still wait for their read as held deliveries, so that everybody sees what is not told yet. Each
 * event once; another worker's are skipped. Returns how many events.
 */
export async function placeHeld(db: Db, limit: number): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    WITH fresh AS MATERIALIZED (
      SELECT tenant_id, id FROM outbox_events
      WHERE placed_at IS NULL AND released_at IS NULL
      ORDER BY created_at, id LIMIT ${limit}
      FOR UPDATE SKIP LOCKED
    ), placed AS (
      UPDATE outbox_events e SET placed_at = ledger_now()
      FROM fresh f WHERE e.tenant_id = f.tenant_id AND e.id = f.id
      RETURNING e.tenant_id, e.id, e.request_ref, e.type
    ), made AS (
      INSERT INTO outbox_deliveries (tenant_id, id, outbox_id, subscriber_id, request_ref, state)
      SELECT p.tenant_id, gen_random_uuid(), p.id, s.id, p.request_ref, 'held'
      FROM placed p JOIN subscribers s ON s.tenant_id = p.tenant_id AND p.type = ANY (s.event_types)
      ON CONFLICT (tenant_id, outbox_id, subscriber_id) DO NOTHING
    )
    SELECT count(*)::int AS count FROM placed`;
  return row?.count ?? 0;
}

/**
 * Gives released events their numbers and makes or frees a delivery for everybody who wants them (OB-1). One worker
 * at a time numbers, so that what became visible later never gets the lower number; others go on without waiting.
 * Returns how many events.
 */
export async function numberReleased(db: Db, limit: number): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    WITH mine AS MATERIALIZED (
      SELECT pg_try_advisory_xact_lock(hashtextextended('outbox numbers', 0)) AS got
    ), fresh AS MATERIALIZED (
      SELECT e.tenant_id, e.id, e.released_at FROM outbox_events e
      WHERE e.seq IS NULL AND e.released_at IS NOT NULL AND (SELECT got FROM mine)
      ORDER BY e.released_at, e.id LIMIT ${limit}
      FOR UPDATE
    ), numbers AS MATERIALIZED (
      SELECT f.tenant_id, f.id, nextval('outbox_seq') AS seq
      FROM (SELECT * FROM fresh ORDER BY released_at, id) f
    ), numbered AS (
      UPDATE outbox_events e SET seq = n.seq, placed_at = coalesce(e.placed_at, ledger_now())
      FROM numbers n WHERE e.tenant_id = n.tenant_id AND e.id = n.id
      RETURNING e.tenant_id, e.id, e.request_ref, e.type, e.seq, e.subscriber_id
    ), freed AS (
      UPDATE outbox_deliveries d SET state = 'queued', seq = e.seq, next_try_at = ledger_now()
      FROM numbered e WHERE d.tenant_id = e.tenant_id AND d.outbox_id = e.id AND d.state = 'held'
    ), made AS (
      INSERT INTO outbox_deliveries (tenant_id, id, outbox_id, subscriber_id, request_ref, seq, state)
      SELECT e.tenant_id, gen_random_uuid(), e.id, s.id, e.request_ref, e.seq, 'queued'
      FROM numbered e JOIN subscribers s ON s.tenant_id = e.tenant_id
        AND CASE WHEN e.subscriber_id IS NULL THEN e.type = ANY (s.event_types) ELSE s.id = e.subscriber_id END
      ON CONFLICT (tenant_id, outbox_id, subscriber_id) DO NOTHING
    )
    SELECT count(*)::int AS count FROM numbered`;
  return row?.count ?? 0;
}

/** A delivery in the hands of one worker until its lease ends, with all that one attempt needs. */
export interface ClaimedDelivery {
  readonly tenantId: string;
  readonly id: string;
  readonly outboxId: string;
  readonly subscriberId: string;
  readonly requestRef: string | null;
  readonly type: string;
  readonly body: string;
  /** The number of this attempt: a report under a lower one is not taken. */
  readonly attempt: number;
  /** How many tries there were since it was last queued, this one included. */
  readonly tries: number;
  readonly url: string;
  readonly owner: string;
  readonly secretId: string;
  readonly secretSealed: string;
  /** The secret before, while it signs along; null otherwise. */
  readonly previousId: string | null;
  readonly previousSealed: string | null;
  /** The database server's time, which no test moves: subscribers compare it with their own clock. */
  readonly signedAt: Date;
}

/** How many deliveries one subscriber gets at once: a slow one may not take all hands. */
const AT_ONCE_PER_SUBSCRIBER = 4;

/**
 * Claims deliveries that are due, of active subscribers, under a lease by database time (OB-1). An event waits while an
 * earlier one of the same request is neither delivered, dead nor discarded for the same subscriber; what another
 * worker holds is skipped. Writes the begin of the attempt in the same statement, so that every call that leaves was
 * recorded before.
 */
export async function claimDeliveries(
  db: Db,
  worker: { readonly id: string; readonly name: string },
  limit: number,
  leaseMs: number,
): Promise<ClaimedDelivery[]> {
  return db.$queryRaw<ClaimedDelivery[]>`
    WITH due AS MATERIALIZED (
      SELECT d.tenant_id, d.id
      FROM subscribers s CROSS JOIN LATERAL (
        SELECT d.tenant_id, d.id FROM outbox_deliveries d
        WHERE d.tenant_id = s.tenant_id AND d.subscriber_id = s.id AND d.state IN ('queued', 'retrying')
          AND d.next_try_at <= ledger_now() AND (d.lease_until IS NULL OR d.lease_until <= ledger_now())
          AND NOT EXISTS (
            SELECT 1 FROM outbox_deliveries e
            WHERE e.tenant_id = d.tenant_id AND e.subscriber_id = d.subscriber_id
              AND e.request_ref = d.request_ref AND e.seq < d.seq AND e.state IN ('queued', 'retrying'))
        ORDER BY d.next_try_at, d.seq
        LIMIT greatest(0, ${AT_ONCE_PER_SUBSCRIBER}::integer - (
          SELECT count(*) FROM outbox_deliveries h
          WHERE h.tenant_id = s.tenant_id AND h.subscriber_id = s.id AND h.state IN ('queued', 'retrying')
            AND h.lease_until > ledger_now()))
        FOR UPDATE SKIP LOCKED
      ) d
      WHERE s.state = 'active'
      LIMIT ${limit}
    ), claimed AS (
      UPDATE outbox_deliveries d
      SET lease_owner = ${worker.id}::uuid, lease_until = ledger_now() + ${leaseMs}::integer * interval '1 millisecond',
        attempts = attempts + 1, tries = tries + 1
      FROM due WHERE d.tenant_id = due.tenant_id AND d.id = due.id
      RETURNING d.*
    ), begun AS (
      INSERT INTO delivery_attempts (tenant_id, delivery_id, attempt, worker)
      SELECT tenant_id, id, attempts, ${worker.name} FROM claimed
    )
    SELECT c.tenant_id AS "tenantId", c.id, c.outbox_id AS "outboxId", c.subscriber_id AS "subscriberId",
      c.request_ref AS "requestRef", e.type, e.body, c.attempts AS attempt, c.tries, s.url, s.owner,
      s.secret_id AS "secretId", s.secret_sealed AS "secretSealed",
      CASE WHEN s.previous_until > ledger_now() THEN s.previous_id END AS "previousId",
      CASE WHEN s.previous_until > ledger_now() THEN s.previous_sealed END AS "previousSealed",
      statement_timestamp() AS "signedAt"
    FROM claimed c
    JOIN outbox_events e ON e.tenant_id = c.tenant_id AND e.id = c.outbox_id
    JOIN subscribers s ON s.tenant_id = c.tenant_id AND s.id = c.subscriber_id
    ORDER BY c.seq`;
}
