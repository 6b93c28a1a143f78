import type { CapabilityDescriptor } from "./capability";
import type { Observation, PlatformRequest } from "./observation";
import { endedFirst, farFromTarget, finalStatus, sameInstant, showsExpiry } from "./reached";
import type { JudgedOperation, Phase, Target, Verdict } from "./verdict";

type LookPhase = Extract<Phase, { kind: "look" }>;

/** RC-2 and RC-3: what a reconciler's read means. Order matters: target, final end, old value, third value. */
export function judgeLook(
  operation: JudgedOperation,
  phase: LookPhase,
  observation: Observation,
  descriptor: CapabilityDescriptor,
): Verdict {
  switch (observation.kind) {
    case "unreadable":
      return observation.detail.cause === "not_supported" &&
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

/** A reference that the platform gave and does not know any more is a person's case after the bound (C-12). */
function missing(operation: JudgedOperation): Verdict {
  return pastBound(operation)
    ? { to: "needs_review", reason: "missing_at_platform" }
    : { to: "needs_reconcile", reason: "found_then_missing" };
}

function changed(
  operation: JudgedOperation,
  phase: LookPhase,
  target: Extract<Target, { kind: "expiry" }>,
  matches: readonly PlatformRequest[],
  descriptor: CapabilityDescriptor,
): Verdict {
  const [request] = matches;
  if (!request) return missing(operation);
  if (showsExpiry(request, target.expiresAt, descriptor)) {
    return { to: "done", reason: "effect_confirmed" };
  }
  const ended = finalStatus(request, descriptor);
  if (ended !== null) return { to: "obsolete", reason: endedFirst(ended) };
  if (request.status === "unrecognised") {
    return { to: "quarantined", reason: "status_not_understood" };
  }
  // Never sent: the old value needs no proof, and the next read before the call compares it again (RC-2).
  if (operation.attempts === 0) return notThere(operation, phase);
  if (sameInstant(request.expiresAt, operation.expectedExpiresAt)) {
    return notThere(operation, phase);
  }
  return farFromTarget(request, target.expiresAt)
    ? { to: "quarantined", reason: "platform_ignored_expiry" }
    : { to: "quarantined", reason: "neither_old_nor_new" };
}

/** Absent, or still the old value: means something only from a read that RC-8 lets count. */
function notThere(operation: JudgedOperation, phase: LookPhase): Verdict {
  if (operation.attempts > 0 && !phase.absenceCounts) {
    return staysUnknown(operation, "awaiting_quiescence");
  }
  if (operation.attempts > 0 && !phase.withinRetention) {
    return { to: "needs_review", reason: "reconcile_bound_reached" };
  }
  if (operation.successorRecorded) return { to: "superseded", reason: "superseded" };
  if (operation.lastRefusal !== null) return refusedForGood(operation.lastRefusal);
  if (operation.attempts >= operation.bounds.attemptsMax) {
    return { to: "failed_terminal", reason: "absence_confirmed_bound_reached" };
  }
  return { to: "scheduled", reason: "absence_proven" };
}

/** The newest attempt was refused and no earlier one worked either: now the refusal speaks for all (PL-3). */
function refusedForGood(refusal: NonNullable<JudgedOperation["lastRefusal"]>): Verdict {
  switch (refusal) {
    case "payload":
      return { to: "failed_terminal", reason: "rejected_payload" };
    case "credentials":
      return { to: "needs_review", reason: "credentials_refused" };
    case "template":
      return { to: "needs_review", reason: "template_missing" };
    case "setting":
      return { to: "needs_review", reason: "setting_missing" };
  }
}

/** Time alone never reschedules: past the bound a person decides (RC-4). */
function staysUnknown(
  operation: JudgedOperation,
  reason: "lookup_failed" | "awaiting_quiescence",
): Verdict {
  return pastBound(operation)
    ? { to: "needs_review", reason: "reconcile_bound_reached" }
    : { to: "needs_reconcile", reason };
}

function pastBound(operation: JudgedOperation): boolean {
  return (
    operation.looks >= operation.bounds.looksMax ||
    operation.unknownForMs >= operation.bounds.unknownAgeMaxMs
  );
}
