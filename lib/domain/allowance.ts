export interface AllowanceRule {
  /** So many may come at once. */
  readonly burst: number;
  /** So many come to it per second. */
  readonly perSecond: number;
  /** So many keys are remembered; what is forgotten starts with a full allowance. */
  readonly keysMax: number;
}

export interface Allowances {
  /** Milliseconds until one more is allowed; 0 when it is now. Takes nothing. */
  waitMs(key: string, nowMs: number): number;
  /** Takes one. */
  take(key: string, nowMs: number): void;
  /** Gives the whole allowance back. */
  restore(key: string): void;
}

/**
 * Counts per key how much is left of an allowance that fills up again steadily. Holds at most `keysMax` keys, however
 * many come: the one that was not used for longest is forgotten first. Times are milliseconds of one steady clock.
 */
export function createAllowances({ burst, perSecond, keysMax }: AllowanceRule): Allowances {
  const held = new Map<string, { readonly left: number; readonly atMs: number }>();
  const leftOf = (key: string, nowMs: number) => {
    const known = held.get(key);
    if (known === undefined) return burst;
    return Math.min(burst, known.left + ((nowMs - known.atMs) / 1000) * perSecond);
  };
  return {
    waitMs(key, nowMs) {
      const missing = 1 - leftOf(key, nowMs);
      return missing <= 0 ? 0 : Math.ceil((missing / perSecond) * 1000);
    },
    take(key, nowMs) {
      const left = leftOf(key, nowMs) - 1;
      held.delete(key);
      held.set(key, { left, atMs: nowMs });
      const [oldest] = held.keys();
      if (held.size > keysMax && oldest !== undefined) held.delete(oldest);
    },
    restore(key) {
      held.delete(key);
    },
  };
}
