import type { BusinessDeadline } from "@/lib/domain/business-deadline";
import type { CapabilityDescriptor } from "@/lib/domain/capability";
import type { ExpectedState, ExtendPayload, PayloadSigner } from "@/lib/domain/payload";
import { Refusal } from "@/lib/domain/refusal";
import { shownExpiry } from "@/lib/domain/shown-expiry";
import { instantOf } from "@/lib/domain/zone";
import type { RequestRow, SignerRow } from "@/lib/store/requests";

/** What the server puts into an extension by itself: where it goes and what it was read against. */
export interface ExtensionBasis {
  readonly connectionId: string;
  readonly platformRef: string;
  readonly expected: ExpectedState;
  readonly descriptor: CapabilityDescriptor;
}

/** The wish of an extension, resolved. */
export interface ExtensionTarget {
  readonly requestRef: string;
  readonly deadline: BusinessDeadline;
  readonly reasonDigest: string;
  readonly supersedesOpId: string | null;
}

/**
 * The basis of a new extension: the newest authoritative state of the request (PL-4). Throws Refusal
 * `fresh_read_failed` for a request that the platform does not know yet or that nobody could ever read.
 */
export function basisOf(request: RequestRow, signers: readonly SignerRow[]): ExtensionBasis {
  const { connectionId, platformRef, mirrorStatus, mirrorExpiresAt, mirrorVersion } = request;
  const { descriptor } = request;
  if (platformRef === null || mirrorStatus === null) throw new Refusal("fresh_read_failed");
  return {
    connectionId,
    platformRef,
    descriptor,
    expected: {
      status: mirrorStatus,
      expires_at: mirrorExpiresAt && instantOf(mirrorExpiresAt.getTime()),
      version: mirrorVersion,
      signers: signers.map(payloadSigner),
    },
  };
}

/**
 * The payload of an extension (TM-3): its target is the approved absolute instant, with what the platform will show
 * instead where it cannot keep it.
 */
export function extensionPayload(
  { connectionId, platformRef, expected, descriptor }: ExtensionBasis,
  { requestRef, deadline, reasonDigest, supersedesOpId }: ExtensionTarget,
): ExtendPayload {
  const shown = shownExpiry(deadline.instant, descriptor);
  return {
    schema: 1,
    kind: "extend",
    request_ref: requestRef,
    connection_id: connectionId,
    platform_ref: platformRef,
    target: {
      expires_at: deadline.instant,
      business_deadline: deadline,
      ...(shown === deadline.instant ? {} : { shown_expires_at: shown }),
    },
    expected,
    reason_digest: reasonDigest,
    reminders: "unchanged",
    supersedes_op_id: supersedesOpId,
    signature_policy: null,
  };
}

/** A signer as payloads hold them. */
export function payloadSigner({
  subjectRef,
  role,
  order,
  contactDigest,
}: SignerRow): PayloadSigner {
  return { subject_ref: subjectRef, role, order, contact_digest: contactDigest };
}
