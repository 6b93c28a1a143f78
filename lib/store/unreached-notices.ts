import type { NoticeKind } from "@/lib/domain/notice";
import type { Db, Tx } from "./db";
import type { NoticeRef } from "./notice-plans";

/** Notices of every tenant that no way took in `tries` tries, and that nobody can be reached by any more. */
export async function unreachedNotices(
  owner: Db,
  tries: number,
  limit: number,
): Promise<NoticeRef[]> {
  return owner.$queryRaw<NoticeRef[]>`
    SELECT n.tenant_id AS "tenantId", n.id FROM notices n
    WHERE n.planned_at IS NOT NULL AND n.reached_at IS NULL AND n.unreached_at IS NULL AND NOT n.silent
      AND n.kind <> 'test' AND n.closed_why IS DISTINCT FROM 'settled'
      AND NOT EXISTS (SELECT 1 FROM notice_deliveries d WHERE d.tenant_id = n.tenant_id AND d.notice_id = n.id
        AND d.state IN ('queued', 'retrying')
        AND (d.tries < ${tries}::integer OR d.lease_until > ledger_now()))
    ORDER BY n.tenant_id, n.id LIMIT ${limit}`;
}

export interface UnreachedNotice {
  readonly matter: string;
  readonly audience: string;
  readonly kind: NoticeKind;
  readonly reason: string | null;
  readonly consequence: string | null;
  readonly count: number;
  readonly path: string;
  readonly losesAt: Date | null;
  readonly byRota: boolean;
}

/** Says of a notice that it reached nobody. Null when somebody was reached meanwhile, or another worker said it. */
export async function markUnreached(
  tx: Tx,
  tenantId: string,
  id: string,
): Promise<UnreachedNotice | null> {
  const [row] = await tx.$queryRaw<UnreachedNotice[]>`
    UPDATE notices SET unreached_at = ledger_now()
    WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid AND unreached_at IS NULL AND reached_at IS NULL
    RETURNING matter, audience, kind, reason, consequence, count, path, loses_at AS "losesAt", by_rota AS "byRota"`;
  return row ?? null;
}

export interface ToldInLine {
  readonly audience: string;
  readonly team: string;
  readonly byRota: boolean;
}

/** The notices that led to this one and itself, the first one first. */
export async function lineOf(tx: Tx, tenantId: string, id: string): Promise<ToldInLine[]> {
  return tx.$queryRaw<ToldInLine[]>`
    WITH RECURSIVE line AS (
      SELECT n.id, n.follows, n.audience, n.by_rota, 0 AS back FROM notices n
      WHERE n.tenant_id = ${tenantId}::uuid AND n.id = ${id}::uuid
      UNION ALL
      SELECT n.id, n.follows, n.audience, n.by_rota, l.back + 1 FROM line l
      JOIN notices n ON n.tenant_id = ${tenantId}::uuid AND n.id = l.follows
    )
    SELECT audience, team_of_owner(${tenantId}::uuid, audience) AS team, by_rota AS "byRota"
    FROM line ORDER BY back DESC`;
}

/**
 * Opens a review item about a matter of which nobody could be told, one per matter while it is open (RV-1). `evidence`
 * holds ids, codes and figures (PV-4).
 */
export async function openNoticeReview(
  tx: Tx,
  tenantId: string,
  evidence: { readonly notice: string; readonly matter: string; readonly item: string },
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO review_items (tenant_id, id, reason, owner, evidence)
    SELECT ${tenantId}::uuid, gen_random_uuid(), 'notification_failed', 'team:on-call', ${JSON.stringify(evidence)}
    WHERE NOT EXISTS (SELECT 1 FROM review_items r WHERE r.tenant_id = ${tenantId}::uuid
      AND r.reason = 'notification_failed' AND r.settled_at IS NULL
      AND r.evidence::json ->> 'matter' = ${evidence.matter})`;
}

/** Settles the review items of a notice that reached somebody after all. */
export async function settleNoticeReview(
  tx: Tx,
  tenantId: string,
  noticeId: string,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE review_items SET settled_at = ledger_now()
    WHERE tenant_id = ${tenantId}::uuid AND reason = 'notification_failed' AND settled_at IS NULL
      AND evidence::json ->> 'notice' = ${noticeId}`;
}
