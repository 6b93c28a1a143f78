import type { CapabilityDescriptor } from "./capability";
import { isTerminal, type Observation, type PlatformRequest } from "./observation";
import { endedFirst, sameInstant, showsExpiry } from "./reached";
import type { JudgedOperation, Target, Verdict } from "./verdict";

/** PL-5: what the read before a call means. Only `act` lets a call leave. */
export function judgeBeforeCall(
  operation: JudgedOperation,
  observation: Observation,
  descriptor: CapabilityDescriptor,
): Verdict {
  switch (observation.kind) {
    case "unreadable":
      if (
        observation.detail.cause === "not_supported" &&
        descriptor.lookupByReference.kind === "none"
      ) {
        return withoutLookup(operation);
      }
      return { to: "needs_reconcile", reason: "read_before_failed" };
    case "declined":
      if (operation.declines >= operation.bounds.declinesMax) {
        return { to: "needs_review", reason: "declined_too_often" };
      }
      return {
        to: "scheduled",
        reason: "awaiting_rate_limit",
        ...(observation.retryAfterMs === null ? {} : { waitMs: observation.retryAfterMs }),
      };
    case "not_found":
      return operation.target.kind === "exists"
        ? { to: "act" }
        : { to: "quarantined", reason: "missing_at_platform" };
    case "read":
      return found(operation, observation.matches, descriptor);
  }
}

/** A platform that cannot be searched: the first send may go, a second never by itself (PL-2). */
function withoutLookup(operation: JudgedOperation): Verdict {
  return operation.attempts === 0 ? { to: "act" } : { to: "needs_review", reason: "no_lookup" };
}

function found(
  operation: JudgedOperation,
  matches: readonly PlatformRequest[],
  descriptor: CapabilityDescriptor,
): Verdict {
  const [request] = matches;
  if (!request) return operation.target.kind === "exists" ? { to: "act" } : missing();
  // A request that already carries our reference: the reconciler decides what that means (PL-4).
  if (operation.target.kind === "exists") {
    return { to: "needs_reconcile", reason: "lookup_inconclusive" };
  }
  return changeOf(operation, operation.target, request, descriptor);
}

function missing(): Verdict {
  return { to: "quarantined", reason: "missing_at_platform" };
}

/** Target first, terminal second, then the comparison with the approved basis (PL-5). */
function changeOf(
  operation: JudgedOperation,
  target: Extract<Target, { kind: "expiry" }>,
  request: PlatformRequest,
  descriptor: CapabilityDescriptor,
): Verdict {
  if (showsExpiry(request, target.expiresAt, descriptor)) {
    return operation.attempts > 0
      ? { to: "needs_reconcile", reason: "lookup_inconclusive" }
      : { to: "obsolete", reason: "already_so" };
  }
  if (isTerminal(request.status)) {
    return { to: "obsolete", reason: endedFirst(request.status) };
  }
  if (request.status === "unrecognised") {
    return { to: "quarantined", reason: "status_not_understood" };
  }
  if (!sameInstant(request.expiresAt, operation.expectedExpiresAt)) {
    return wouldShorten(request, target.expiresAt)
      ? { to: "quarantined", reason: "would_shorten" }
      : { to: "quarantined", reason: "expiry_changed_since_approval" };
  }
  if (wouldShorten(request, target.expiresAt)) {
    return { to: "quarantined", reason: "would_shorten" };
  }
  return { to: "act" };
}

/** TM-3: an extension never shortens. */
function wouldShorten(request: PlatformRequest, target: string): boolean {
  return request.expiresAt !== null && Date.parse(request.expiresAt) > Date.parse(target);
}
