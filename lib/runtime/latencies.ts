/** The last durations of one process, for a page that shows their spread. */
export interface Latencies {
  add(ms: number): void;
  /** The value that `share` of the kept durations do not exceed; null while nothing is kept. */
  quantile(share: number): number | null;
}

const KEPT_MAX = 1_000;
const KEPT_MS = 3_600_000;

/** Keeps at most a thousand durations, and none that is older than an hour. */
export function createLatencies(nowMs: () => number): Latencies {
  const kept: { readonly at: number; readonly ms: number }[] = [];
  return {
    add(ms) {
      kept.push({ at: nowMs(), ms });
      if (kept.length > KEPT_MAX) kept.shift();
    },
    quantile(share) {
      const since = nowMs() - KEPT_MS;
      const fresh = kept.filter(({ at }) => at > since).map(({ ms }) => ms);
      if (fresh.length === 0) return null;
      fresh.sort((a, b) => a - b);
      return fresh[Math.max(0, Math.ceil(fresh.length * share) - 1)] ?? null;
    },
  };
}
