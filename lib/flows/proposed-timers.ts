import { approvedTimers } from "@/lib/domain/approved-timers";
import type { BusinessDeadline } from "@/lib/domain/business-deadline";
import type { ApprovedTimers } from "@/lib/domain/payload";
import type { Tx } from "@/lib/store/db";
import { presentPolicy } from "@/lib/store/policies";
import type { RequestRow } from "@/lib/store/requests";
import { sentIntervalDays } from "@/lib/store/timers";

export interface TimersWanted {
  readonly owner: "platform" | "application";
  /** Days between reminders that the workflow asks for itself; null leaves it to the policy. */
  readonly intervalDays: number | null;
  /** Database time of the proposal. */
  readonly at: Date;
  readonly deadline: BusinessDeadline;
}

/** The timers that a proposal asks for under the present policies of reminders and expiry (AP-2, TM-5). */
export async function proposedTimers(
  tx: Tx,
  tenantId: string,
  { owner, intervalDays, at, deadline }: TimersWanted,
): Promise<ApprovedTimers> {
  return approvedTimers({
    remind: await presentPolicy(tx, tenantId, "remind"),
    expire: await presentPolicy(tx, tenantId, "expire"),
    owner,
    intervalDays,
    from: at.toISOString(),
    deadline,
  });
}

/** The timers of an extension: the request's owner of reminders and the interval it was sent with stay (RM-1). */
export async function timersOfExtension(
  tx: Tx,
  tenantId: string,
  request: Pick<RequestRow, "ref" | "reminderOwner">,
  at: Date,
  deadline: BusinessDeadline,
): Promise<ApprovedTimers> {
  return proposedTimers(tx, tenantId, {
    owner: request.reminderOwner,
    intervalDays: await sentIntervalDays(tx, tenantId, request.ref),
    at,
    deadline,
  });
}
