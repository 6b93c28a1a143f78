import type { ConnectionState } from "./system-words";

/** What the ledger saw of a connection's platform lately. */
export interface HealthFacts {
  /** Why new starts are stopped; null while they are not. */
  readonly pausedReason: string | null;
  /** Outcomes of the newest reads, the newest first. */
  readonly reads: readonly { readonly outcome: string; readonly at: string }[];
  readonly readsUsed: number;
  /** Null where nobody knows a limit. */
  readonly readsLimit: number | null;
}

/** So many reads in a row without an answer mean that the platform is silent; one alone may be chance. */
const SILENT_AFTER_READS = 3;

const LOW_SHARE = 0.9;

/**
 * How a platform answers, as far as reads showed; null while nothing was ever read, which is not "well". `since` is
 * the first of the reads that were not answered.
 */
export function connectionHealth(
  facts: HealthFacts,
): { readonly state: ConnectionState; readonly since: string | null } | null {
  const { pausedReason, reads, readsUsed, readsLimit } = facts;
  if (pausedReason === "credentials_refused") return { state: "refused", since: null };
  const [newest] = reads;
  if (newest === undefined) return null;
  const answered = reads.findIndex(({ outcome }) => outcome !== "unreadable");
  const unanswered = answered < 0 ? reads.length : answered;
  if (unanswered >= SILENT_AFTER_READS) {
    return { state: "silent", since: reads[unanswered - 1]?.at ?? null };
  }
  if (newest.outcome === "declined") return { state: "throttled", since: null };
  if (readsLimit !== null && readsUsed >= readsLimit * LOW_SHARE) {
    return { state: "budget_low", since: null };
  }
  return { state: "ok", since: null };
}
