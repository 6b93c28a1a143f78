import type { CapabilityDescriptor } from "./capability";
import type { CallDetail, CallOutcome, Observation, PlatformRequest } from "./observation";
import { isTerminal } from "./observation";
import { effectIsReadable, endedFirst, showsExpiry } from "./reached";
import type { ReasonCode } from "./reason";
import { comparedContact, notSigned } from "./shown-contact";
import type { JudgedOperation, Verdict } from "./verdict";

const UNKNOWN_BECAUSE = {
  timeout: "call_timed_out",
  connection_lost: "connection_lost",
  response_cut: "response_cut",
  response_unusable: "response_unusable",
  platform_error: "platform_error",
  unlisted: "platform_error",
  not_supported: "platform_error",
} as const satisfies Record<CallDetail["cause"], ReasonCode>;

const FIX = {
  credentials: "credentials_refused",
  template: "template_missing",
  setting: "setting_missing",
} as const satisfies Record<string, ReasonCode>;

/**
 * PL-3 and PL-6: what an answer and the read after it mean. A success code is not an effect, and a refusal speaks
 * for this attempt only.
 */
export function judgeAfterCall(
  operation: JudgedOperation,
  outcome: CallOutcome,
  observation: Observation,
  descriptor: CapabilityDescriptor,
): Verdict {
  switch (outcome.kind) {
    case "unknown":
      return { to: "needs_reconcile", reason: UNKNOWN_BECAUSE[outcome.detail.cause] };
    case "accepted":
      return accepted(operation, outcome.platformRef, observation, descriptor);
    case "declined":
      return declined(operation, outcome, descriptor);
    case "precondition_failed":
      return notProcessed(operation, null);
    case "rejected_payload":
      return refused(operation, observation, { to: "failed_terminal", reason: "rejected_payload" });
    case "refused_state":
      // The platform speaks of an end; a read that still shows it open is older than the refusal.
      return refused(operation, observation, {
        to: "needs_reconcile",
        reason: "lookup_inconclusive",
      });
    case "rejected_fixable":
      return operation.earlierUnknown
        ? { to: "needs_reconcile", reason: "refused_after_unknown" }
        : { to: "needs_review", reason: FIX[outcome.fix] };
  }
}

function accepted(
  operation: JudgedOperation,
  platformRef: string | null,
  observation: Observation,
  descriptor: CapabilityDescriptor,
): Verdict {
  const ref = platformRef === null ? {} : { platformRef };
  if (operation.target.kind === "exists" && platformRef === null) {
    return { to: "needs_reconcile", reason: "response_unusable" };
  }
  if (!effectIsReadable(operation.target, descriptor)) {
    return { to: "done", reason: "accepted_unverified", ...ref };
  }
  switch (observation.kind) {
    case "unreadable":
    case "declined":
      return { to: "needs_reconcile", reason: "read_after_failed", ...ref };
    case "not_found":
      return { to: "needs_reconcile", reason: "found_then_missing", ...ref };
    case "read": {
      const [request] = observation.matches;
      if (!request) return { to: "needs_reconcile", reason: "found_then_missing", ...ref };
      return shows(operation, request, descriptor)
        ? { to: "done", reason: "effect_confirmed", ...ref }
        : { to: "needs_reconcile", reason: "readback_shows_old_value", ...ref };
    }
  }
}

function shows(
  operation: JudgedOperation,
  request: PlatformRequest,
  descriptor: CapabilityDescriptor,
): boolean {
  const { target } = operation;
  switch (target.kind) {
    case "exists":
      return request.clientReference === null || request.clientReference === operation.opId;
    case "expiry":
      return showsExpiry(request, target.expiresAt, descriptor);
    case "status":
      return request.status === target.status;
    case "reminded":
    case "resent":
      return comparedContact(operation, target, request) === "newer";
  }
}

function declined(
  operation: JudgedOperation,
  outcome: Extract<CallOutcome, { kind: "declined" }>,
  descriptor: CapabilityDescriptor,
): Verdict {
  const promise =
    outcome.by === "rate_limit"
      ? descriptor.rateLimitMeansNotProcessed
      : descriptor.conflictMeansNotProcessed;
  if (promise !== "guaranteed") {
    return { to: "needs_reconcile", reason: "throttled_effect_unknown" };
  }
  return notProcessed(operation, outcome.retryAfterMs);
}

/** Certain that the platform did not process it: the same operation waits for another try, bounded (PL-3). */
function notProcessed(operation: JudgedOperation, retryAfterMs: number | null): Verdict {
  if (operation.declines >= operation.bounds.declinesMax) {
    return operation.earlierUnknown
      ? { to: "needs_reconcile", reason: "refused_after_unknown" }
      : { to: "needs_review", reason: "declined_too_often" };
  }
  return {
    to: "scheduled",
    reason: "not_processed",
    ...(retryAfterMs === null ? {} : { waitMs: retryAfterMs }),
  };
}

/**
 * A refused change is followed by a read; a request that ended first makes the operation obsolete (PL-4). `whileOpen`
 * is what the refusal means when the read shows no end.
 */
function refused(
  operation: JudgedOperation,
  observation: Observation,
  whileOpen: Verdict,
): Verdict {
  if (operation.earlierUnknown) {
    return { to: "needs_reconcile", reason: "refused_after_unknown" };
  }
  if (operation.target.kind === "exists") {
    return { to: "failed_terminal", reason: "rejected_payload" };
  }
  switch (observation.kind) {
    case "read": {
      const [request] = observation.matches;
      if (request && isTerminal(request.status)) {
        return request.status === "completed"
          ? { to: "obsolete", reason: "platform_refused_completed" }
          : { to: "obsolete", reason: endedFirst(request.status) };
      }
      return request && nobodyLeft(operation, request)
        ? { to: "obsolete", reason: "skipped_signed" }
        : whileOpen;
    }
    case "not_found":
      return { to: "needs_review", reason: "missing_at_platform" };
    case "declined":
    case "unreadable":
      return { to: "needs_reconcile", reason: "read_after_failed" };
  }
}

/** True when those whom it was to reach have all signed (RM-3). */
function nobodyLeft({ target }: JudgedOperation, request: PlatformRequest): boolean {
  switch (target.kind) {
    case "exists":
    case "expiry":
    case "status":
      return false;
    case "reminded":
    case "resent":
      return notSigned(target.subjectRefs, request).length === 0;
  }
}
