import type { OperationKind, OperationState } from "@/lib/domain/operation";
import type { Db } from "./db";

/**
 * Counting stops at these bounds, so that a scrape costs the same with any backlog; a count that reached its bound
 * says "at least".
 */
export const COUNTED_MAX = 50_000;

export interface OpenOperations {
  readonly state: OperationState;
  readonly kind: OperationKind;
  readonly count: number;
  readonly oldestSeconds: number;
}

/**
 * Operations that are proposed, in flight, unknown or with a person, by state and kind, with the age of the oldest:
 * since it became unknown, or since its last change. Each part reads one partial index (C-10) up to its bound.
 */
export function openOperations(db: Db): Promise<OpenOperations[]> {
  return db.$queryRaw<OpenOperations[]>`
    SELECT state, kind, count(*)::integer AS count,
      greatest(0, extract(epoch FROM ledger_now() - min(since)))::float8 AS "oldestSeconds"
    FROM (
      (SELECT state, kind, CASE WHEN state IN ('needs_reconcile', 'reconciling')
        THEN coalesce(unknown_since, changed_at) ELSE changed_at END AS since
      FROM operations WHERE state IN ('claimed', 'submitting', 'needs_reconcile', 'reconciling')
      LIMIT ${COUNTED_MAX})
      UNION ALL
      (SELECT state, kind, changed_at FROM operations WHERE state IN ('quarantined', 'needs_review')
      LIMIT ${COUNTED_MAX})
      UNION ALL
      (SELECT state, kind, changed_at FROM operations WHERE state = 'proposed' LIMIT ${COUNTED_MAX})
    ) open
    GROUP BY state, kind`;
}

/** Scheduled operations by kind, through the lists that `due_marks` knows: index only, up to the bound. */
export function scheduledOperations(
  db: Db,
): Promise<{ readonly kind: OperationKind; readonly count: number }[]> {
  return db.$queryRaw<{ kind: OperationKind; count: number }[]>`
    WITH lists AS MATERIALIZED (
      SELECT DISTINCT tenant_id, connection_id, kind FROM due_marks
    )
    SELECT kind, count(*)::integer AS count FROM (
      SELECT l.kind FROM lists l CROSS JOIN LATERAL (
        SELECT 1 FROM operations o
        WHERE o.tenant_id = l.tenant_id AND o.connection_id = l.connection_id AND o.kind = l.kind
          AND o.state = 'scheduled'
        LIMIT ${COUNTED_MAX}) one
      LIMIT ${COUNTED_MAX}
    ) scheduled
    GROUP BY kind`;
}

export interface DueOperations {
  readonly kind: OperationKind;
  /** A switch or a mode keeps them from starting. */
  readonly held: boolean;
  readonly count: number;
  /** Of the oldest one that nothing of its own request keeps waiting; null when all are kept. */
  readonly lagSeconds: number | null;
}

const DUE_LISTS_MAX = 1_000;
const DUE_PER_LIST_MAX = 10_000;
/** So many of a list are looked at for one that could start. */
const LAG_LOOKED_AT_MAX = 100;

/**
 * What is due by kind, and how long the oldest that could start has been due and approved (CL-5). What waits for
 * another operation of its request, or for a person's decision about one, is no lag of the workers (CL-4).
 */
export function dueOperations(db: Db): Promise<DueOperations[]> {
  return db.$queryRaw<DueOperations[]>`
    WITH lists AS MATERIALIZED (
      SELECT DISTINCT tenant_id, connection_id, kind FROM due_marks WHERE next_at <= ledger_now()
      LIMIT ${DUE_LISTS_MAX}
    ), stopped AS MATERIALIZED (
      SELECT tenant_id, switched_off(tenant_id) AS scopes FROM (SELECT DISTINCT tenant_id FROM lists) t
    )
    SELECT l.kind, is_held(s.scopes, l.connection_id, l.kind) AS held, sum(due.count)::integer AS count,
      max(lag.seconds)::float8 AS "lagSeconds"
    FROM lists l JOIN stopped s ON s.tenant_id = l.tenant_id
    CROSS JOIN LATERAL (
      SELECT count(*) AS count FROM (
        SELECT 1 FROM operations o
        WHERE o.tenant_id = l.tenant_id AND o.connection_id = l.connection_id AND o.kind = l.kind
          AND o.state = 'scheduled' AND o.due_at <= ledger_now()
        LIMIT ${DUE_PER_LIST_MAX}) counted
    ) due
    CROSS JOIN LATERAL (
      SELECT max(extract(epoch FROM ledger_now() - greatest(c.due_at, c.approved_at))) AS seconds FROM (
        SELECT o.op_id, o.request_ref, o.due_at, o.approved_at FROM operations o
        WHERE o.tenant_id = l.tenant_id AND o.connection_id = l.connection_id AND o.kind = l.kind
          AND o.state = 'scheduled' AND o.due_at <= ledger_now() AND o.successor_op_id IS NULL
          AND o.waits_for_op_id IS NULL
        ORDER BY o.due_at LIMIT ${LAG_LOOKED_AT_MAX}) c
      WHERE NOT EXISTS (
        SELECT 1 FROM operations w
        WHERE w.tenant_id = l.tenant_id AND w.request_ref = c.request_ref AND w.op_id <> c.op_id
          AND w.state IN ('claimed', 'submitting', 'needs_reconcile', 'reconciling', 'quarantined', 'needs_review'))
    ) lag
    WHERE due.count > 0
    GROUP BY 1, 2`;
}
