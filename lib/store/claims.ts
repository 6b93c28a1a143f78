import { randomUUID } from "node:crypto";
import { AGEING_STEP_MS } from "@/lib/domain/claim-order";
import type { OperationKind } from "@/lib/domain/operation";
import { Prisma } from "@/lib/store/prisma/client";
import type { Db } from "./db";

/** One operation in the hands of one worker. Every later write names `fence` (CL-1, CL-3). */
export interface Claim {
  readonly tenantId: string;
  readonly opId: string;
  readonly kind: OperationKind;
  readonly requestRef: string;
  readonly connectionId: string;
  readonly canonicalText: string;
  readonly payloadHash: string;
  readonly fence: number;
  readonly attempts: number;
  readonly declines: number;
  readonly looks: number;
  readonly successorOpId: string | null;
  readonly lateFence: number | null;
  /** The reference that the platform gave to this operation, for sends. */
  readonly platformRef: string | null;
  readonly approvedAt: Date;
  /** Since when it may be claimed. */
  readonly dueAt: Date;
  readonly firstIntentAt: Date | null;
  readonly unknownSince: Date | null;
  readonly leaseUntil: Date;
  /** The database's time in the claiming statement: no read of this claim started earlier. */
  readonly claimedAt: Date;
}

/** What a statement gives of each operation `o` that it claims or takes; the lease's end stands beside it. */
export const CLAIM_COLUMNS = Prisma.sql`
  o.tenant_id AS "tenantId", o.op_id AS "opId", o.kind, o.request_ref AS "requestRef",
  o.connection_id AS "connectionId", o.canonical_text AS "canonicalText", o.payload_hash AS "payloadHash",
  o.fence, o.attempts, o.declines, o.looks, o.successor_op_id AS "successorOpId", o.late_fence AS "lateFence",
  o.platform_ref AS "platformRef", o.approved_at AS "approvedAt", o.due_at AS "dueAt", o.first_intent_at AS "firstIntentAt",
  o.unknown_since AS "unknownSince", ledger_now() AS "claimedAt"`;

export interface ClaimOptions {
  readonly workerId: string;
  readonly workerName: string;
  /** At most this many operations in all. */
  readonly limit: number;
  /** At most this many of one tenant in one statement; the next turns even it out (CL-5). */
  readonly perTenant: number;
  /** Only of tenants that have nothing in flight: for hands that are kept for those who would wait otherwise. */
  readonly spare?: boolean;
}

/**
 * Claims due operations (CL-1): selecting and marking are one statement, and every choice stands in a materialised
 * part, so that no plan can run it twice (C-05). Rows that another worker holds are skipped, not waited for; each
 * claim carries a fence higher than any before it. An empty list means that nothing can be had at this moment.
 *
 * Tenants take turns (CL-5): only those with due work are looked at, and the one that had least comes first. Its row
 * in `tenant_turns` stays locked until the end of the transaction, and `open_lists` counts quotas, ramps and reads
 * under that lock, so that two workers together never exceed them; a tenant whose turn another worker has is left
 * out, and one that is ahead of the slowest by more than a claim gets one operation at a time. Switches, modes and
 * quotas close whole lists (BL-6). Of the rest the most urgent go first, by priority and age.
 *
 * A request with an operation in flight, or with one that a person has to decide, gives none (CL-4). Neither does one
 * operation before another of its request that goes first, one whose condition is not done, nor a reminder that a
 * later one of its plan replaces (RM-4). An automatic expiry also waits for a void or extension that is not due yet.
 * `OFFSET 0` keeps the planner from reading all that a tenant has in flight instead of asking for one request (C-10);
 * the marking part names no state, since its rows are locked as scheduled and the key is the one index it should use.
 */
