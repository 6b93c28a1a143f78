import type { Tx } from "./db";

/** What decides whom a read of a request concerns. */
export interface RequestPeople {
  /** Who decides about the request as a whole; never empty (RV-1). */
  readonly owner: string;
  readonly reminderOwner: "platform" | "application";
  readonly businessDeadlineAt: Date | null;
}

/** Loads owner, reminder owner and deadline of a request; throws when it is not the tenant's. */
export async function requestPeople(
  tx: Tx,
  tenantId: string,
  requestRef: string,
): Promise<RequestPeople> {
  const [row] = await tx.$queryRaw<RequestPeople[]>`
    SELECT coalesce('account:' || owner_account_id, 'team:account-managers') AS owner,
      reminder_owner AS "reminderOwner", business_deadline_at AS "businessDeadlineAt"
    FROM requests WHERE tenant_id = ${tenantId}::uuid AND ref = ${requestRef}`;
  if (!row) throw new Error("a mirrored request is visible to its own tenant");
  return row;
}

/** True when people were ever told of this about the request, whatever became of it. */
export async function wasTold(
  tx: Tx,
  tenantId: string,
  requestRef: string,
  reason: string,
): Promise<boolean> {
  const row = await tx.reviewItem.findFirst({
    where: { tenantId, requestRef, reason },
    select: { id: true },
  });
  return row !== null;
}
