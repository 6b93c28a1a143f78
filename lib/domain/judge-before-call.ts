import type { CapabilityDescriptor } from "./capability";
import { judgeContactBefore } from "./judge-contact";
import { isTerminal, type Observation, type PlatformRequest } from "./observation";
import { endedFirst, sameInstant, showsExpiry } from "./reached";
import type { JudgedOperation, TargetOf, Verdict } from "./verdict";

/** PL-5: what the read before a call means. Only `act` lets a call leave. */
export function judgeBeforeCall(
  operation: JudgedOperation,
  observation: Observation,
  descriptor: CapabilityDescriptor,
): Verdict {
  switch (observation.kind) {
    case "unreadable":
      if (
        operation.target.kind === "exists" &&
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
      return operation.target.kind === "exists" ? { to: "act" } : missing();
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
  const { target } = operation;
  const [request] = matches;
  if (!request) return target.kind === "exists" ? { to: "act" } : missing();
  switch (target.kind) {
    case "exists":
      // A request that already carries our reference: the reconciler decides what that means (PL-4).
      return { to: "needs_reconcile", reason: "lookup_inconclusive" };
    case "expiry":
      return extension(operation, target, request, descriptor);
    case "status":
      return ending(operation, target, request);
    case "reminded":
    case "resent":
      return judgeContactBefore(operation, target, request, descriptor);
  }
}

function missing(): Verdict {
  return { to: "quarantined", reason: "missing_at_platform" };
}

/** Target first, terminal second, then the comparison with the approved basis (PL-5). */
function extension(
  operation: JudgedOperation,
  target: TargetOf<"expiry">,
  request: PlatformRequest,
  descriptor: CapabilityDescriptor,
): Verdict {
  if (showsExpiry(request, target.expiresAt, descriptor)) return alreadyThere(operation);
  const barred = endedOrUnclear(request) ?? movedStatus(operation, request);
  if (barred) return barred;
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

/** A void compares only that the request is open; an expiry, that nobody has moved its deadline (PL-5). */
function ending(
  operation: JudgedOperation,
  target: TargetOf<"status">,
  request: PlatformRequest,
): Verdict {
  if (request.status === target.status) return alreadyThere(operation);
  const barred = endedOrUnclear(request) ?? movedStatus(operation, request);
  if (barred) return barred;
  return target.status === "voided" || sameInstant(request.expiresAt, operation.expectedExpiresAt)
    ? { to: "act" }
    : { to: "quarantined", reason: "expiry_changed_since_approval" };
}

function alreadyThere(operation: JudgedOperation): Verdict {
  return operation.attempts > 0
    ? { to: "needs_reconcile", reason: "lookup_inconclusive" }
    : { to: "obsolete", reason: "already_so" };
}

/** A request that has ended, or of which nobody knows what it is, is not changed; null for an open one. */
function endedOrUnclear(request: PlatformRequest): Verdict | null {
  if (isTerminal(request.status)) {
    return { to: "obsolete", reason: endedFirst(request.status) };
  }
  if (request.status === "unrecognised") {
    return { to: "quarantined", reason: "status_not_understood" };
  }
  return null;
}

/** Progress among open statuses is no difference unless the policy says so (PL-5). */
function movedStatus(
  { expectedStatus }: JudgedOperation,
  { status }: PlatformRequest,
): Verdict | null {
  return expectedStatus === null || expectedStatus === status
    ? null
    : { to: "quarantined", reason: "status_changed_since_approval" };
}

/** TM-3: an extension never shortens. */
function wouldShorten(request: PlatformRequest, target: string): boolean {
  return request.expiresAt !== null && Date.parse(request.expiresAt) > Date.parse(target);
}