export async function claimDue(db: Db, options: ClaimOptions): Promise<Claim[]> {
  return db.$queryRaw<Claim[]>`
    WITH ready AS MATERIALIZED (
      SELECT array_agg(DISTINCT d.tenant_id) AS ids FROM due_marks d WHERE d.next_at <= ledger_now()
    ), pace AS MATERIALIZED (
      SELECT min(finish_tag) FILTER (WHERE finish_tag >= top - turn_lag_max()) AS slowest FROM (
        SELECT t.finish_tag, max(t.finish_tag) OVER () AS top FROM tenant_turns t
        WHERE t.tenant_id = ANY ((SELECT ids FROM ready)::uuid[])) t
    ), due AS MATERIALIZED (
      SELECT o.* FROM (
        SELECT t.tenant_id, t.finish_tag FROM tenant_turns t
        WHERE t.tenant_id = ANY ((SELECT ids FROM ready)::uuid[])
          AND (NOT ${options.spare ?? false} OR NOT EXISTS (
            SELECT 1 FROM operations f WHERE f.tenant_id = t.tenant_id AND f.state IN ('claimed', 'submitting')))
        ORDER BY t.finish_tag, t.tenant_id
        FOR UPDATE SKIP LOCKED
      ) turn CROSS JOIN LATERAL (
        SELECT c.*, l.connection_free, l.tenant_free
        FROM open_lists(turn.tenant_id) l CROSS JOIN LATERAL (
          SELECT c.tenant_id, c.op_id, c.request_ref, c.connection_id, c.due_at, place_in_request(c.kind) AS place,
            c.priority - floor(extract(epoch FROM ledger_now() - c.due_at) * 1000 / ${AGEING_STEP_MS}::float8) AS rank
          FROM operations c
          WHERE c.tenant_id = turn.tenant_id AND c.connection_id = l.connection_id AND c.kind = l.kind
            AND c.state = 'scheduled' AND c.due_at <= ledger_now() AND c.successor_op_id IS NULL
            AND (c.waits_for_op_id IS NULL OR ${isDone(Prisma.sql`c`)})
            AND NOT EXISTS (
              SELECT 1 FROM operations s
              WHERE s.tenant_id = c.tenant_id AND s.request_ref = c.request_ref AND s.op_id <> c.op_id
                AND s.state IN ('scheduled', 'claimed', 'submitting', 'needs_reconcile', 'reconciling',
                  'quarantined', 'needs_review')
                AND (s.state IN ('claimed', 'submitting', 'needs_reconcile', 'reconciling')
                  OR s.state IN ('quarantined', 'needs_review')
                  OR s.state = 'scheduled' AND ${GOES_FIRST})
              OFFSET 0)
          ORDER BY c.due_at, c.op_id
          LIMIT least(${options.perTenant}::integer, l.connection_free, l.tenant_free)
          FOR UPDATE SKIP LOCKED
        ) c
        ORDER BY c.rank, c.due_at, c.op_id
        LIMIT greatest(1, least(${options.perTenant}::bigint,
          ${2 * options.perTenant}::bigint - (turn.finish_tag - (SELECT slowest FROM pace))))
      ) o
      LIMIT ${options.limit}
    ), counted AS MATERIALIZED (
      SELECT d.*, row_number() OVER (PARTITION BY tenant_id ORDER BY rank, due_at, op_id) AS of_tenant,
        row_number() OVER (PARTITION BY tenant_id, connection_id ORDER BY rank, due_at, op_id) AS of_connection
      FROM due d
    ), chosen AS MATERIALIZED (
      SELECT DISTINCT ON (tenant_id, request_ref) tenant_id, connection_id, op_id
      FROM counted WHERE of_tenant <= tenant_free AND of_connection <= connection_free
      ORDER BY tenant_id, request_ref, place, due_at, op_id
    ), noted AS MATERIALIZED (
      SELECT tenant_id, connection_id, note_starts(tenant_id, connection_id, count(*)::integer)
      FROM chosen GROUP BY tenant_id, connection_id
    )
    UPDATE operations o
    SET state = 'claimed', reason = 'picked_up', fence = o.fence + 1,
      lease_owner = ${options.workerId}::uuid,
      lease_until = ledger_now() + n.lease_ms * interval '1 millisecond',
      event_actor = ${`worker:${options.workerName}`},
      event_evidence = json_build_object('lease_ms', n.lease_ms)::text
    FROM chosen p
      JOIN noted w ON w.tenant_id = p.tenant_id AND w.connection_id = p.connection_id
      JOIN connections n ON n.tenant_id = p.tenant_id AND n.id = p.connection_id
    WHERE o.tenant_id = p.tenant_id AND o.op_id = p.op_id
    RETURNING ${CLAIM_COLUMNS}, o.lease_until AS "leaseUntil"`;
}

/** True when what the operation `alias` waits for is done (ID-7). */
function isDone(alias: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`EXISTS (
    SELECT 1 FROM operations w
    WHERE w.tenant_id = ${alias}.tenant_id AND w.op_id = ${alias}.waits_for_op_id AND w.state = 'done' OFFSET 0)`;
}

/**
 * Whether the scheduled operation `s` goes before `c` of the same request, given the list `l` of `c`: by its place; at
 * the same place by due time, unless a switch holds it or both are reminders of one plan, of which only the last counts.
 */
const GOES_FIRST = Prisma.sql`s.successor_op_id IS NULL AND (s.waits_for_op_id IS NULL OR ${isDone(Prisma.sql`s`)})
  AND CASE
    WHEN place_in_request(s.kind) < place_in_request(c.kind) THEN s.due_at <= ledger_now() OR c.kind = 'expire'
    WHEN place_in_request(s.kind) > place_in_request(c.kind) OR s.due_at > ledger_now() THEN false
    WHEN s.kind = 'remind' AND c.kind = 'remind' AND s.plan_id = c.plan_id THEN s.occurrence > c.occurrence
    ELSE (s.due_at, s.op_id) < (c.due_at, c.op_id) AND NOT is_held(l.held, s.connection_id, s.kind)
  END`;

