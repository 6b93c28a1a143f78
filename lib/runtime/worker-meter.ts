import type { Meter, PassMove } from "@/lib/flows/meter";
import { createLatencies, type Latencies } from "./latencies";
import type { Metrics } from "./metrics";

/** What a heartbeat carries to the system page: the last minutes of one worker. */
export interface WorkerPace {
  /** Operations claimed since the worker began. */
  readonly claims: number;
  readonly conflicts: number;
  /** Of the last claims, at most an hour old: from due to claimed, in milliseconds; null while there was none. */
  readonly claimP95Ms: number | null;
  readonly claimMaxMs: number | null;
}

export interface WorkerMeter extends Meter {
  pace(): WorkerPace;
}

const SETTLED_TO: readonly string[] = ["done", "obsolete", "superseded", "failed_terminal"];
const SET_ASIDE: readonly string[] = ["quarantined", "needs_review"];

/** Counts what a worker does, for the metrics endpoint and for the heartbeat. */
export function createWorkerMeter(
  metrics: Metrics,
  nowMs: () => number = () => performance.now(),
): WorkerMeter {
  const latencies = createLatencies(nowMs);
  let claims = 0;
  let conflicts = 0;
  return {
    claimed(work, statementMs, given) {
      claims += given.length;
      metrics.observe("deadline_ledger_claim_statement_seconds", { work }, statementMs / 1000);
      if (work === "looks") return;
      for (const { kind, waitedMs } of given) {
        const waited = Math.max(0, waitedMs);
        latencies.add(waited);
        metrics.observe("deadline_ledger_claim_latency_seconds", { kind }, waited / 1000);
      }
    },
    claimedNothing: () => metrics.count("deadline_ledger_claims_empty_total"),
    conflict(statement) {
      conflicts += 1;
      metrics.count("deadline_ledger_claim_conflicts_total", { statement });
    },
    passEnded: (move) => countMove(metrics, move),
    pace: () => paceOf(latencies, claims, conflicts),
  };
}

function paceOf(latencies: Latencies, claims: number, conflicts: number): WorkerPace {
  return {
    claims,
    conflicts,
    claimP95Ms: latencies.quantile(0.95),
    claimMaxMs: latencies.quantile(1),
  };
}

function countMove(metrics: Metrics, move: PassMove): void {
  const { kind, from, to, reason, attempts, unknownForMs } = move;
  metrics.count("deadline_ledger_passes_total", { kind, from, to });
  if (SET_ASIDE.includes(to)) {
    metrics.count("deadline_ledger_set_aside_total", { state: to, reason });
  }
  if (from === "submitting" && to === "needs_reconcile") {
    metrics.count("deadline_ledger_unknown_total", { kind, reason });
  }
  if (reason === "possible_duplicate") {
    metrics.count("deadline_ledger_duplicates_detected_total", { kind });
  }
  if (from === "reconciling" && to !== "needs_reconcile" && unknownForMs !== null) {
    const seconds = unknownForMs / 1000;
    metrics.observe("deadline_ledger_unknown_resolved_seconds", { kind, to }, seconds);
  }
  if (SETTLED_TO.includes(to) && attempts > 0) {
    metrics.observe("deadline_ledger_attempts_per_operation", { kind }, attempts);
  }
}
