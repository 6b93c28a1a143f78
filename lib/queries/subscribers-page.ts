import type { OutboxType } from "@/lib/domain/outbox";
import { OUTBOX_ACTS, type OutboxAct, outboxActSentence } from "@/lib/domain/outbox-acts";
import { asTenant, type Database, ledgerNow, type Tx } from "@/lib/store/db";
import { type Person, personsOf } from "./persons";

export interface SubscriberFacts {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly eventTypes: readonly OutboxType[];
  readonly state: "active" | "stopped";
  readonly stoppedWhy: "person" | "gone" | "target_refused" | null;
  readonly stoppedAt: string | null;
  readonly secretId: string;
  readonly secretMadeAt: string;
  /** The secret before, while it signs along. */
  readonly previous: { readonly id: string; readonly until: string } | null;
  readonly createdAt: string;
  /** How many deliveries wait, and how many are dead letters. */
  readonly waiting: number;
  readonly dead: number;
  readonly lastDeliveredAt: string | null;
  readonly oldestWaitingSince: string | null;
}

interface FoundSubscriber
  extends Omit<
    SubscriberFacts,
    | "stoppedAt"
    | "secretMadeAt"
    | "previous"
    | "createdAt"
    | "lastDeliveredAt"
    | "oldestWaitingSince"
  > {
  readonly stoppedAt: Date | null;
  readonly secretMadeAt: Date;
  readonly previousId: string | null;
  readonly previousUntil: Date | null;
  readonly createdAt: Date;
  readonly lastDeliveredAt: Date | null;
  readonly oldestWaitingSince: Date | null;
}

export interface SubscribersPage {
  readonly now: string;
  readonly subscribers: readonly SubscriberFacts[];
}

/** Everybody who is told, by name. */
export async function subscribersPage(db: Database, tenantId: string): Promise<SubscribersPage> {
  return asTenant(db, tenantId, async (tx) => ({
    now: (await ledgerNow(tx)).toISOString(),
    subscribers: await subscribersOf(tx, tenantId, null),
  }));
}

export interface SubscriberAct {
  readonly id: string;
  readonly at: string;
  readonly by: Person | null;
  readonly sentence: string;
}

export interface SubscriberPage {
  readonly now: string;
  readonly subscriber: SubscriberFacts;
  /** Who changed what, the newest first. */
  readonly acts: readonly SubscriberAct[];
}

/** One subscriber with what people did to it; null when the tenant has none of that id. */
export async function subscriberPage(
  db: Database,
  tenantId: string,
  viewer: string,
  id: string,
): Promise<SubscriberPage | null> {
  return asTenant(db, tenantId, async (tx) => {
    const [subscriber] = await subscribersOf(tx, tenantId, id);
    if (!subscriber) return null;
    return {
      now: (await ledgerNow(tx)).toISOString(),
      subscriber,
      acts: await actsOf(tx, tenantId, viewer, id),
    };
  });
}

async function subscribersOf(
  tx: Tx,
  tenantId: string,
  id: string | null,
): Promise<SubscriberFacts[]> {
  const rows = await tx.$queryRaw<FoundSubscriber[]>`
    SELECT s.id, s.name, s.url, s.event_types AS "eventTypes", s.state, s.stopped_why AS "stoppedWhy",
      s.stopped_at AS "stoppedAt", s.secret_id AS "secretId", s.secret_made_at AS "secretMadeAt",
      s.created_at AS "createdAt",
      CASE WHEN s.previous_until > ledger_now() THEN s.previous_id END AS "previousId",
      CASE WHEN s.previous_until > ledger_now() THEN s.previous_until END AS "previousUntil",
      waits.count AS waiting, waits.since AS "oldestWaitingSince",
      (SELECT count(*)::int FROM outbox_deliveries d WHERE d.tenant_id = s.tenant_id AND d.subscriber_id = s.id
        AND d.state = 'dead') AS dead,
      (SELECT max(d.delivered_at) FROM outbox_deliveries d WHERE d.tenant_id = s.tenant_id
        AND d.subscriber_id = s.id) AS "lastDeliveredAt"
    FROM subscribers s CROSS JOIN LATERAL (
      SELECT count(*)::int AS count, min(d.created_at) AS since FROM outbox_deliveries d
      WHERE d.tenant_id = s.tenant_id AND d.subscriber_id = s.id AND d.state IN ('queued', 'retrying')) waits
    WHERE s.tenant_id = ${tenantId}::uuid AND (${id}::uuid IS NULL OR s.id = ${id}::uuid)
    ORDER BY lower(s.name)`;
  return rows.map(({ previousId, previousUntil, ...row }) => ({
    ...row,
    stoppedAt: row.stoppedAt?.toISOString() ?? null,
    secretMadeAt: row.secretMadeAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    lastDeliveredAt: row.lastDeliveredAt?.toISOString() ?? null,
    oldestWaitingSince: row.oldestWaitingSince?.toISOString() ?? null,
    previous:
      previousId === null || previousUntil === null
        ? null
        : { id: previousId, until: previousUntil.toISOString() },
  }));
}

const ACTS_SHOWN = 50;

async function actsOf(
  tx: Tx,
  tenantId: string,
  viewer: string,
  id: string,
): Promise<SubscriberAct[]> {
  const rows = await tx.controlEvent.findMany({
    where: { tenantId, about: `subscriber:${id}`, kind: { in: [...OUTBOX_ACTS] } },
    orderBy: [{ at: "desc" }, { id: "desc" }],
    take: ACTS_SHOWN,
    select: { id: true, at: true, actor: true, kind: true, body: true },
  });
  const names = rows.map(({ actor }) => actor);
  const persons = await personsOf(tx, tenantId, names, viewer);
  return rows.map(({ at, actor, kind, body, ...row }) => ({
    ...row,
    at: at.toISOString(),
    by: persons.get(actor) ?? null,
    sentence: outboxActSentence(
      kind as OutboxAct,
      JSON.parse(body) as Readonly<Record<string, unknown>>,
    ),
  }));
}
