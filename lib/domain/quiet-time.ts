import type { CapabilityDescriptor, OperationTimes } from "./capability";
import type { OperationKind } from "./operation";

/** One call that may have left a worker, as the ledger knows it. Times are epoch milliseconds of the database. */
export interface AttemptFacts {
  readonly leaseUntilMs: number;
  /** When its worker said what came of it; null while it has said nothing. */
  readonly reportedAtMs: number | null;
  /** True when the worker said for certain that no call left it. */
  readonly noCall: boolean;
  /** True while the database session of its worker lives (RC-9). */
  readonly workerAlive: boolean;
}

/** P, D and V of RC-8 for operations of a kind. */
export function timesOf(descriptor: CapabilityDescriptor, kind: OperationKind): OperationTimes {
  switch (kind) {
    case "send":
      return descriptor.times.send;
    case "extend":
      return descriptor.times.extend;
    case "resend":
    case "remind":
    case "expire":
    case "void":
    case "sign":
    case "finalize":
      return descriptor.times.other;
  }
}

/** From when on a read that starts can prove absence; `never` where a time is unknown or a worker lives. */
export type AbsenceCounts = { readonly fromMs: number } | { readonly never: "times" | "worker" };

/**
 * The moment after which a read that STARTS may count as proof of absence (RC-8): the latest quiet time of all
 * attempts plus the look-up lag. Waiting after the read is worth nothing. An operation of which no call left needs
 * no wait. While the session of a worker with an unreported attempt lives there is no such moment (RC-9).
 */
export function absenceCounts(
  attempts: readonly AttemptFacts[],
  times: OperationTimes,
): AbsenceCounts {
  const open = attempts.filter((attempt) => !attempt.noCall);
  if (open.length === 0) return { fromMs: Number.NEGATIVE_INFINITY };
  if (open.some((attempt) => attempt.reportedAtMs === null && attempt.workerAlive)) {
    return { never: "worker" };
  }
  const { pauseMs, processingMs, visibilityMs } = times;
  if (pauseMs === "unknown" || processingMs === "unknown" || visibilityMs === "unknown") {
    return { never: "times" };
  }
  const quiet = open.map((attempt) =>
    attempt.reportedAtMs === null
      ? attempt.leaseUntilMs + pauseMs + processingMs
      : attempt.reportedAtMs + processingMs,
  );
  return { fromMs: Math.max(...quiet) + visibilityMs };
}

/** True when a read that started at `readStartedAtMs` may prove absence (RC-8, RC-9). */
export function provesAbsence(counts: AbsenceCounts, readStartedAtMs: number): boolean {
  return "fromMs" in counts && readStartedAtMs >= counts.fromMs;
}
