import type { Payload } from "./payload";
import type { Target } from "./verdict";

/** What the approved payload wants the platform to show. Kinds without a readable target of their own throw. */
export function targetOf(payload: Payload): Target {
  switch (payload.kind) {
    case "send":
      return { kind: "exists" };
    case "extend":
      return { kind: "expiry", expiresAt: payload.target.expires_at };
    case "resend":
    case "remind":
    case "expire":
    case "void":
      throw new Error(`operations of kind ${payload.kind} are not executed in this release`);
  }
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
