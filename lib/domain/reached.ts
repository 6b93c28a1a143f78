import type { CapabilityDescriptor } from "./capability";
import type { PlatformRequest, TerminalStatus } from "./observation";
import { isTerminal } from "./observation";
import type { Target } from "./verdict";

const DAY_MS = 86_400_000;

/**
 * The instants that a platform may show for an approved expiry, in epoch milliseconds: exactly the floored one for
 * absolute platforms (TM-3), less than a day later for those that count whole days (C-24).
 */
function shownFor(target: string, descriptor: CapabilityDescriptor): { from: number; to: number } {
  const wanted = Date.parse(target);
  const form = descriptor.expiryForm;
  switch (form.kind) {
    case "absolute": {
      const floored = wanted - (wanted % form.granularityMs);
      return { from: floored, to: floored };
    }
    case "relative_days":
      return { from: wanted, to: wanted + DAY_MS - 1 };
  }
}

/** True when the expiry that a read shows is the approved one, as far as this platform can express it. */
export function showsExpiry(
  request: PlatformRequest,
  target: string,
  descriptor: CapabilityDescriptor,
): boolean {
  if (request.expiresAt === null) return false;
  const shown = Date.parse(request.expiresAt);
  const { from, to } = shownFor(target, descriptor);
  return shown >= from && shown <= to;
}

/** False where no read can ever show the effect, so that acceptance is the only evidence (PL-6, RC-5). */
export function effectIsReadable(target: Target, descriptor: CapabilityDescriptor): boolean {
  switch (target.kind) {
    case "exists":
    case "expiry":
    case "status":
      return true;
    case "reminded":
      return descriptor.reminderTimestamp;
    case "resent":
      return descriptor.deliveryRecord;
  }
}

/** True when two instants are the same moment; null means that the platform shows none. */
export function sameInstant(a: string | null, b: string | null): boolean {
  if (a === null || b === null) return a === b;
  return Date.parse(a) === Date.parse(b);
}

/** The final terminal status of a request; null while it is open or may be revived (IN-5). */
export function finalStatus(
  request: PlatformRequest,
  descriptor: CapabilityDescriptor,
): TerminalStatus | null {
  if (!isTerminal(request.status)) return null;
  return descriptor.terminal[request.status] === "final" ? request.status : null;
}

/** True when the platform shows an expiry more than a day away from the approved one (C-24). */
export function farFromTarget(
  request: Pick<PlatformRequest, "expiresAt">,
  target: string,
): boolean {
  if (request.expiresAt === null) return true;
  return Math.abs(Date.parse(request.expiresAt) - Date.parse(target)) > DAY_MS;
}

const FIRST = {
  completed: "request_completed_first",
  declined: "request_declined_first",
  expired: "request_expired_first",
  voided: "request_voided_first",
} as const satisfies Record<TerminalStatus, string>;

/** The reason code that says which end came first. */
export function endedFirst(status: TerminalStatus): (typeof FIRST)[TerminalStatus] {
  return FIRST[status];
}
