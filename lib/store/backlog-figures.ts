import type { Db } from "./db";
import { COUNTED_MAX } from "./operation-figures";

export interface ReviewBacklog {
  /** 1 critical .. 4 low. */
  readonly consequence: number;
  readonly status: string;
  readonly reason: string;
  readonly breached: boolean;
  readonly count: number;
  readonly oldestSeconds: number;
}

const REVIEWS_COUNTED_MAX = 200_000;

/** Review items in the queue (RV-1), with the age of the oldest of each group. */
export function reviewBacklog(db: Db): Promise<ReviewBacklog[]> {
  return db.$queryRaw<ReviewBacklog[]>`
    SELECT consequence::integer AS consequence, status, reason, breached, count(*)::integer AS count,
      greatest(0, extract(epoch FROM ledger_now() - min(opened_at)))::float8 AS "oldestSeconds"
    FROM (
      SELECT consequence, status, reason, breached, opened_at FROM review_items WHERE closed_at IS NULL
      LIMIT ${REVIEWS_COUNTED_MAX}) open
    GROUP BY consequence, status, reason, breached`;
}

export interface Backlog {
  readonly state: string;
  readonly count: number;
  readonly oldestSeconds: number;
}

/** What is to be told to subscribers and has not been taken yet (OB-1). */
export function outboxBacklog(db: Db): Promise<Backlog[]> {
  return db.$queryRaw<Backlog[]>`
    SELECT state, count(*)::integer AS count,
      greatest(0, extract(epoch FROM ledger_now() - min(at)))::float8 AS "oldestSeconds"
    FROM (
      (SELECT state, created_at AS at FROM outbox_deliveries WHERE state IN ('queued', 'retrying')
      LIMIT ${COUNTED_MAX})
      UNION ALL
      (SELECT 'held', created_at FROM outbox_events WHERE released_at IS NULL LIMIT ${COUNTED_MAX})
      UNION ALL
      (SELECT 'unnumbered', released_at FROM outbox_events WHERE seq IS NULL AND released_at IS NOT NULL
      LIMIT ${COUNTED_MAX})
    ) waiting
    GROUP BY state`;
}

/** Notices that have not left (OB-2): not planned yet, or queued to somebody. */
export function noticeBacklog(db: Db): Promise<Backlog[]> {
  return db.$queryRaw<Backlog[]>`
    SELECT state, count(*)::integer AS count,
      greatest(0, extract(epoch FROM ledger_now() - min(at)))::float8 AS "oldestSeconds"
    FROM (
      (SELECT 'unplanned' AS state, plan_at AS at FROM notices
      WHERE planned_at IS NULL AND closed_at IS NULL AND plan_at <= ledger_now() LIMIT ${COUNTED_MAX})
      UNION ALL
      (SELECT state, created_at FROM notice_deliveries WHERE state IN ('queued', 'retrying')
        AND next_try_at <= ledger_now() LIMIT ${COUNTED_MAX})
    ) waiting
    GROUP BY state`;
}
