import type { OperationState } from "@/lib/domain/operation";
import { Refusal } from "@/lib/domain/refusal";
import {
  approvalStillHolds,
  noteOnPending,
  revokeApproval,
  sendToReview,
} from "@/lib/store/approvals";
import { asTenant } from "@/lib/store/db";
import { storeText, textSubjectOf } from "@/lib/store/vault";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { permitPerson } from "./permit";
import { typedReason } from "./typed-reason";
import { lockedOperation } from "./withdraw";

/** Who decides about an operation that lost its approval: the approver took part in it, so a team does (RV-1). */
const OWNER = "team:account-managers";

export interface ApprovalWithdrawal {
  readonly opId: string;
  readonly reason: string;
}

export interface ApprovalWithdrawn {
  readonly opId: string;
  readonly state: OperationState;
}

/**
 * Takes one's own approval back until a worker picks the operation up (AP-3). An approved operation that then has
 * too few approvals goes to review as `authorization_lost` in the same transaction. Throws Refusal: `not_found`
 * without an approval of one's own, `operation_moved_on` when it is too late.
 */
export async function withdrawApproval(
  ctx: ConsoleContext,
  actor: Actor,
  { opId, reason }: ApprovalWithdrawal,
): Promise<ApprovalWithdrawn> {
  const person = permitPerson(actor, "operation.approve");
  typedReason(reason);
  const { tenantId } = actor;
  return asTenant(ctx.db, tenantId, async (tx) => {
    const { state, version, requestRef } = await lockedOperation(tx, tenantId, opId);
    if (state !== "proposed" && state !== "scheduled") {
      throw new Refusal("operation_moved_on", { values: { state }, extensions: { state } });
    }
    if (!(await revokeApproval(tx, tenantId, opId, person.accountId)))
      throw new Refusal("not_found");
    const scope = { tenantId, vaultKey: ctx.vaultKey };
    const kept = await storeText(tx, scope, textSubjectOf(tenantId, requestRef), reason);
    const evidence = JSON.stringify({ reason: kept, role: person.role });
    const note = { tenantId, opId, actor: actorName(actor), evidence };
    await noteOnPending(tx, { ...note, version, kind: "approval_withdrawn" });
    if (state === "proposed" || (await approvalStillHolds(tx, tenantId, opId)))
      return { opId, state };
    await sendToReview(tx, { ...note, owner: OWNER });
    return { opId, state: "needs_review" };
  });
}
