import { parsePayload } from "@/lib/domain/payload";
import { plannedFromDeadline, recordSuccessor, supersedeUnsent } from "@/lib/store/approvals";
import type { Tx } from "@/lib/store/db";
import type { ProposalRow } from "@/lib/store/proposals";
import { earlierSends } from "@/lib/store/replacements";
import type { Deciding } from "./approve";
import { actorName } from "./context";

/**
 * The operations that an approval replaces: the one that is named (ID-7), timers of the old deadline (TM-3), and for
 * a send every earlier one, since a replacement of a replacement replaces both.
 */
export async function predecessorsOf(
  tx: Tx,
  tenantId: string,
  { kind, requestRef, supersedesOpId, canonicalText }: ProposalRow,
): Promise<readonly string[]> {
  const named = supersedesOpId === null ? [] : [supersedesOpId];
  const replacesAll = kind === "extend" || (kind === "send" && supersedesOpId !== null);
  if (!replacesAll) return named;
  const timers = await plannedFromDeadline(tx, tenantId, requestRef);
  const payload = parsePayload(canonicalText);
  const sends =
    payload.kind === "send" ? await earlierSends(tx, tenantId, requestRef, payload.revision) : [];
  return [...new Set([...named, ...timers, ...sends])];
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
