import { comparesExpiry, type RequestState, stateChange } from "@/lib/domain/approval";
import { type Payload, parsePayload } from "@/lib/domain/payload";
import { Refusal } from "@/lib/domain/refusal";
import { instantOf } from "@/lib/domain/zone";
import type { Tx } from "@/lib/store/db";
import { receiptState } from "@/lib/store/requests";
import type { Deciding } from "./approve";

/**
 * Throws Refusal `request_state_changed` when the newest authoritative state of the request is not the one that was
 * on the approver's screen or not the basis of the payload (AP-1, C-30), and `not_found` for a receipt that is none
 * of this request's. A first send has no basis: nothing exists at the platform yet.
 */
export async function refuseChangedRequest(
  tx: Tx,
  tenantId: string,
  { operation, request }: Pick<Deciding, "operation" | "request">,
  receiptId: string | null,
): Promise<void> {
  const payload = parsePayload(operation.canonicalText);
  const approved = approvedState(payload);
  if (approved === null || isAboutExtra(payload, request.platformRef)) return;
  const { status, expiresAt } = approved;
  const receipt = receiptId && (await receiptState(tx, tenantId, request.ref, receiptId));
  if (receiptId && !receipt) throw new Refusal("not_found");
  const shown = receipt ? { status: receipt.status, expiresAt: instant(receipt.expiresAt) } : null;
  const now: RequestState = {
    status: request.mirrorStatus,
    expiresAt: instant(request.mirrorExpiresAt),
  };
  const compared = { status, expiresAt: comparesExpiry(payload.kind) ? expiresAt : now.expiresAt };
  const change = stateChange(compared, shown, now);
  if (!change) return;
  throw new Refusal("request_state_changed", {
    values: { old: change.old, new: change.new },
    extensions: {
      field: change.field,
      before: change.old,
      after: change.new,
      receipt_id: request.mirrorReceiptId,
      read_at: request.mirrorReadAt?.toISOString() ?? null,
    },
  });
}

/**
 * True for the void of a further request that carries the same reference (RC-3): what is known of this one says nothing
 * about it, and the worker reads it before it acts.
 */
function isAboutExtra(payload: Payload, platformRef: string | null): boolean {
  return payload.kind === "void" && platformRef !== null && payload.platform_ref !== platformRef;
}

/** What the payload was read against; nothing is known yet of what a replaced send may still make. */
function approvedState(payload: Payload): RequestState | null {
  if (payload.kind === "send" && !payload.replaces) return null;
  const expected = payload.kind === "send" ? payload.replaces?.expected : payload.expected;
  return { status: expected?.status ?? null, expiresAt: expected?.expires_at ?? null };
}

function instant(at: Date | null): string | null {
  return at && instantOf(at.getTime());
}
