const DAY_MS = 86_400_000;

/**
 * Whole days after `fromMs` (epoch milliseconds) that reach `target` (RFC 3339), rounded up and at least one: a
 * day too many is seen in the read-back, a day too few would end the request early (TM-3, C-24).
 */
export function wholeDaysUntil(target: string, fromMs: number): number {
  return Math.max(1, Math.ceil((Date.parse(target) - fromMs) / DAY_MS));
}
