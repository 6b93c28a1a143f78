import type { Tx } from "./db";

/** One move of a mirror that an event causes. `from` is what the mirror held under lock. */
export interface MirrorMove {
  readonly ref: string;
  readonly from: string | null;
  readonly to: string;
  readonly isFinal: boolean;
}

/**
 * Sets the mirrors that events move (IN-5), each only while it holds what the event was judged against and no final
 * end; nothing is counted up. Each request at most once per call. Returns the requests that moved.
 */
export async function advanceMirrors(
  tx: Tx,
  tenantId: string,
  moves: readonly MirrorMove[],
): Promise<Set<string>> {
  const rows = await tx.$queryRaw<{ ref: string }[]>`
    UPDATE requests r
    SET mirror_status = m."to", mirror_raw_status = NULL, mirror_terminal = m."isFinal", mirror_event_at = ledger_now()
    FROM json_to_recordset(${JSON.stringify(moves)}::json) AS m(ref text, "from" text, "to" text, "isFinal" boolean)
    WHERE r.tenant_id = ${tenantId}::uuid AND r.ref = m.ref AND NOT r.mirror_terminal
      AND r.mirror_status IS NOT DISTINCT FROM m."from"
    RETURNING r.ref`;
  return new Set(rows.map(({ ref }) => ref));
}

/** Those of the requests that have operations which a final end would end (IN-6). */
export async function withOpenOperations(
  tx: Tx,
  tenantId: string,
  requestRefs: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.$queryRaw<{ ref: string }[]>`
    SELECT e.ref FROM unnest(${[...requestRefs]}::text[]) AS e(ref)
    WHERE EXISTS (
      SELECT 1 FROM operations o WHERE o.tenant_id = ${tenantId}::uuid AND o.request_ref = e.ref
        AND o.state IN ('proposed', 'scheduled', 'claimed'))`;
  return new Set(rows.map(({ ref }) => ref));
}

/** Orders one authoritative read per request, or joins one that nobody has taken yet. Returns how many it ordered. */
export async function orderReads(
  tx: Tx,
  tenantId: string,
  requestRefs: readonly string[],
  orderedBy: string,
): Promise<number> {
  return tx.$executeRaw`
    INSERT INTO read_orders (tenant_id, id, request_ref, ordered_by)
    SELECT ${tenantId}::uuid, gen_random_uuid(), e.ref, ${orderedBy}
    FROM (SELECT DISTINCT ref FROM unnest(${[...requestRefs]}::text[]) AS given(ref)) e
    WHERE NOT EXISTS (
      SELECT 1 FROM read_orders o
      WHERE o.tenant_id = ${tenantId}::uuid AND o.request_ref = e.ref AND o.taken_at IS NULL)`;
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
