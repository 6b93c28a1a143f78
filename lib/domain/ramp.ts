/** A ramp's rate doubles every so many minutes (BL-6). */
export const RAMP_STEP_MINUTES = 5;

/** A tenth of the limit, at least one per minute. */
export function firstRate(limitPerMinute: number): number {
  return Math.max(1, Math.floor(limitPerMinute / 10));
}

/** The rate after so many minutes, in starts per minute: doubled with every full step. */
export function rateAfter(perMinute: number, minutes: number): number {
  return perMinute * 2 ** Math.floor(Math.max(0, minutes) / RAMP_STEP_MINUTES);
}

/** About how many minutes a ramp needs to let `count` operations start, in whole minutes. */
export function rampMinutes(perMinute: number, limitPerMinute: number, count: number): number {
  let [left, rate, minutes] = [count - 1, perMinute, 0];
  while (rate < limitPerMinute && left > rate * RAMP_STEP_MINUTES) {
    left -= rate * RAMP_STEP_MINUTES;
    minutes += RAMP_STEP_MINUTES;
    rate *= 2;
  }
  return left <= 0 ? minutes : minutes + Math.ceil(left / Math.max(rate, 1));
}
