import type { Payload, PayloadSigner } from "./payload";
import type { Target } from "./verdict";

/** What the approved payload wants the platform to show. */
export function targetOf(payload: Payload): Target {
  switch (payload.kind) {
    case "send":
      return { kind: "exists" };
    case "extend":
      return { kind: "expiry", expiresAt: payload.target.expires_at };
    case "expire":
      return { kind: "status", status: "expired" };
    case "void":
      return { kind: "status", status: "voided" };
    case "remind":
      return { kind: "reminded", subjectRefs: payload.signers.map(subjectOf) };
    case "resend":
      return { kind: "resent", subjectRefs: payload.signers.map(subjectOf) };
  }
}

function subjectOf(signer: PayloadSigner): string {
  return signer.subject_ref;
}

/** The platform expiry that the approval was read against (PL-5); null for a send. */
export function expectedExpiry(payload: Payload): string | null {
  switch (payload.kind) {
    case "send":
      return null;
    case "extend":
    case "resend":
    case "remind":
    case "expire":
    case "void":
      return payload.expected.expires_at;
  }
}
