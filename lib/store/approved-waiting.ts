import type { Tx } from "./db";

/**
 * Operations that wait to start and that this account's approval is behind, directly or through the approval of what
 * brought them, after `after` in the order of their ids; at most `limit`.
 */
export async function approvedWaiting(
  tx: Tx,
  tenantId: string,
  accountId: string,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<readonly string[]> {
  const rows = await tx.$queryRaw<{ opId: string }[]>`
    SELECT o.op_id AS "opId"
    FROM approvals a
    JOIN operations c ON c.tenant_id = a.tenant_id AND c.op_id = a.op_id AND c.version = a.version
      AND c.payload_hash = a.payload_hash
    JOIN operations o ON o.tenant_id = c.tenant_id AND (o.op_id = c.op_id OR o.approved_with_op_id = c.op_id)
    WHERE a.tenant_id = ${tenantId}::uuid AND a.account_id = ${accountId}::uuid AND a.revoked_at IS NULL
      AND a.decision = 'approve' AND o.state = 'scheduled'
      AND (${after}::uuid IS NULL OR o.op_id > ${after}::uuid)
    ORDER BY o.op_id LIMIT ${limit}`;
  return rows.map(({ opId }) => opId);
}