/** Whether any tenant has work that is due, or may have some. */
export async function isAnythingDue(db: Db): Promise<boolean> {
  const [row] = await db.$queryRaw<{ due: boolean }[]>`
    SELECT EXISTS (SELECT 1 FROM due_marks d WHERE d.next_at <= ledger_now()) AS due`;
  return row?.due ?? false;
}

/** So many tenants with due looks are weighed against each other; where there are more, each claim meets others. */
const LOOK_TENANTS_MAX = 32;
/** So many candidates of one tenant are seen beyond what is asked for: other workers may be taking the first ones. */
const LOOK_SPARE = 32;

/**
 * Claims unknown operations whose look is due, each with a new fence (RC-1, CL-2): reconcilers hold a lease like
 * workers do. Pauses do not stop looks: reading changes nothing (BL-6).
 *
 * Tenants take turns (CL-5): whoever has least under way is next, so that one tenant's outage does not keep the looks
 * of others waiting. The claim steps through the tenants that have unknown operations, from a random place on and
 * once round, and asks each for its first ones; within a tenant the one that is due longest comes first. What another
 * worker holds or has taken is left out; the marking part names no state, since its rows are locked as unknown.
 */
export async function claimLooks(
  db: Db,
  options: Omit<ClaimOptions, "perTenant">,
): Promise<Claim[]> {
  const { limit, workerId, workerName } = options;
  const from = randomUUID();
  return db.$queryRaw<Claim[]>`
    WITH RECURSIVE walk AS (
      SELECT 0 AS lap, ${from}::uuid AS tenant_id, 'infinity'::timestamptz AS first_due
      WHERE EXISTS (SELECT 1 FROM operations o WHERE o.state = 'needs_reconcile' AND o.next_look_at <= ledger_now())
      UNION ALL
      SELECT n.* FROM walk w CROSS JOIN LATERAL (
        (SELECT w.lap, o.tenant_id, o.next_look_at FROM operations o
          WHERE o.state = 'needs_reconcile' AND o.tenant_id > w.tenant_id AND (w.lap = 0 OR o.tenant_id <= ${from}::uuid)
          ORDER BY o.tenant_id, o.next_look_at LIMIT 1)
        UNION ALL
        (SELECT 1, o.tenant_id, o.next_look_at FROM operations o
          WHERE o.state = 'needs_reconcile' AND w.lap = 0 AND o.tenant_id <= ${from}::uuid
          ORDER BY o.tenant_id, o.next_look_at LIMIT 1)
        LIMIT 1) n
    ), candidates AS MATERIALIZED (
      SELECT t.tenant_id, c.op_id, c.next_look_at, c.place + t.under_way AS turn
      FROM (
        SELECT d.tenant_id, (
          SELECT count(*) FROM operations u WHERE u.tenant_id = d.tenant_id AND u.state = 'reconciling') AS under_way
        FROM (SELECT w.tenant_id FROM walk w WHERE w.first_due <= ledger_now() LIMIT ${LOOK_TENANTS_MAX}) d OFFSET 0
      ) t CROSS JOIN LATERAL (
        SELECT o.op_id, o.next_look_at, row_number() OVER (ORDER BY o.next_look_at, o.op_id) AS place
        FROM operations o
        WHERE o.tenant_id = t.tenant_id AND o.state = 'needs_reconcile' AND o.next_look_at <= ledger_now()
        ORDER BY o.next_look_at, o.op_id LIMIT ${limit + LOOK_SPARE}
      ) c
      ORDER BY turn, c.next_look_at, c.op_id
    ), due AS MATERIALIZED (
      SELECT o.* FROM candidates c CROSS JOIN LATERAL (
        SELECT o.tenant_id, o.op_id FROM operations o
        WHERE o.tenant_id = c.tenant_id AND o.next_look_at = c.next_look_at AND o.op_id = c.op_id
          AND o.state = 'needs_reconcile'
        FOR UPDATE SKIP LOCKED
      ) o
      LIMIT ${limit}
    )
    UPDATE operations o
    SET state = 'reconciling', reason = 'look_started', fence = o.fence + 1, next_look_at = NULL,
      lease_owner = ${workerId}::uuid,
      lease_until = ledger_now() + n.lease_ms * interval '1 millisecond',
      event_actor = ${`worker:${workerName}`},
      event_evidence = json_build_object('look', o.looks + 1)::text
    FROM due d, connections n
    WHERE o.tenant_id = d.tenant_id AND o.op_id = d.op_id
      AND n.tenant_id = o.tenant_id AND n.id = o.connection_id
    RETURNING ${CLAIM_COLUMNS}, o.lease_until AS "leaseUntil"`;
}
