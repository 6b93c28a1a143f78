import type { Db, Tx } from "./db";
import { Prisma } from "./prisma/client";

/** Tenants with proposals of which the approvers were not told yet. */
export async function tenantsWithWaits(owner: Db, limit: number): Promise<string[]> {
  const rows = await owner.$queryRaw<{ tenantId: string }[]>`
    SELECT DISTINCT tenant_id AS "tenantId" FROM approval_waits LIMIT ${limit}`;
  return rows.map(({ tenantId }) => tenantId);
}

/** Takes proposals out of that list; each goes to one worker. Returns their ids. */
export async function takeWaits(tx: Tx, tenantId: string, limit: number): Promise<string[]> {
  const rows = await tx.$queryRaw<{ opId: string }[]>`
    WITH taken AS MATERIALIZED (
      SELECT op_id FROM approval_waits WHERE tenant_id = ${tenantId}::uuid
      ORDER BY op_id LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )
    DELETE FROM approval_waits w USING taken WHERE w.tenant_id = ${tenantId}::uuid AND w.op_id = taken.op_id
    RETURNING w.op_id AS "opId"`;
  return rows.map(({ opId }) => opId);
}

/**
 * Proposal `o` waits for member `m`: it is still open, its policy `p` names the role, and four eyes are kept (AP-1).
 * The same as the tab "Mine" of the approvals page.
 */
export const WAITS_FOR_MEMBER = Prisma.sql`o.state = 'proposed' AND coalesce(o.approval_expires_at > ledger_now(), true)
  AND m.removed_at IS NULL
  AND coalesce(p.body::jsonb -> 'approverRoles', '["account_manager"]') ? m.role
  AND NOT (coalesce((p.body::jsonb ->> 'fourEyes')::boolean, true) AND (
    o.proposed_by = 'user:' || m.account_id OR (o.edited_by = 'user:' || m.account_id) IS TRUE
    OR o.proposed_by IN (SELECT 'key:' || k.id FROM api_keys k
      WHERE k.tenant_id = o.tenant_id AND k.created_by = m.account_id)))
  AND NOT EXISTS (SELECT 1 FROM approvals v WHERE v.tenant_id = o.tenant_id AND v.op_id = o.op_id
    AND v.account_id = m.account_id AND v.revoked_at IS NULL AND v.version = o.version)`;

export interface WaitedFor {
  readonly accountId: string;
  readonly count: number;
  /** When the first of them is lost. */
  readonly losesAt: Date | null;
}

/** Who is waited for by these proposals, and by how many of them. */
export async function waitedFor(
  tx: Tx,
  tenantId: string,
  opIds: readonly string[],
): Promise<WaitedFor[]> {
  return tx.$queryRaw<WaitedFor[]>`
    SELECT m.account_id AS "accountId", count(*)::int AS count,
      min(least(o.approval_expires_at, r.mirror_expires_at, r.business_deadline_at)) AS "losesAt"
    FROM operations o
    JOIN requests r ON r.tenant_id = o.tenant_id AND r.ref = o.request_ref
    JOIN memberships m ON m.tenant_id = o.tenant_id
    LEFT JOIN policies p ON p.tenant_id = o.tenant_id AND p.kind = o.kind AND p.version = o.policy_version
    WHERE o.tenant_id = ${tenantId}::uuid AND o.op_id = ANY (${[...opIds]}::uuid[]) AND ${WAITS_FOR_MEMBER}
    GROUP BY m.account_id ORDER BY m.account_id`;
}
