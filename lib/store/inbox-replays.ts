import type { Tx } from "./db";

/** A recorded event as it is taken to be applied again. */
export interface ReplayableEvent {
  readonly id: string;
  readonly connectionId: string;
  readonly hasEventId: boolean;
  readonly outcome: string;
  readonly source: "webhook" | "poll";
  readonly type: string;
  readonly platformRef: string | null;
  readonly clientReference: string | null;
  readonly claimedStatus: string | null;
  readonly occurredAt: Date | null;
  /** Empty once it is purged. */
  readonly bodySealed: string;
}

/** Locks these events of a tenant in the order of receipt. What does not exist is left out. */
export async function lockForReplay(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
): Promise<ReplayableEvent[]> {
  return tx.$queryRaw<ReplayableEvent[]>`
    SELECT id, connection_id AS "connectionId", has_event_id AS "hasEventId", outcome, source, type,
      platform_ref AS "platformRef", client_reference AS "clientReference", claimed_status AS "claimedStatus",
      occurred_at AS "occurredAt", body_sealed AS "bodySealed"
    FROM inbox_events
    WHERE tenant_id = ${tenantId}::uuid AND id = ANY(${[...ids]}::uuid[])
    ORDER BY received_at, id FOR UPDATE`;
}

/** What a replay reads of an event anew, as it stands in its row. */
export interface ReadAgain {
  readonly id: string;
  readonly type: string;
  readonly platformRef: string | null;
  readonly clientReference: string | null;
  readonly claimedStatus: string | null;
  readonly occurredAt: string | null;
  /** Whether it can be applied now. */
  readonly applies: boolean;
}

/**
 * Counts a replay of each event and makes those that can be applied `received` again, so that the same conditional
 * updates decide (IN-8). Inside the caller's transaction, which holds their rows.
 */
export async function beginReplays(
  tx: Tx,
  tenantId: string,
  events: readonly ReadAgain[],
  by: string,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE inbox_events i
    SET replays = i.replays + 1, replayed_at = ledger_now(), replayed_by = ${by}, type = e.type,
      platform_ref = e."platformRef", client_reference = e."clientReference", claimed_status = e."claimedStatus",
      occurred_at = e."occurredAt", attempts = CASE WHEN e.applies THEN 0 ELSE i.attempts END,
      outcome = CASE WHEN e.applies THEN 'received' ELSE i.outcome END
    FROM json_to_recordset(${JSON.stringify(events)}::json) AS e(id uuid, type text, "platformRef" text,
      "clientReference" text, "claimedStatus" text, "occurredAt" timestamptz, applies boolean)
    WHERE i.tenant_id = ${tenantId}::uuid AND i.id = e.id`;
}

/**
 * Ends replays: an event that had been applied before stays applied when its replay changed nothing, each replay is
 * recorded with its actor and result, and what a person had to look at is settled where it was applied now.
 */
export async function endReplays(
  tx: Tx,
  tenantId: string,
  replays: readonly { readonly id: string; readonly before: string; readonly result: string }[],
  by: string,
): Promise<void> {
  const rows = JSON.stringify(replays);
  await tx.$executeRaw`
    UPDATE inbox_events i SET outcome = 'applied'
    FROM json_to_recordset(${rows}::json) AS e(id uuid, before text, result text)
    WHERE i.tenant_id = ${tenantId}::uuid AND i.id = e.id AND e.before = 'applied' AND i.outcome = 'no_change'`;
  await tx.$executeRaw`
    INSERT INTO inbox_acts (tenant_id, id, inbox_id, act, actor, result)
    SELECT ${tenantId}::uuid, gen_random_uuid(), e.id, 'replayed', ${by}, e.result
    FROM json_to_recordset(${rows}::json) AS e(id uuid, before text, result text)`;
  await tx.$executeRaw`
    UPDATE review_items v SET settled_at = ledger_now()
    FROM json_to_recordset(${rows}::json) AS e(id uuid, before text, result text)
    WHERE v.tenant_id = ${tenantId}::uuid AND v.inbox_id = e.id AND v.settled_at IS NULL
      AND v.request_ref IS NULL AND e.result IN ('applied', 'no_change')`;
}

/** A place in the order of receipt, in microseconds since 1970 and the id. */
export interface ReplayPlace {
  readonly micros: string;
  readonly id: string;
}

/**
 * The next events of a stretch of time in the order of receipt, behind `after`; both ends are instants, the later one
 * not included.
 */
export async function eventsBetween(
  tx: Tx,
  tenantId: string,
  stretch: { readonly from: Date; readonly to: Date; readonly after: ReplayPlace | null },
  limit: number,
): Promise<ReplayPlace[]> {
  const { from, to, after } = stretch;
  return tx.$queryRaw<ReplayPlace[]>`
    SELECT id, (extract(epoch FROM received_at) * 1000000)::bigint::text AS micros FROM inbox_events
    WHERE tenant_id = ${tenantId}::uuid AND received_at >= ${from} AND received_at < ${to}
      AND (${after === null} OR (received_at, id) > (
        'epoch'::timestamptz + ${after?.micros ?? "0"}::bigint * interval '1 microsecond',
        ${after?.id ?? "00000000-0000-0000-0000-000000000000"}::uuid))
    ORDER BY received_at, id LIMIT ${limit}`;
}

/** The sealed raw body of an event with its digest; null when the tenant has no such event. */
export async function sealedBodyOf(
  tx: Tx,
  tenantId: string,
  id: string,
): Promise<{ readonly bodySealed: string; readonly bodyDigest: string } | null> {
  return tx.inboxEvent.findUnique({
    where: { tenantId_id: { tenantId, id } },
    select: { bodySealed: true, bodyDigest: true },
  });
}

/** Records that somebody saw a raw body; `reason` is the vault entry with the typed reason (PV-3). */
export async function recordRawShown(
  tx: Tx,
  tenantId: string,
  shown: {
    readonly inboxId: string;
    readonly actor: string;
    readonly reason: { readonly ref: string; readonly digest: string };
  },
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO inbox_acts (tenant_id, id, inbox_id, act, actor, result, reason_entry, reason_digest)
    VALUES (${tenantId}::uuid, gen_random_uuid(), ${shown.inboxId}::uuid, 'raw_shown', ${shown.actor}, 'shown',
      ${shown.reason.ref}::uuid, ${shown.reason.digest})`;
}
