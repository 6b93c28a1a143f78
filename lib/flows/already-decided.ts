import { formatMoment } from "@/lib/domain/deadline";
import { Refusal } from "@/lib/domain/refusal";
import { ledgerNow, type Tx } from "@/lib/store/db";
import type { ProposalRow } from "@/lib/store/proposals";

/**
 * Throws Refusal when an operation is no proposal any more or its time to be approved is over: `approval_expired`,
 * `already_decided` for rejected and withdrawn ones, `operation_moved_on` for everything else (AP-2, AP-4).
 */
export async function refuseDecided(
  tx: Tx,
  { state, reason, approvalExpiresAt, changedAt, approvedAt }: ProposalRow,
): Promise<void> {
  const now = await ledgerNow(tx);
  const expired = state === "proposed" && approvalExpiresAt !== null && approvalExpiresAt <= now;
  if (expired || reason === "approval_expired") {
    throw new Refusal("approval_expired", { values: { moment: momentOf(approvalExpiresAt) } });
  }
  if (state === "proposed") return;
  if (approvedAt === null && (reason === "rejected" || reason === "withdrawn")) {
    throw new Refusal("already_decided", {
      values: { role: WHO[reason], moment: momentOf(changedAt), decision: reason },
      extensions: { state, decision: reason },
    });
  }
  throw new Refusal("operation_moved_on", { values: { state }, extensions: { state } });
}

const WHO = { rejected: "An approver", withdrawn: "The proposer" } as const;

function momentOf(at: Date | null): string | null {
  return at && formatMoment(at.toISOString());
}
