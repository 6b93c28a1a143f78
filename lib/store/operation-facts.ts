import type { Tx } from "./db";

/** What a pass needs to know about an operation's request and people. */
export interface OperationFacts {
  readonly platformRef: string | null;
  readonly requestOwner: string | null;
  readonly proposedBy: string;
  readonly approver: string | null;
  readonly policyVersion: number;
  /** Who reminds the signers of the request (RM-1). */
  readonly reminderOwner: "platform" | "application";
  /** The request's business deadline. */
  readonly deadlineAt: Date | null;
}

/** Loads the facts of one operation in one statement; throws when it is not the tenant's. */
export async function operationFacts(
  tx: Tx,
  tenantId: string,
  opId: string,
): Promise<OperationFacts> {
  const [row] = await tx.$queryRaw<OperationFacts[]>`
    SELECT r.platform_ref AS "platformRef", 'account:' || r.owner_account_id AS "requestOwner",
      o.proposed_by AS "proposedBy", o.policy_version AS "policyVersion",
      r.reminder_owner AS "reminderOwner", r.business_deadline_at AS "deadlineAt",
      (SELECT 'account:' || a.account_id FROM approvals a
        WHERE a.tenant_id = o.tenant_id AND a.op_id = o.op_id AND a.decision = 'approve'
        ORDER BY a.at DESC LIMIT 1) AS approver
    FROM operations o JOIN requests r ON r.tenant_id = o.tenant_id AND r.ref = o.request_ref
    WHERE o.tenant_id = ${tenantId}::uuid AND o.op_id = ${opId}::uuid`;
  if (!row) throw new Error("the claimed operation is not visible to its own tenant");
  return row;
}
