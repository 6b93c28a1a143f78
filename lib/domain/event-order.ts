import type { CapabilityDescriptor } from "./capability";
import {
  isTerminal,
  REQUEST_STATUSES,
  type RequestStatus,
  type TerminalStatus,
} from "./observation";

/** What the mirror holds of a request; null was never read. */
export interface MirroredStatus {
  readonly status: string | null;
  /** A terminal status that this platform never leaves. */
  readonly isFinal: boolean;
}

/** The state that an authentic event tells of. */
export interface ToldStatus {
  readonly status: string | null;
  /** False for an event without an id of its own, which only triggers a read (IN-3). */
  readonly hasEventId: boolean;
}

export type EventMeaning =
  | { readonly kind: "advance"; readonly status: RequestStatus; readonly isFinal: boolean }
  /** The mirror says the same. */
  | { readonly kind: "same" }
  /** It tells of an earlier state than the mirror's. */
  | { readonly kind: "behind" }
  /** Another final end than the one that the mirror holds. */
  | { readonly kind: "contradiction"; readonly held: TerminalStatus; readonly told: TerminalStatus }
  /** Only an authoritative read may say what it means. */
  | { readonly kind: "needs_read" };

const TERMINAL_RANK = 5;

const RANK: Record<RequestStatus, number | null> = {
  draft: 0,
  sent: 1,
  viewed: 2,
  partially_signed: 3,
  finishing: 4,
  completed: TERMINAL_RANK,
  declined: TERMINAL_RANK,
  expired: TERMINAL_RANK,
  voided: TERMINAL_RANK,
  unrecognised: null,
};

/**
 * What an authentic event about a known request means for its mirror (IN-5): a higher rank is set, a lower one never,
 * a final end is never left, and an end that may be revived is left by a read alone. `terminal` is the platform's word
 * on which ends are final.
 */
export function meaningOfEvent(
  mirror: MirroredStatus,
  told: ToldStatus,
  terminal: CapabilityDescriptor["terminal"],
): EventMeaning {
  const status = knownStatus(told.status);
  const held = knownStatus(mirror.status);
  if (!told.hasEventId || status === null) return { kind: "needs_read" };
  const isFinal = isTerminal(status) && terminal[status] === "final";
  if (mirror.status === null) return { kind: "advance", status, isFinal };
  if (held === null) return { kind: "needs_read" };
  if (held === status) return { kind: "same" };
  if (mirror.isFinal) return afterFinalEnd(held, status);
  if (isTerminal(held)) return { kind: "needs_read" };
  const [before, now] = [RANK[held] ?? 0, RANK[status] ?? 0];
  return now > before ? { kind: "advance", status, isFinal } : { kind: "behind" };
}

function afterFinalEnd(held: RequestStatus, told: RequestStatus): EventMeaning {
  return isTerminal(held) && isTerminal(told)
    ? { kind: "contradiction", held, told }
    : { kind: "behind" };
}

/** A status with a place in the order; null for what nobody can place. */
function knownStatus(status: string | null): RequestStatus | null {
  const known = REQUEST_STATUSES.find((one) => one === status);
  return known === undefined || known === "unrecognised" ? null : known;
}

/** True when a status is known and stands before another in the order of a request's life (IN-5). */
export function isLower(status: string | null, than: string | null): boolean {
  const [one, other] = [knownStatus(status), knownStatus(than)];
  if (one === null || other === null) return false;
  return (RANK[one] ?? 0) < (RANK[other] ?? 0);
}

/** The kind of operation whose own target such an end shows; an event never ends one of these (IN-6). */
export function ownTargetKind(status: TerminalStatus): "void" | "expire" | null {
  if (status === "voided") return "void";
  return status === "expired" ? "expire" : null;
}
