import type { Db } from "./db";
import type { DueSweep } from "./drift-sweeps";

/** A poll that was taken and not finished, by a crash, is taken again after this time. Milliseconds. */
const AGAIN_MS = 120_000;

/**
 * Takes open requests of polled connections whose turn it is (IN-7), the longest due of each connection first; each is
 * taken by one worker. A connection is polled always, or while no authentic delivery came for as long as it says.
 * Needs a connection that sees every tenant.
 */
export async function takeDuePolls(db: Db, limit: number): Promise<DueSweep[]> {
  return db.$queryRaw<DueSweep[]>`
    WITH polled AS MATERIALIZED (
      SELECT c.tenant_id, c.id FROM connections c
      WHERE c.polling = 'always' OR c.polling = 'when_silent' AND NOT EXISTS (
        SELECT 1 FROM inbox_events i
        WHERE i.tenant_id = c.tenant_id AND i.connection_id = c.id AND i.source = 'webhook'
          AND coalesce(i.last_copy_at, i.received_at) >
            ledger_now() - c.silent_after_ms * interval '1 millisecond')
    ), due AS MATERIALIZED (
      SELECT found.tenant_id, found.ref FROM polled p CROSS JOIN LATERAL (
        SELECT r.tenant_id, r.ref, r.next_poll_at FROM requests r
        WHERE r.tenant_id = p.tenant_id AND r.connection_id = p.id AND NOT r.mirror_terminal
          AND r.platform_ref IS NOT NULL AND r.next_poll_at <= ledger_now()
        ORDER BY r.next_poll_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
      ) found
      ORDER BY found.next_poll_at LIMIT ${limit}
    )
    UPDATE requests r SET next_poll_at = ledger_now() + ${AGAIN_MS}::integer * interval '1 millisecond'
    FROM due d
    WHERE r.tenant_id = d.tenant_id AND r.ref = d.ref
    RETURNING r.tenant_id AS "tenantId", r.ref, r.connection_id AS "connectionId", r.platform_ref AS "platformRef",
      r.mirror_read_at AS "mirrorReadAt", least(r.business_deadline_at, r.mirror_expires_at) AS earliest,
      ledger_now() AS "takenAt"`;
}

/** Says when the request is polled next. */
export async function setNextPoll(db: Db, tenantId: string, ref: string, at: Date): Promise<void> {
  await db.$executeRaw`
    UPDATE requests SET next_poll_at = ${at} WHERE tenant_id = ${tenantId}::uuid AND ref = ${ref}`;
}
