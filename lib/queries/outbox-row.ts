import type { DeliveryState, OutboxType, TEST_TYPE } from "@/lib/domain/outbox";
import { Prisma } from "@/lib/store/prisma/client";

export interface OutboxRow {
  readonly id: string;
  readonly createdAt: string;
  readonly type: OutboxType | typeof TEST_TYPE;
  /** Null for a test event. */
  readonly requestRef: string | null;
  readonly subscriberId: string;
  readonly subscriber: string;
  readonly subscriberStopped: boolean;
  readonly state: DeliveryState;
  readonly tries: number;
  readonly attempts: number;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly lastAt: string | null;
  /** Null where no try is planned. */
  readonly nextTryAt: string | null;
  /** The earlier delivery that must come first; null where nothing is in the way. */
  readonly blockedBy: string | null;
  /** Why it has not been released; null once it is. */
  readonly heldReason: "awaiting_read" | "read_disagrees" | null;
}

export interface FoundDelivery extends Omit<OutboxRow, "createdAt" | "lastAt" | "nextTryAt"> {
  readonly createdAt: Date;
  readonly lastAt: Date | null;
  readonly nextTryAt: Date | null;
  /** Microseconds of the creation, for the place in the list. */
  readonly place: string;
}

/** An earlier event of the same request that this subscriber has not taken yet. */
export const BLOCKED_BY = Prisma.sql`(
  SELECT e.id FROM outbox_deliveries e
  WHERE e.tenant_id = d.tenant_id AND e.subscriber_id = d.subscriber_id AND e.request_ref = d.request_ref
    AND e.seq < d.seq AND e.state IN ('queued', 'retrying') ORDER BY e.seq LIMIT 1)`;

/** The state as people read it: what is queued behind another one is held for order. */
export const SHOWN_STATE = Prisma.sql`CASE WHEN d.state = 'queued' AND ${BLOCKED_BY} IS NOT NULL THEN 'held'
  ELSE d.state END`;

export const DELIVERY_COLUMNS = Prisma.sql`d.id, d.created_at AS "createdAt", o.type, d.request_ref AS "requestRef",
  d.subscriber_id AS "subscriberId", s.name AS subscriber, s.state = 'stopped' AS "subscriberStopped",
  ${SHOWN_STATE} AS state, d.tries, d.attempts, d.last_status AS "lastStatus", d.last_error AS "lastError",
  d.last_at AS "lastAt", CASE WHEN d.state IN ('queued', 'retrying') AND s.state = 'active' THEN d.next_try_at END
    AS "nextTryAt",
  CASE WHEN d.state = 'queued' THEN ${BLOCKED_BY} END AS "blockedBy", o.held_reason AS "heldReason",
  (extract(epoch FROM d.created_at) * 1000000)::bigint::text AS place`;

export const DELIVERY_TABLES = Prisma.sql`FROM outbox_deliveries d
  JOIN outbox_events o ON o.tenant_id = d.tenant_id AND o.id = d.outbox_id
  JOIN subscribers s ON s.tenant_id = d.tenant_id AND s.id = d.subscriber_id`;

/** A found row as it leaves the server. */
export function outboxRow({ place: _place, ...row }: FoundDelivery): OutboxRow {
  return {
    ...row,
    createdAt: row.createdAt.toISOString(),
    lastAt: row.lastAt?.toISOString() ?? null,
    nextTryAt: row.nextTryAt?.toISOString() ?? null,
  };
}

/** The place of a row in the list. */
export function placeOfDelivery(row: FoundDelivery): string {
  return `${row.place}_${row.id}`;
}
