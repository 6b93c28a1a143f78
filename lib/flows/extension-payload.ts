import type { BusinessDeadline } from "@/lib/domain/business-deadline";
import type { CapabilityDescriptor } from "@/lib/domain/capability";
import type { ApprovedTimers, ExtendPayload } from "@/lib/domain/payload";
import { shownExpiry } from "@/lib/domain/shown-expiry";
import type { ChangeHead } from "./change-basis";

/**
 * The payload of an extension (TM-3): its target is the approved absolute instant, with what the platform will show
 * instead where it cannot keep it, and the timers that are planned from it; null in payloads from before there were
 * timers.
 */
export function extensionPayload(
  head: ChangeHead,
  deadline: BusinessDeadline,
  descriptor: CapabilityDescriptor,
  timers: ApprovedTimers | null,
): ExtendPayload {
  const shown = shownExpiry(deadline.instant, descriptor);
  return {
    ...head,
    kind: "extend",
    target: {
      expires_at: deadline.instant,
      business_deadline: deadline,
      ...(shown === deadline.instant ? {} : { shown_expires_at: shown }),
    },
    reminders: "unchanged",
    signature_policy: null,
    ...(timers ? { timers } : {}),
  };
}
