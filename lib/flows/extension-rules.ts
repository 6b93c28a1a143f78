import { formatDeadline } from "@/lib/domain/deadline";
import { isTerminal } from "@/lib/domain/observation";
import { ExtendPayloadSchema } from "@/lib/domain/payload";
import { Refusal } from "@/lib/domain/refusal";
import { shownExpiry } from "@/lib/domain/shown-expiry";
import { instantOf } from "@/lib/domain/zone";
import type { Tx } from "@/lib/store/db";
import { openOperationsOf, type ProposalRow, proposalById } from "@/lib/store/proposals";
import type { RequestRow } from "@/lib/store/requests";

/** Throws Refusal `request_ended` for a request whose end at the platform is final (IN-5). */
export function refuseEnded({ mirrorStatus, descriptor }: RequestRow): void {
  if (mirrorStatus === null || !isTerminal(mirrorStatus)) return;
  if (descriptor.terminal[mirrorStatus] === "revivable") return;
  throw new Refusal("request_ended", { values: { status: mirrorStatus } });
}

/**
 * Throws Refusal `deadline_not_later` unless the platform would show a later expiry than it shows now (TM-3): an
 * instant that it rounds down to the present one would change nothing.
 */
export function refuseShortening(
  { mirrorExpiresAt, descriptor }: RequestRow,
  deadline: { readonly instant: string; readonly zone: string },
): void {
  if (mirrorExpiresAt === null) return;
  const shown = shownExpiry(deadline.instant, descriptor) ?? deadline.instant;
  if (Date.parse(shown) > mirrorExpiresAt.getTime()) return;
  const now = formatDeadline(instantOf(mirrorExpiresAt.getTime()), deadline.zone).line1;
  throw new Refusal("deadline_not_later", {
    values: { now },
    fields: [{ path: "date", sentence: "Choose a later date or time." }],
  });
}

/** The oldest open extension of the request with this target, other than the one to be replaced (AP-4); or null. */
export async function openTwin(
  tx: Tx,
  tenantId: string,
  requestRef: string,
  target: string,
  exceptOpId: string | null,
): Promise<ProposalRow | null> {
  const open = await openOperationsOf(tx, tenantId, requestRef, "extend");
  return open.find((row) => row.opId !== exceptOpId && targetOf(row) === target) ?? null;
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

/** Null for an operation that is no readable extension: it can be nobody's twin. */
function targetOf({ canonicalText }: ProposalRow): string | null {
  const read = ExtendPayloadSchema.safeParse(JSON.parse(canonicalText));
  return read.success ? read.data.target.expires_at : null;
}
