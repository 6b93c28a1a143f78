import type { CapabilityDescriptor } from "./capability";
import { missing, notThere, staysUnknown } from "./judge-absence";
import type { Observation, PlatformRequest } from "./observation";
import {
  effectIsReadable,
  endedFirst,
  farFromTarget,
  finalStatus,
  sameInstant,
  showsExpiry,
} from "./reached";
import { comparedContact, notSigned } from "./shown-contact";
import type { JudgedOperation, LookPhase, Target, TargetOf, Verdict } from "./verdict";

/** RC-2, RC-3 and RC-5: what a reconciler's read means. Order matters: target, final end, old value, third value. */
export function judgeLook(
  operation: JudgedOperation,
  phase: LookPhase,
  observation: Observation,
  descriptor: CapabilityDescriptor,
): Verdict {
  const unreadable = neverReadable(operation, descriptor);
  if (unreadable) return unreadable;
  switch (observation.kind) {
    case "unreadable":
      return operation.target.kind === "exists" &&
        observation.detail.cause === "not_supported" &&
        descriptor.lookupByReference.kind === "none"
        ? { to: "needs_review", reason: "no_lookup" }
        : staysUnknown(operation, "lookup_failed");
    case "declined":
      return {
        ...staysUnknown(operation, "lookup_failed"),
        ...(observation.retryAfterMs === null ? {} : { waitMs: observation.retryAfterMs }),
      };
    case "not_found":
      return operation.target.kind === "exists" ? noMatch(operation, phase) : missing(operation);
    case "read":
      return operation.target.kind === "exists"
        ? matched(operation, phase, observation.matches)
        : changed(operation, phase, operation.target, observation.matches, descriptor);
  }
}

/**
 * RC-5: where no read can ever show the effect, looking longer tells nothing. An unknown reminder is let go, a missed
 * nudge being better than a second one; an unknown resend is a person's. Null while a read may still tell.
 */
function neverReadable(
  operation: JudgedOperation,
  descriptor: CapabilityDescriptor,
): Verdict | null {
  if (effectIsReadable(operation.target, descriptor)) return null;
  if (operation.attempts === 0 || !operation.earlierUnknown) return null;
  return operation.target.kind === "resent"
    ? { to: "needs_review", reason: "resend_unknown" }
    : { to: "obsolete", reason: "skipped_unknown" };
}

function matched(
  operation: JudgedOperation,
  phase: LookPhase,
  matches: readonly PlatformRequest[],
): Verdict {
  const [request, second] = matches;
  if (!request) return noMatch(operation, phase);
  if (second) return { to: "needs_review", reason: "possible_duplicate" };
  if (request.clientReference !== null && request.clientReference !== operation.opId) {
    return { to: "needs_review", reason: "possible_duplicate" };
  }
  return { to: "done", reason: "effect_found_by_lookup", platformRef: request.platformRef };
}

/** A send that the platform has acknowledged is never absent: it may come back, and a second one must not go (C-12). */
function noMatch(operation: JudgedOperation, phase: LookPhase): Verdict {
  return operation.acknowledged ? missing(operation) : notThere(operation, phase);
}

type ChangeTarget = Exclude<Target, { kind: "exists" }>;

function changed(
  operation: JudgedOperation,
  phase: LookPhase,
  target: ChangeTarget,
  matches: readonly PlatformRequest[],
  descriptor: CapabilityDescriptor,
): Verdict {
  const [request] = matches;
  if (!request) return missing(operation);
  if (reached(operation, target, request, descriptor)) {
    return { to: "done", reason: "effect_confirmed" };
  }
  const ended = finalStatus(request, descriptor);
  if (ended !== null) return { to: "obsolete", reason: endedFirst(ended) };
  if (request.status === "unrecognised") {
    return { to: "quarantined", reason: "status_not_understood" };
  }
  switch (target.kind) {
    case "expiry":
      return notYetExtended(operation, phase, target, request);
    case "status":
      return notThere(operation, phase);
    case "reminded":
    case "resent":
      return notYetContacted(operation, phase, target, request);
  }
}

function reached(
  operation: JudgedOperation,
  target: ChangeTarget,
  request: PlatformRequest,
  descriptor: CapabilityDescriptor,
): boolean {
  switch (target.kind) {
    case "expiry":
      return showsExpiry(request, target.expiresAt, descriptor);
    case "status":
      return request.status === target.status;
    case "reminded":
    case "resent":
      return (
        effectIsReadable(target, descriptor) &&
        comparedContact(operation, target, request) === "newer"
      );
  }
}

function notYetExtended(
  operation: JudgedOperation,
  phase: LookPhase,
  target: TargetOf<"expiry">,
  request: PlatformRequest,
): Verdict {
  // Never sent: the old value needs no proof, and the next read before the call compares it again (RC-2).
  if (operation.attempts === 0) return notThere(operation, phase);
  if (sameInstant(request.expiresAt, operation.expectedExpiresAt)) {
    return notThere(operation, phase);
  }
  return farFromTarget(request, target.expiresAt)
    ? { to: "quarantined", reason: "platform_ignored_expiry" }
    : { to: "quarantined", reason: "neither_old_nor_new" };
}

function notYetContacted(
  operation: JudgedOperation,
  phase: LookPhase,
  target: TargetOf<"reminded"> | TargetOf<"resent">,
  request: PlatformRequest,
): Verdict {
  if (comparedContact(operation, target, request) === "unclear") {
    return staysUnknown(operation, "lookup_inconclusive");
  }
  const verdict = notThere(operation, phase);
  // The platform refuses to contact those who have signed: that is the reason then, not the refusal (RM-3).
  return verdict.to === "failed_terminal" && notSigned(target.subjectRefs, request).length === 0
    ? { to: "obsolete", reason: "skipped_signed" }
    : verdict;
}
