import { modeOfKey, type ProposalMode } from "@/lib/domain/identity";
import { isTerminal } from "@/lib/domain/observation";
import { PayloadSchema } from "@/lib/domain/payload";
import { Refusal } from "@/lib/domain/refusal";
import type { Tx } from "@/lib/store/db";
import { openOperationsOf, type ProposalRow, proposalById } from "@/lib/store/proposals";
import type { RequestRow } from "@/lib/store/requests";
import type { ChangePayload } from "./change-basis";

/** Throws Refusal `request_ended` for a request whose end at the platform is final (IN-5). */
export function refuseEnded({ mirrorStatus, descriptor }: RequestRow): void {
  if (mirrorStatus === null || !isTerminal(mirrorStatus)) return;
  if (descriptor.terminal[mirrorStatus] === "revivable") return;
  throw new Refusal("request_ended", { values: { status: mirrorStatus } });
}

/** Throws Refusal `not_found` when the operation to be replaced is none of this request (ID-7). */
export async function refuseForeignPredecessor(
  tx: Tx,
  tenantId: string,
  requestRef: string,
  opId: string | null,
): Promise<void> {
  if (opId === null) return;
  const earlier = await proposalById(tx, tenantId, opId);
  if (earlier?.requestRef !== requestRef) throw new Refusal("not_found");
}

/**
 * The oldest open operation of the request that asks for the same, other than the one to be replaced (AP-4); or
 * null. A shadow and a live one are never each other's twin (GO-1).
 */
export async function openTwin<P extends ChangePayload>(
  tx: Tx,
  tenantId: string,
  asked: P,
  mode: ProposalMode,
  isSame: (open: P, asked: P, row: ProposalRow) => boolean,
): Promise<ProposalRow | null> {
  const open = await openOperationsOf(tx, tenantId, asked.request_ref, asked.kind);
  const twin = open.find((row) => {
    if (row.opId === asked.supersedes_op_id || modeOfKey(row.opKey) !== mode) return false;
    const read = PayloadSchema.safeParse(JSON.parse(row.canonicalText));
    // What cannot be read asks for nothing and can be nobody's twin.
    return read.data?.kind === asked.kind && isSame(read.data as P, asked, row);
  });
  return twin ?? null;
}
