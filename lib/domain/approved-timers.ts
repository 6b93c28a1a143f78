import type { BusinessDeadline } from "./business-deadline";
import { type ApprovedTimers, REMINDERS_MAX } from "./payload";
import type { VersionedPolicy } from "./policy";
import { reminderInstants } from "./reminder-plan";

export interface TimerWish {
  /** The present policies of the kinds `remind` and `expire`. */
  readonly remind: VersionedPolicy;
  readonly expire: VersionedPolicy;
  /** Who reminds in this workflow (RM-1). */
  readonly owner: "platform" | "application";
  /** Days between reminders that the workflow asks for itself; null leaves it to the policy. */
  readonly intervalDays: number | null;
  /** RFC 3339 in UTC: the moment of the proposal. */
  readonly from: string;
  readonly deadline: BusinessDeadline;
}

/**
 * The timers that people approve together with a send or an extension (TM-3, AP-2). Where the platform reminds none
 * of ours is planned (RM-1).
 */
export function approvedTimers(wish: TimerWish): ApprovedTimers {
  const { remind, expire, owner, from, deadline } = wish;
  const everyDays = wish.intervalDays ?? remind.policy.everyDays;
  const reminders =
    owner === "platform" || everyDays === null
      ? []
      : reminderInstants({
          from,
          until: deadline.instant,
          zone: deadline.zone,
          everyDays,
          atTime: remind.policy.atTime,
          max: REMINDERS_MAX,
        });
  return {
    reminders: [...reminders],
    closes_at_deadline: expire.policy.automatic,
    policies: { remind: remind.version, expire: expire.version },
  };
}
