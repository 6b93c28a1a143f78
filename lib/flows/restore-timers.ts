import { parsePayload } from "@/lib/domain/payload";
import { asTenant, type Database, type Tx } from "@/lib/store/db";
import { setBusinessDeadline } from "@/lib/store/requests";
import { type LostTimer, lostTimers, requestsWithLostTimers } from "@/lib/store/timers";
import { planTimers, type WantedTimer } from "./plan-timers";

/**
 * Plans timers again that were replaced for nothing: the extension or replacement that ended them came to an end
 * without an effect, so the approval that brought them still says what shall happen and until when (TM-3). Does
 * nothing while it is open and when nothing was lost. The new plan is named after what ended, so that a repeat adds nothing (ID-1).
 * Returns how many timers became operations.
 */
export async function restoreTimers(tx: Tx, tenantId: string, requestRef: string): Promise<number> {
  const lost = await lostTimers(tx, tenantId, requestRef);
  const [first] = lost;
  if (!first) return 0;
  const { causeOpId, approvedWithOpId } = first;
  const plan = { requestRef, planId: causeOpId, approvedWithOpId };
  await setBusinessDeadline(tx, tenantId, requestRef, deadlineOf(first));
  return planTimers(tx, tenantId, plan, lost.map(wantedAgain));
}

function wantedAgain(lost: LostTimer): WantedTimer {
  const { kind, occurrence, dueAt, policyVersion } = lost;
  const timer = { kind, occurrence, dueAt: dueAt.toISOString(), policyVersion };
  return { ...timer, deadline: kind === "expire" ? deadlineOf(lost) : null };
}

function deadlineOf({ approvedText }: LostTimer) {
  const payload = parsePayload(approvedText);
  switch (payload.kind) {
    case "send":
      return payload.business_deadline;
    case "extend":
      return payload.target.business_deadline;
    case "resend":
    case "remind":
    case "expire":
    case "void":
      throw new Error(`a plan is never approved with an operation of kind ${payload.kind}`);
  }
}

/** Few enough that a sweep is over in a moment. */
const BATCH = 50;

/** Restores timers that no pass has restored, in any tenant. Returns how many became operations. */
export async function restoreLostTimers(owner: Database): Promise<number> {
  let restored = 0;
  for (const { tenantId, requestRef } of await requestsWithLostTimers(owner, BATCH)) {
    restored += await asTenant(owner, tenantId, (tx) => restoreTimers(tx, tenantId, requestRef));
  }
  return restored;
}
