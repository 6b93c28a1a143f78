import type { MetricName } from "@/lib/domain/metrics";
import { OPERATION_STATES, type OperationState } from "@/lib/domain/operation";
import {
  alertPast,
  type FactValue,
  type SystemFact,
  type SystemGroup,
} from "@/lib/domain/system-fact";
import { OPERATION_WORDS } from "@/lib/domain/words";
import {
  COUNTED_MAX,
  type DueOperations,
  type OpenOperations,
} from "@/lib/store/operation-figures";
import type { ResolveTimes, UnknownShare } from "@/lib/store/unknown-figures";

/** One figure; `alert` is the alert that it raises now, if any. */
export function fact(
  label: string,
  value: FactValue,
  metric: MetricName | null,
  path: string | null,
  alert: SystemFact["alert"] = null,
): SystemFact {
  return { label, value, metric, path, alert };
}

export const count = (n: number): FactValue => ({ kind: "count", count: n });
export const seconds = (age: number | null): FactValue => ({ kind: "seconds", seconds: age });
export const moment = (at: Date | null): FactValue => ({
  kind: "moment",
  at: at?.toISOString() ?? null,
});

const SHOWN_STATES = OPERATION_STATES.filter(
  (state) => !["done", "obsolete", "superseded", "failed_terminal"].includes(state),
);

/** Open operations by state with the age of the oldest. */
export function stateFacts(
  open: readonly OpenOperations[],
  scheduled: readonly { readonly count: number }[],
): SystemGroup {
  const facts = SHOWN_STATES.map((state) => {
    const rows = open.filter((row) => row.state === state);
    const n = [...rows, ...(state === "scheduled" ? scheduled : [])].reduce(
      (sum, row) => sum + row.count,
      0,
    );
    const value: FactValue = { kind: "count", count: n, atLeast: n >= COUNTED_MAX };
    return fact(labelOf(state), value, "deadline_ledger_operations", `/operations?state=${state}`);
  });
  return { title: "Open operations", facts };
}

function labelOf(state: OperationState): string {
  return OPERATION_WORDS[state].label.replaceAll(/\[[^\]]*\]/g, "");
}

/** What is due, by kind, and how long it takes until a worker has it. */
export function queueFacts(
  due: readonly DueOperations[],
  pace: { readonly claimP95Ms: number | null; readonly conflicts: number },
): SystemGroup {
  const p95 = pace.claimP95Ms === null ? null : pace.claimP95Ms / 1000;
  return {
    title: "Queue",
    facts: [
      ...due.map(({ kind, held, count: n, lagSeconds }) =>
        held
          ? fact(
              `Due and held: ${kind}`,
              count(n),
              "deadline_ledger_operations_due",
              `/operations?state=scheduled&kind=${kind}`,
            )
          : fact(
              `Oldest due: ${kind}`,
              seconds(lagSeconds),
              "deadline_ledger_due_lag_seconds",
              `/operations?state=scheduled&kind=${kind}`,
              alertPast("LedgerDueLag", lagSeconds),
            ),
      ),
      ...(due.length === 0
        ? [
            fact(
              "Due now",
              count(0),
              "deadline_ledger_operations_due",
              "/operations?state=scheduled",
            ),
          ]
        : []),
      fact(
        "Claim latency, 95th percentile",
        seconds(p95),
        "deadline_ledger_claim_latency_seconds",
        null,
        alertPast("LedgerClaimSlow", p95),
      ),
      fact("Conflicts", count(pace.conflicts), "deadline_ledger_claim_conflicts_total", null),
    ],
  };
}

/** What is unknown now, how often calls become so, and how long it lasts. */
export function unknownFacts(
  open: readonly OpenOperations[],
  share: UnknownShare,
  resolved: ResolveTimes,
): SystemGroup {
  const rows = open.filter(({ state }) => state === "needs_reconcile" || state === "reconciling");
  const oldest = rows.length === 0 ? null : Math.max(...rows.map((row) => row.oldestSeconds));
  const path = "/operations?state=needs_reconcile,reconciling";
  const resolving = "deadline_ledger_unknown_resolved_seconds";
  return {
    title: "Unknown",
    facts: [
      fact(
        "Oldest unknown",
        seconds(oldest),
        "deadline_ledger_operations_oldest_seconds",
        path,
        alertPast("LedgerUnknownPastBound", oldest) ?? alertPast("LedgerUnknownPastAge", oldest),
      ),
      fact(
        "Calls of the last hour that became unknown",
        { kind: "share", part: share.unknown, whole: share.calls },
        "deadline_ledger_unknown_total",
        path,
      ),
      fact("Settled in the last day", count(resolved.count), resolving, null),
      fact("Time to settle, median", seconds(resolved.median), resolving, null),
      fact(
        "Time to settle, 95th percentile",
        seconds(resolved.p95),
        resolving,
        null,
        alertPast("LedgerUnknownSlowToResolve", resolved.p95),
      ),
      fact("Time to settle, longest", seconds(resolved.longest), resolving, null),
    ],
  };
}
