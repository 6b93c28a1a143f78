import type { CapabilityDescriptor } from "@/lib/domain/capability";
import type { ExpectedState, Payload, PayloadSigner, SendPayload } from "@/lib/domain/payload";
import { Refusal } from "@/lib/domain/refusal";
import { instantOf } from "@/lib/domain/zone";
import type { RequestRow, SignerRow } from "@/lib/store/requests";

/** The payloads that change a request which exists at its platform. */
export type ChangePayload = Exclude<Payload, SendPayload>;

/** What the server puts into a change by itself: where it goes and what it was read against. */
export interface ChangeBasis {
  readonly connectionId: string;
  readonly platformRef: string;
  readonly expected: ExpectedState;
  readonly descriptor: CapabilityDescriptor;
}

/** The members that every change of a request has. */
export type ChangeHead = Omit<ChangePayload, "kind">;

/**
 * The basis of a new change: the newest authoritative state of the request (PL-4). Throws Refusal
 * `fresh_read_failed` for a request that the platform does not know yet or that nobody could ever read.
 */
export function basisOf(request: RequestRow, signers: readonly SignerRow[]): ChangeBasis {
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

/** The common members of a change on this basis, for a reason of which only the keyed digest is part. */
export function changeHead(
  { connectionId, platformRef, expected }: ChangeBasis,
  about: {
    readonly requestRef: string;
    readonly reasonDigest: string;
    readonly supersedesOpId: string | null;
  },
): ChangeHead {
  return {
    schema: 1,
    request_ref: about.requestRef,
    connection_id: connectionId,
    platform_ref: platformRef,
    expected,
    reason_digest: about.reasonDigest,
    supersedes_op_id: about.supersedesOpId,
  };
}

/** A signer as payloads hold them. */
function payloadSigner({ subjectRef, role, order, contactDigest }: SignerRow): PayloadSigner {
  return { subject_ref: subjectRef, role, order, contact_digest: contactDigest };
}
