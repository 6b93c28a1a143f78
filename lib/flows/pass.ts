import type { OwnerFacts } from "@/lib/domain/owner";
import { ownerFor } from "@/lib/domain/owner";
import type { Payload } from "@/lib/domain/payload";
import { timesOf } from "@/lib/domain/quiet-time";
import type { ReasonCode } from "@/lib/domain/reason";
import { reasonWord } from "@/lib/domain/reason";
import type { Baseline, JudgedOperation, ReminderFacts, Target } from "@/lib/domain/verdict";
import type { Provider } from "@/lib/providers/port";
import type { ConnectionRow } from "@/lib/store/connections";
import type { Hand } from "./hand";
import type { WorkerContext } from "./worker-context";

/** Everything that one pass over one claimed operation knows before it reads the platform. */
export interface Pass {
  readonly hand: Hand;
  readonly connection: ConnectionRow;
  readonly provider: Provider;
  readonly payload: Payload;
  readonly target: Target;
  readonly expectedExpiresAt: string | null;
  /** Null where the policy lets an open status move. */
  readonly expectedStatus: string | null;
  /** What the read before the first intent showed; null while there was none. */
  readonly baseline: Baseline | null;
  /** Null for every kind but reminders. */
  readonly reminder: Omit<ReminderFacts, "readAt"> | null;
  readonly earlierUnknown: boolean;
  readonly earlierAccepted: boolean;
  readonly lastRefusal: JudgedOperation["lastRefusal"];
  /** The platform's reference of the request; null before its send is done. */
  readonly platformRef: string | null;
  /** `user:<uuid>`, `key:<uuid>` or `policy:<kind>-v<n>`. */
  readonly proposedBy: string;
  readonly owners: OwnerFacts;
}

/**
 * The operation as the judge sees it; `callMade` says that the present pass has let a call leave, `readAt` is the
 * database time at which the read that is judged started.
 */
export function judgedOf(
  context: WorkerContext,
  pass: Pass,
  callMade: boolean,
  readAt: Date,
): JudgedOperation {
  const { claim } = pass.hand;
  const unknownSince = claim.unknownSince?.getTime() ?? null;
  return {
    opId: claim.opId,
    kind: claim.kind,
    target: pass.target,
    expectedExpiresAt: pass.expectedExpiresAt,
    expectedStatus: pass.expectedStatus,
    baseline: pass.baseline,
    reminder: pass.reminder && { ...pass.reminder, readAt: readAt.toISOString() },
    acknowledged: claim.platformRef !== null,
    attempts: claim.attempts + (callMade ? 1 : 0),
    earlierUnknown: pass.earlierUnknown,
    earlierAccepted: pass.earlierAccepted,
    lastRefusal: pass.lastRefusal,
    declines: claim.declines,
    looks: claim.looks,
    unknownForMs: unknownSince === null ? 0 : claim.claimedAt.getTime() - unknownSince,
    successorRecorded: claim.successorOpId !== null,
    bounds: context.bounds,
  };
}

/** Who decides about an operation that ends with this reason; never empty (RV-1). */
export function ownerOfReason(reason: ReasonCode, owners: OwnerFacts): string {
  return ownerFor(reasonWord(reason).owner, owners);
}

/**
 * The shortest lease with which a call may leave, in milliseconds: its time-out plus a margin of at least P - T
 * (CL-3). An unknown P keeps the margin at the time-out itself.
 */
export function leaseNeededMs(pass: Pass): number {
  const { callTimeoutMs, descriptor } = pass.connection;
  const { pauseMs } = timesOf(descriptor, pass.payload.kind);
  const margin = pauseMs === "unknown" ? callTimeoutMs : Math.max(0, pauseMs - callTimeoutMs);
  return callTimeoutMs + margin;
}
