import { Prisma } from "@/lib/store/prisma/client";
import type { Database, Db, Tx } from "./db";

/** The door of one platform connection (IN-1), without the platform's credential. */
export interface InboxDoor {
  readonly tenantId: string;
  readonly connectionId: string;
  readonly name: string;
  readonly adapter: string;
  readonly owner: string;
  readonly webhookSecretsSealed: string;
  readonly descriptor: string;
  readonly platformAccount: string | null;
  /** Database time at which the door was looked at. */
  readonly now: Date;
}

/** The tenant that a connection belongs to; null when there is no such connection. Needs no tenant (IN-1). */
export async function tenantOfConnection(db: Db, connectionId: string): Promise<string | null> {
  const [row] = await db.$queryRaw<{ tenant: string | null }[]>`
    SELECT tenant_of_connection(${connectionId}::uuid) AS tenant`;
  return row?.tenant ?? null;
}

/**
 * What is needed to check deliveries, as it is at this moment: a secret that was removed is not in it (C-17). The rest
 * of the transaction acts for the tenant and waits for no lock longer than `lockWaitMs`, so that a sender gets its
 * answer in time (IN-2). Null when the tenant has no such connection.
 */
export async function inboxDoor(
  tx: Tx,
  tenantId: string,
  connectionId: string,
  lockWaitMs: number,
): Promise<InboxDoor | null> {
  const [row] = await tx.$queryRaw<Omit<InboxDoor, "tenantId" | "connectionId">[]>`
    SELECT name, adapter, owner, secrets AS "webhookSecretsSealed", descriptor, account AS "platformAccount", at AS now
    FROM open_inbox(${tenantId}::uuid, ${connectionId}::uuid, ${lockWaitMs}::integer)`;
  return row ? { ...row, tenantId, connectionId } : null;
}

/**
 * One short transaction at the door of a connection, which sees its tenant only (PV-2). Null when there is no such
 * connection. `work` does nothing but database statements.
 */
export async function atInboxDoor<T>(
  database: Database,
  {
    tenantId,
    connectionId,
    lockWaitMs,
  }: {
    readonly tenantId: string;
    readonly connectionId: string;
    readonly lockWaitMs: number;
  },
  work: (tx: Tx, door: InboxDoor) => Promise<T>,
): Promise<T | null> {
  return database.$transaction(
    async (tx) => {
      const door = await inboxDoor(tx, tenantId, connectionId, lockWaitMs);
      return door && work(tx, door);
    },
    { maxWait: 15_000, timeout: 30_000 },
  );
}

export interface NewInboxEvent {
  readonly id: string;
  readonly identity: string;
  readonly hasEventId: boolean;
  readonly source: "webhook" | "poll";
  readonly type: string;
  readonly platformRef: string | null;
  readonly clientReference: string | null;
  readonly claimedStatus: string | null;
  readonly occurredAt: string | null;
  readonly signedAt: string | null;
  readonly outcome: "received" | "quarantined";
  readonly keyId: string;
  readonly bodySealed: string;
  readonly bodyDigest: string;
  /** How many deliveries of it came at once. */
  readonly copies: number;
}

/**
 * Records deliveries of one connection, each identity once (IN-2); further copies are only counted. In the order of
 * their identities, so that two recordings cannot wait for each other (C-09). Returns the ids of those that were new:
 * only these may have consequences, in the same transaction.
 */
export async function recordInboxEvents(
  tx: Tx,
  tenantId: string,
  connectionId: string,
  events: readonly NewInboxEvent[],
): Promise<Set<string>> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    WITH kept AS (
      INSERT INTO inbox_events (tenant_id, id, connection_id, identity, has_event_id, source, type, platform_ref,
        client_reference, claimed_status, occurred_at, signed_at, outcome, key_id, body_sealed, body_digest, copies)
      SELECT ${tenantId}::uuid, e.id, ${connectionId}::uuid, e.identity, e."hasEventId", e.source, e.type,
        e."platformRef", e."clientReference", e."claimedStatus", e."occurredAt", e."signedAt", e.outcome, e."keyId",
        e."bodySealed", e."bodyDigest", e.copies
      FROM json_to_recordset(${JSON.stringify(events)}::json) AS e(
        id uuid, identity text, "hasEventId" boolean, source text, type text, "platformRef" text,
        "clientReference" text, "claimedStatus" text, "occurredAt" timestamptz, "signedAt" timestamptz, outcome text,
        "keyId" text, "bodySealed" text, "bodyDigest" text, copies integer)
      ORDER BY e.identity
      ON CONFLICT (tenant_id, connection_id, identity) DO UPDATE
        SET copies = inbox_events.copies + EXCLUDED.copies, last_copy_at = ledger_now()
      RETURNING id
    )
    SELECT id FROM kept WHERE id = ANY(${events.map(({ id }) => id)}::uuid[])`;
  return new Set(rows.map(({ id }) => id));
}

/** What an event came to. `held` is the final end that it contradicts (IN-5). */
export interface EventOutcome {
  readonly id: string;
  readonly outcome: "applied" | "no_change" | "unmatched" | "quarantined";
  readonly requestRef: string | null;
  readonly held: string | null;
  /** Codes and counts; null where nothing changed. */
  readonly effects: object | null;
}

/** Writes what recorded events came to, each only while it waits to be applied (IN-2). Returns how many it wrote. */
export async function writeEventOutcomes(
  tx: Tx,
  tenantId: string,
  outcomes: readonly EventOutcome[],
): Promise<number> {
  return tx.$executeRaw(outcomesWritten(tenantId, outcomes));
}

/** The statement of `writeEventOutcomes`, which can stand as a part of another one. */
export function outcomesWritten(tenantId: string, outcomes: readonly EventOutcome[]): Prisma.Sql {
  return Prisma.sql`
    UPDATE inbox_events i
    SET outcome = e.outcome, request_ref = coalesce(e."requestRef", i.request_ref), effects = e.effects::text,
      contradicts = coalesce(e.held, i.contradicts), last_error = NULL,
      applied_at = CASE WHEN e.outcome IN ('applied', 'no_change') THEN ledger_now() END
    FROM json_to_recordset(${JSON.stringify(outcomes)}::json) AS e(
      id uuid, outcome text, "requestRef" text, held text, effects json)
    WHERE i.tenant_id = ${tenantId}::uuid AND i.id = e.id AND i.outcome = 'received'`;
}

/** Says of recorded events that applying them failed; a worker tries again after the pause (IN-2). */
export async function postponeEvents(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
  error: string,
  pauseMs: number,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE inbox_events SET attempts = attempts + 1, last_error = ${error},
      next_try_at = ledger_now() + ${pauseMs}::integer * interval '1 millisecond'
    WHERE tenant_id = ${tenantId}::uuid AND id = ANY(${[...ids]}::uuid[]) AND outcome = 'received'`;
}

/** Opens a review item about input (RV-1, IN-4); one open item per event and reason. */
export async function openInputReview(
  tx: Tx,
  tenantId: string,
  item: {
    readonly inboxId: string;
    readonly reason: string;
    readonly owner: string;
    readonly evidence?: object;
  },
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO review_items (tenant_id, id, inbox_id, reason, owner, evidence)
    VALUES (${tenantId}::uuid, gen_random_uuid(), ${item.inboxId}::uuid, ${item.reason}, ${item.owner},
      ${JSON.stringify(item.evidence ?? {})})
    ON CONFLICT DO NOTHING`;
}
