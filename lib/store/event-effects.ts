import type { OutboxType } from "@/lib/domain/outbox";
import type { Tx } from "./db";

/** One move of a mirror that events cause. `from` is what the mirror held under lock. */
export interface MirrorMove {
  readonly ref: string;
  readonly from: string | null;
  readonly to: string;
  readonly isFinal: boolean;
  /** What there is to tell others of the end that it brings, and the event that says so; null where it brings none. */
  readonly type: OutboxType | null;
  readonly inboxId: string | null;
}

/** What events did to one request. */
export interface RequestEffect {
  readonly ref: string;
  readonly moved: boolean;
  /** Unknown operations that are looked at at once. */
  readonly woken: number;
  /** It came to a final end and has operations that such an end ends (IN-6). */
  readonly hasOpen: boolean;
}

/**
 * What events do to the requests that they are about, in one statement. Mirrors move, each only while it holds what the
 * event was judged against and no final end (IN-5); nothing is counted up. The ends that this brings are written for
 * subscribers and wait for an authoritative read (IN-9), once per end. Unknown operations become due for a look (RC-6).
 * One read is ordered per request of `unread`, or one that nobody has taken yet is joined. Each request at most once in
 * `refs` and in `moves`; all of them are locked by the caller. Each request is looked up by its key, whatever the
 * statistics say.
 */
export async function moveRequests(
  tx: Tx,
  tenantId: string,
  told: {
    readonly refs: readonly string[];
    readonly moves: readonly MirrorMove[];
    readonly unread: readonly string[];
    readonly orderedBy: string;
  },
): Promise<ReadonlyMap<string, RequestEffect>> {
  const finals = told.moves.filter(({ isFinal }) => isFinal).map(({ ref }) => ref);
  const rows = await tx.$queryRaw<RequestEffect[]>`
    WITH moved AS (
      UPDATE requests r
      SET mirror_status = m."to", mirror_raw_status = NULL, mirror_terminal = m."isFinal", mirror_event_at = ledger_now()
      FROM json_to_recordset(${JSON.stringify(told.moves)}::json) AS m(
        ref text, "from" text, "to" text, "isFinal" boolean, type text, "inboxId" uuid)
      WHERE r.tenant_id = ${tenantId}::uuid AND r.ref = m.ref AND NOT r.mirror_terminal
        AND r.mirror_status IS NOT DISTINCT FROM m."from"
      RETURNING r.ref, r.revision, m.type, m."inboxId", CASE WHEN m.type IS NOT NULL THEN end_fact(r, m.type) END AS fact
    ), to_tell AS (
      INSERT INTO outbox_events (tenant_id, id, request_ref, type, fact, revision, cause, held_reason)
      SELECT ${tenantId}::uuid, gen_random_uuid(), d.ref, d.type, d.fact, d.revision,
        json_build_object('inbox', d."inboxId")::text, 'awaiting_read'
      FROM moved d LEFT JOIN LATERAL (
        SELECT true AS waits FROM outbox_events h
        WHERE h.tenant_id = ${tenantId}::uuid AND h.request_ref = d.ref AND h.type = d.type AND h.released_at IS NULL
        LIMIT 1) h ON true
      WHERE d.type IS NOT NULL AND h.waits IS NULL
      ON CONFLICT (tenant_id, request_ref, type, fact) WHERE request_ref IS NOT NULL DO NOTHING
    ), unknown AS MATERIALIZED (
      SELECT op_id FROM operations
      WHERE tenant_id = ${tenantId}::uuid AND request_ref = ANY(${[...told.refs]}::text[])
        AND state = 'needs_reconcile' AND next_look_at > ledger_now()
      ORDER BY op_id FOR UPDATE
    ), woken AS (
      UPDATE operations o SET next_look_at = ledger_now()
      FROM unknown WHERE o.tenant_id = ${tenantId}::uuid AND o.op_id = unknown.op_id
      RETURNING o.request_ref AS ref
    ), ordered AS (
      INSERT INTO read_orders (tenant_id, id, request_ref, ordered_by)
      SELECT ${tenantId}::uuid, gen_random_uuid(), u.ref, ${told.orderedBy}
      FROM unnest(${[...told.unread]}::text[]) AS u(ref) LEFT JOIN LATERAL (
        SELECT true AS waits FROM read_orders o
        WHERE o.tenant_id = ${tenantId}::uuid AND o.request_ref = u.ref AND o.taken_at IS NULL
        LIMIT 1) o ON true
      WHERE o.waits IS NULL
    )
    SELECT g.ref, moved.ref IS NOT NULL AS moved, coalesce(w.woken, 0) AS woken, coalesce(o.open, false) AS "hasOpen"
    FROM unnest(${[...told.refs]}::text[]) AS g(ref)
    LEFT JOIN moved ON moved.ref = g.ref
    LEFT JOIN (SELECT ref, count(*)::integer AS woken FROM woken GROUP BY ref) w ON w.ref = g.ref
    LEFT JOIN LATERAL (
      SELECT true AS open FROM operations o
      WHERE g.ref = ANY(${finals}::text[]) AND o.tenant_id = ${tenantId}::uuid AND o.request_ref = g.ref
        AND o.state IN ('proposed', 'scheduled', 'claimed') LIMIT 1) o ON true`;
  return new Map(rows.map((row) => [row.ref, row]));
}

/** Makes the unknown operations of these requests due for a look at once (RC-6). Returns how many per request. */
export async function hastenLooksOf(
  tx: Tx,
  tenantId: string,
  requestRefs: readonly string[],
): Promise<Map<string, number>> {
  const rows = await tx.$queryRaw<{ ref: string; woken: number }[]>`
    WITH unknown AS MATERIALIZED (
      SELECT op_id FROM operations
      WHERE tenant_id = ${tenantId}::uuid AND request_ref = ANY(${[...requestRefs]}::text[])
        AND state = 'needs_reconcile' AND next_look_at > ledger_now()
      ORDER BY op_id FOR UPDATE
    ), woken AS (
      UPDATE operations o SET next_look_at = ledger_now()
      FROM unknown WHERE o.tenant_id = ${tenantId}::uuid AND o.op_id = unknown.op_id
      RETURNING o.request_ref AS ref
    )
    SELECT ref, count(*)::integer AS woken FROM woken GROUP BY ref`;
  return new Map(rows.map(({ ref, woken }) => [ref, woken]));
}
