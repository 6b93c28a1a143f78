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
  o.platform_ref AS "platformRef", o.approved_at AS "approvedAt", o.first_intent_at AS "firstIntentAt",
  o.unknown_since AS "unknownSince", ledger_now() AS "claimedAt"`;

export interface ClaimOptions {
  readonly workerId: string;
  readonly workerName: string;
  /** At most this many operations in all. */
  readonly limit: number;
  /** At most this many of one tenant in one statement, so that nobody waits behind a long list (CL-5). */
  readonly perTenant: number;
}

/**
 * Claims due operations (CL-1): selecting and marking are one statement, and the choice stands in a materialised
 * part, so that no plan can run it twice (C-05). Rows that another worker holds are skipped, not waited for; each
 * claim carries a fence higher than any before it. A request with an operation in flight, or with one that a person
 * has to decide, gives none (CL-4). Paused scopes give none (BL-6). An empty list means that nothing is free now.
 * `OFFSET 0` keeps the planner from reading all that a tenant has in flight instead of asking for one request (C-10).
 */
export async function claimDue(db: Db, options: ClaimOptions): Promise<Claim[]> {
  return db.$queryRaw<Claim[]>`
    WITH turn AS MATERIALIZED (
      SELECT t.id FROM tenants t ORDER BY random()
    ), due AS MATERIALIZED (
      SELECT o.tenant_id, o.op_id, o.request_ref, o.priority, o.due_at
      FROM turn CROSS JOIN LATERAL (
        SELECT c.tenant_id, c.op_id, c.request_ref, c.priority, c.due_at
        FROM operations c
        WHERE c.tenant_id = turn.id AND c.state = 'scheduled' AND c.due_at <= ledger_now()
          AND c.successor_op_id IS NULL
          AND NOT EXISTS (
            SELECT 1 FROM operations f
            WHERE f.tenant_id = c.tenant_id AND f.request_ref = c.request_ref
              AND f.state IN ('claimed', 'submitting', 'needs_reconcile', 'reconciling')
            OFFSET 0)
          AND NOT EXISTS (
            SELECT 1 FROM operations h
            WHERE h.tenant_id = c.tenant_id AND h.request_ref = c.request_ref
              AND h.state IN ('quarantined', 'needs_review')
            OFFSET 0)
          AND NOT is_held((SELECT held_scopes(turn.id)), c.connection_id, c.kind)
        ORDER BY c.priority, c.due_at, c.op_id
        LIMIT ${options.perTenant}
        FOR UPDATE SKIP LOCKED
      ) o
      LIMIT ${options.limit}
    ), one_per_request AS MATERIALIZED (
      SELECT DISTINCT ON (tenant_id, request_ref) tenant_id, op_id
      FROM due ORDER BY tenant_id, request_ref, priority, due_at, op_id
    )
    UPDATE operations o
    SET state = 'claimed', reason = 'picked_up', fence = o.fence + 1,
      lease_owner = ${options.workerId}::uuid,
      lease_until = ledger_now() + n.lease_ms * interval '1 millisecond',
      event_actor = ${`worker:${options.workerName}`},
      event_evidence = json_build_object('lease_ms', n.lease_ms)::text
    FROM one_per_request p, connections n
    WHERE o.tenant_id = p.tenant_id AND o.op_id = p.op_id AND o.state = 'scheduled'
      AND n.tenant_id = o.tenant_id AND n.id = o.connection_id
    RETURNING ${CLAIM_COLUMNS}, o.lease_until AS "leaseUntil"`;
}

/**
 * Claims unknown operations whose look is due, each with a new fence (RC-1, CL-2): reconcilers hold a lease like
 * workers do. Pauses do not stop looks: reading changes nothing (BL-6).
 */
export async function claimLooks(
  db: Db,
  options: Omit<ClaimOptions, "perTenant">,
): Promise<Claim[]> {
  return db.$queryRaw<Claim[]>`
    WITH due AS MATERIALIZED (
      SELECT c.tenant_id, c.op_id FROM operations c
      WHERE c.state = 'needs_reconcile' AND c.next_look_at <= ledger_now()
      ORDER BY c.next_look_at, c.op_id
      LIMIT ${options.limit}
      FOR UPDATE SKIP LOCKED
    )
    UPDATE operations o
    SET state = 'reconciling', reason = 'look_started', fence = o.fence + 1, next_look_at = NULL,
      lease_owner = ${options.workerId}::uuid,
      lease_until = ledger_now() + n.lease_ms * interval '1 millisecond',
      event_actor = ${`worker:${options.workerName}`},
      event_evidence = json_build_object('look', o.looks + 1)::text
    FROM due d, connections n
    WHERE o.tenant_id = d.tenant_id AND o.op_id = d.op_id AND o.state = 'needs_reconcile'
      AND n.tenant_id = o.tenant_id AND n.id = o.connection_id
    RETURNING ${CLAIM_COLUMNS}, o.lease_until AS "leaseUntil"`;
}
