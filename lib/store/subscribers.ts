import type { OutboxType } from "@/lib/domain/outbox";
import type { Tx } from "./db";

export interface NewSubscriber {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly eventTypes: readonly OutboxType[];
  readonly secretId: string;
  readonly secretSealed: string;
  readonly by: string;
}

/** Adds a subscriber. It is told of what is released from now on. False when the tenant has one of that name. */
export async function insertSubscriber(
  tx: Tx,
  tenantId: string,
  made: NewSubscriber,
): Promise<boolean> {
  const count = await tx.$executeRaw`
    INSERT INTO subscribers (tenant_id, id, name, url, event_types, secret_id, secret_sealed, created_by, changed_by)
    VALUES (${tenantId}::uuid, ${made.id}::uuid, ${made.name}, ${made.url}, ${[...made.eventTypes]}::text[],
      ${made.secretId}, ${made.secretSealed}, ${made.by}, ${made.by})
    ON CONFLICT DO NOTHING`;
  return count === 1;
}

export interface SubscriberRow {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly eventTypes: readonly OutboxType[];
  readonly state: "active" | "stopped";
  readonly secretId: string;
}

/** A subscriber of the tenant, locked until the transaction ends; null when there is none. */
export async function lockSubscriber(
  tx: Tx,
  tenantId: string,
  id: string,
): Promise<SubscriberRow | null> {
  const [row] = await tx.$queryRaw<SubscriberRow[]>`
    SELECT id, name, url, event_types AS "eventTypes", state, secret_id AS "secretId"
    FROM subscribers WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid
    FOR NO KEY UPDATE`;
  return row ?? null;
}

/** Changes name, address and events of a locked subscriber. False when another one has that name. */
export async function changeSubscriber(
  tx: Tx,
  tenantId: string,
  changed: Pick<NewSubscriber, "id" | "name" | "url" | "eventTypes" | "by">,
): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE subscribers s SET name = ${changed.name}, url = ${changed.url},
      event_types = ${[...changed.eventTypes]}::text[], changed_by = ${changed.by}, changed_at = ledger_now()
    WHERE s.tenant_id = ${tenantId}::uuid AND s.id = ${changed.id}::uuid
      AND NOT EXISTS (SELECT 1 FROM subscribers o WHERE o.tenant_id = s.tenant_id AND o.id <> s.id
        AND lower(o.name) = lower(${changed.name}))`;
  return count === 1;
}

/**
 * Puts a new secret in place; the present one signs along for `overlapMs` and takes the place of any before it, so
 * that never more than two sign. Takes only while `expectedId` is the present secret. Returns the end of the overlap;
 * null when somebody was faster.
 */
export async function rotateSecret(
  tx: Tx,
  tenantId: string,
  rotation: {
    readonly subscriberId: string;
    readonly expectedId: string;
    readonly secretId: string;
    readonly secretSealed: string;
    readonly overlapMs: number;
    readonly by: string;
  },
): Promise<Date | null> {
  const [row] = await tx.$queryRaw<{ until: Date }[]>`
    UPDATE subscribers
    SET previous_id = secret_id, previous_sealed = secret_sealed,
      previous_until = ledger_now() + ${rotation.overlapMs}::integer * interval '1 millisecond',
      secret_id = ${rotation.secretId}, secret_sealed = ${rotation.secretSealed}, secret_made_at = ledger_now(),
      changed_by = ${rotation.by}, changed_at = ledger_now()
    WHERE tenant_id = ${tenantId}::uuid AND id = ${rotation.subscriberId}::uuid AND secret_id = ${rotation.expectedId}
    RETURNING previous_until AS until`;
  return row?.until ?? null;
}

/** Ends the secret before at once: from now on only the present one signs. Returns its id; null when none was left. */
export async function endPreviousSecret(
  tx: Tx,
  tenantId: string,
  subscriberId: string,
  by: string,
): Promise<string | null> {
  const [row] = await tx.$queryRaw<{ id: string }[]>`
    WITH before AS (
      SELECT previous_id AS id FROM subscribers
      WHERE tenant_id = ${tenantId}::uuid AND id = ${subscriberId}::uuid AND previous_id IS NOT NULL
      FOR NO KEY UPDATE
    )
    UPDATE subscribers s SET previous_id = NULL, previous_sealed = NULL, previous_until = NULL, changed_by = ${by},
      changed_at = ledger_now()
    FROM before WHERE s.tenant_id = ${tenantId}::uuid AND s.id = ${subscriberId}::uuid
    RETURNING before.id`;
  return row?.id ?? null;
}

/** Stops deliveries; what waits is kept and grows. False when they were stopped already. */
export async function stopSubscriber(
  tx: Tx,
  tenantId: string,
  id: string,
  by: string,
): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE subscribers SET state = 'stopped', stopped_why = 'person', stopped_by = ${by}, stopped_at = ledger_now()
    WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid AND state = 'active'`;
  return count === 1;
}

/**
 * Starts deliveries again: what waits is due at once, in its order, and with all its tries, because those before the
 * stop say nothing. The questions why they were stopped are settled. False when they were not stopped.
 */
export async function startSubscriber(tx: Tx, tenantId: string, id: string): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ started: boolean }[]>`
    WITH started AS (
      UPDATE subscribers SET state = 'active', stopped_why = NULL, stopped_by = NULL, stopped_at = NULL
      WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid AND state = 'stopped'
      RETURNING id
    ), due AS (
      UPDATE outbox_deliveries SET next_try_at = ledger_now(), tries = 0
      WHERE tenant_id = ${tenantId}::uuid AND subscriber_id IN (SELECT id FROM started)
        AND state IN ('queued', 'retrying')
    ), settled AS (
      UPDATE review_items SET settled_at = ledger_now()
      WHERE tenant_id = ${tenantId}::uuid AND subscriber_id IN (SELECT id FROM started) AND settled_at IS NULL
        AND reason IN ('delivery_gone', 'delivery_target_refused')
    )
    SELECT EXISTS (SELECT 1 FROM started) AS started`;
  return row?.started ?? false;
}

/** Writes a test event for one subscriber, released at once. Returns its message id. */
export async function insertTestEvent(
  tx: Tx,
  tenantId: string,
  subscriberId: string,
): Promise<string> {
  const [row] = await tx.$queryRaw<{ id: string }[]>`
    INSERT INTO outbox_events (tenant_id, id, subscriber_id, type, fact, cause, released_at)
    VALUES (${tenantId}::uuid, gen_random_uuid(), ${subscriberId}::uuid, 'subscriber.test', 'test', '{}', ledger_now())
    RETURNING id`;
  if (!row) throw new Error("an inserted row is returned");
  return row.id;
}

/** Wakes the relay of every worker when the transaction commits. */
export async function wakeRelay(tx: Tx): Promise<void> {
  await tx.$executeRaw`SELECT pg_notify('deadline_outbox', '')`;
}
