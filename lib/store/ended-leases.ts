import type { OperationKind } from "@/lib/domain/operation";
import type { Db } from "./db";

/** A lease that had ended when it was read. Never acted on without comparing all of it again (C-07). */
export interface EndedLease {
  readonly tenantId: string;
  readonly opId: string;
  readonly kind: OperationKind;
  readonly state: "claimed" | "submitting" | "reconciling";
  readonly fence: number;
  /** The database's own text of the instant: a Date would lose its microseconds. */
  readonly leaseUntil: string;
  readonly lapses: number;
  readonly looks: number;
  readonly unknownForMs: number;
}

/** Leases that have ended by database time, the oldest first (CL-2). */
export async function endedLeases(db: Db, limit: number): Promise<EndedLease[]> {
  return db.$queryRaw<EndedLease[]>`
    SELECT tenant_id AS "tenantId", op_id AS "opId", kind, state, fence, lease_until::text AS "leaseUntil", lapses, looks,
      coalesce(extract(epoch FROM ledger_now() - unknown_since) * 1000, 0)::float8 AS "unknownForMs"
    FROM operations
    WHERE lease_owner IS NOT NULL AND lease_until <= ledger_now()
    ORDER BY lease_until, op_id
    LIMIT ${limit}`;
}

/** What becomes of an operation whose lease ended. */
export interface LeaseEnd {
  readonly to: "scheduled" | "needs_reconcile" | "needs_review";
  readonly reason: string;
  readonly owner: string | null;
  readonly lookInMs: number;
}

/**
 * Ends one lease (CL-2): takes only if state, fence and lease are still those that were read, so that an owner who
 * finished meanwhile, or a newer claim, is left alone (C-07). False means that one of them changed.
 */
export async function endLease(db: Db, ended: EndedLease, end: LeaseEnd): Promise<boolean> {
  const count = await db.$executeRaw`
    UPDATE operations
    SET state = ${end.to}, reason = ${end.reason}, lease_owner = NULL, lease_until = NULL,
      lapses = lapses + (${ended.state} = 'claimed')::integer,
      looks = looks + (${ended.state} = 'reconciling')::integer,
      due_at = CASE WHEN ${end.to} = 'scheduled' THEN ledger_now() ELSE due_at END,
      next_look_at = CASE WHEN ${end.to} = 'needs_reconcile'
        THEN ledger_now() + ${end.lookInMs}::bigint * interval '1 millisecond' END,
      unknown_since = CASE WHEN ${end.to} = 'scheduled' THEN unknown_since
        ELSE coalesce(unknown_since, ledger_now()) END,
      owner = coalesce(${end.owner}, owner),
      event_actor = 'system:sweep',
      event_evidence = ${JSON.stringify({ lease_until: ended.leaseUntil, fence: ended.fence })}
    WHERE tenant_id = ${ended.tenantId}::uuid AND op_id = ${ended.opId}::uuid
      AND state = ${ended.state} AND fence = ${ended.fence} AND lease_until = ${ended.leaseUntil}::timestamptz
      AND lease_until <= ledger_now()`;
  return count === 1;
}
