import type { NoticeKind } from "@/lib/domain/notice";
import { WAITS_FOR_MEMBER } from "./approval-waits";
import type { Db, Tx } from "./db";

/**
 * Closes the open matter of this audience when nothing joined it for `quietMs`, unless its message still waits to be
 * sent to all; an escalation when it is older than `windowMs`.
 */
export async function endQuietMatter(
  tx: Tx,
  tenantId: string,
  ended: {
    readonly matter: string;
    readonly audience: string;
    readonly escalation: boolean;
    readonly quietMs: number;
    readonly windowMs: number;
  },
): Promise<void> {
  await tx.$executeRaw`
    UPDATE notices SET closed_at = ledger_now(), closed_why = 'quiet'
    WHERE tenant_id = ${tenantId}::uuid AND matter = ${ended.matter} AND audience = ${ended.audience}
      AND escalation = ${ended.escalation} AND closed_at IS NULL AND planned_at IS NOT NULL
      AND CASE WHEN escalation THEN opened_at < ledger_now() - ${ended.windowMs}::integer * interval '1 millisecond'
        ELSE joined_at < ledger_now() - ${ended.quietMs}::integer * interval '1 millisecond'
          AND (reached_at IS NOT NULL OR NOT EXISTS (SELECT 1 FROM notice_deliveries d
            WHERE d.tenant_id = notices.tenant_id AND d.notice_id = notices.id
              AND d.state IN ('queued', 'retrying'))) END`;
}

export interface JoiningNotice {
  readonly matter: string;
  readonly audience: string;
  readonly kind: NoticeKind;
  readonly escalation: boolean;
  readonly reason: string | null;
  readonly consequence: string | null;
  readonly count: number;
  readonly path: string;
  readonly losesAt: string | null;
  /** How long it gathers before it is planned, in milliseconds; counts for the first only. */
  readonly gatherMs: number;
  readonly follows: string | null;
}

/** Opens a matter for an audience, or adds to the one that is open. Callers at the same time make one row. */
export async function joinMatter(tx: Tx, tenantId: string, joining: JoiningNotice): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO notices AS n (tenant_id, id, matter, audience, kind, escalation, reason, consequence, count, path,
      loses_at, plan_at, follows)
    VALUES (${tenantId}::uuid, gen_random_uuid(), ${joining.matter}, ${joining.audience}, ${joining.kind},
      ${joining.escalation}, ${joining.reason}, ${joining.consequence}, ${joining.count}::integer, ${joining.path},
      ${joining.losesAt}::timestamptz, ledger_now() + ${joining.gatherMs}::integer * interval '1 millisecond',
      ${joining.follows}::uuid)
    ON CONFLICT (tenant_id, matter, audience, escalation) WHERE closed_at IS NULL
    DO UPDATE SET count = n.count + excluded.count, joined_at = ledger_now(),
      loses_at = least(n.loses_at, excluded.loses_at)`;
}

/**
 * Closes matters of every tenant of which nothing is open any more, and drops what was not sent of them; what is in
 * somebody's hands goes on. Returns how many matters.
 */
export async function endSettledMatters(owner: Db, limit: number): Promise<number> {
  const [row] = await owner.$queryRaw<{ count: number }[]>`
    WITH settled AS MATERIALIZED (
      SELECT n.tenant_id, n.id FROM notices n
      WHERE n.closed_at IS NULL AND CASE
        WHEN n.kind = 'approval_waiting' THEN NOT EXISTS (
          SELECT 1 FROM operations o
          JOIN memberships m ON m.tenant_id = o.tenant_id AND 'account:' || m.account_id = n.audience
          LEFT JOIN policies p ON p.tenant_id = o.tenant_id AND p.kind = o.kind AND p.version = o.policy_version
          WHERE o.tenant_id = n.tenant_id AND ${WAITS_FOR_MEMBER})
        WHEN n.kind = 'unknown_past_age' THEN NOT EXISTS (
          SELECT 1 FROM unknown_alerts a
          JOIN operations o ON o.tenant_id = a.tenant_id AND o.op_id = a.op_id
          WHERE a.tenant_id = n.tenant_id AND o.state IN ('needs_reconcile', 'reconciling')
            AND o.unknown_since = a.unknown_since)
        WHEN (n.kind LIKE 'review_%' OR n.kind = 'unreached') AND n.reason IS NOT NULL THEN NOT EXISTS (
          SELECT 1 FROM review_items r
          WHERE r.tenant_id = n.tenant_id AND r.reason = n.reason AND r.settled_at IS NULL)
        ELSE false END
      LIMIT ${limit} FOR UPDATE OF n SKIP LOCKED
    ), closed AS (
      UPDATE notices n SET closed_at = ledger_now(), closed_why = 'settled'
      FROM settled s WHERE n.tenant_id = s.tenant_id AND n.id = s.id
      RETURNING n.tenant_id, n.id
    ), dropped AS (
      UPDATE notice_deliveries d SET state = 'dropped', lease_owner = NULL, lease_until = NULL
      FROM closed c WHERE d.tenant_id = c.tenant_id AND d.notice_id = c.id AND d.state IN ('queued', 'retrying')
        AND (d.lease_until IS NULL OR d.lease_until <= ledger_now())
    )
    SELECT count(*)::int AS count FROM closed`;
  return row?.count ?? 0;
}
