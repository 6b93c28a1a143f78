import type { CapabilityDescriptor } from "./capability";
import { invariant } from "./invariant";
import { isTerminal, type PlatformRequest } from "./observation";
import { effectIsReadable, endedFirst, sameInstant } from "./reached";
import { type ContactTarget, comparedContact, notSigned } from "./shown-contact";
import type { JudgedOperation, ReminderFacts, Verdict } from "./verdict";

/**
 * PL-5, RM-1..RM-3, RC-5: what the read before a reminder or a resend means. Own effect first, then the end of the
 * request, then whether anybody is left who may be contacted now.
 */
export function judgeContactBefore(
  operation: JudgedOperation,
  target: ContactTarget,
  request: PlatformRequest,
  descriptor: CapabilityDescriptor,
): Verdict {
  if (
    operation.attempts > 0 &&
    effectIsReadable(target, descriptor) &&
    comparedContact(operation, target, request) !== "same"
  ) {
    return { to: "needs_reconcile", reason: "lookup_inconclusive" };
  }
  if (isTerminal(request.status)) return { to: "obsolete", reason: endedFirst(request.status) };
  if (request.status === "unrecognised") {
    return { to: "quarantined", reason: "status_not_understood" };
  }
  if (notSigned(target.subjectRefs, request).length === 0) {
    return { to: "obsolete", reason: "skipped_signed" };
  }
  if (target.kind === "resent") {
    return sameInstant(request.expiresAt, operation.expectedExpiresAt)
      ? { to: "act" }
      : { to: "quarantined", reason: "expiry_changed_since_approval" };
  }
  invariant(operation.reminder, "a reminder is judged with the facts about reminders");
  return reminder(operation.reminder, request);
}

/** Whether a reminder may go now: skip rather than duplicate (RM-2). It compares no expiry (PL-5). */
function reminder(facts: ReminderFacts, request: PlatformRequest): Verdict {
  const readAt = Date.parse(facts.readAt);
  if (facts.deadlineAt !== null && Date.parse(facts.deadlineAt) <= readAt) {
    return { to: "obsolete", reason: "skipped_past_deadline" };
  }
  if (facts.owner === "platform" || request.platformReminders === true) {
    return { to: "quarantined", reason: "platform_also_reminds" };
  }
  const contacts = [facts.lastContactAt, request.lastReminderAt].filter((at) => at !== null);
  return contacts.some((at) => Date.parse(at) + facts.minIntervalMs > readAt)
    ? { to: "obsolete", reason: "skipped_too_soon" }
    : { to: "act" };
}
