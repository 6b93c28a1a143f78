import { plannedFromDeadline, recordSuccessor, supersedeUnsent } from "@/lib/store/approvals";
import type { Tx } from "@/lib/store/db";
import type { ProposalRow } from "@/lib/store/proposals";
import type { Deciding } from "./approve";
import { actorName } from "./context";

/** The operations that an approval replaces: the one that is named (ID-7), and timers of the old deadline (TM-3). */
export async function predecessorsOf(
  tx: Tx,
  tenantId: string,
  { kind, requestRef, supersedesOpId }: ProposalRow,
): Promise<readonly string[]> {
  const named = supersedesOpId === null ? [] : [supersedesOpId];
  if (kind !== "extend") return named;
  return [...named, ...(await plannedFromDeadline(tx, tenantId, requestRef))];
}

/**
 * Ends what the approved operation replaces and never reached the platform; on the rest it records the successor,
 * which then waits until the earlier one is settled (ID-7).
 */
export async function succeed(tx: Tx, deciding: Deciding): Promise<void> {
  const { actor, operation, predecessors } = deciding;
  if (predecessors.length === 0) return;
  const succession = {
    tenantId: actor.tenantId,
    requestRef: operation.requestRef,
    successorOpId: operation.opId,
    earlierOpIds: predecessors,
    actor: actorName(actor),
  };
  await supersedeUnsent(tx, succession);
  await recordSuccessor(tx, succession);
}
