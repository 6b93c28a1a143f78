/** How far the ledger goes by itself before a person is asked (RC-4, CL-2, PL-3). Milliseconds and counts. */
export interface Bounds {
  /** Calls that may leave for one operation, over all attempts. */
  readonly attemptsMax: number;
  /** Leases that may end while nothing was sent. */
  readonly lapsesMax: number;
  /** Answers of the kind "not now, nothing was processed". */
  readonly declinesMax: number;
  /** Looks that may end without an answer. */
  readonly looksMax: number;
  /** Age of an unknown from which on somebody is told of it, while looks go on (RC-4). */
  readonly unknownToldAfterMs: number;
  /** Age of an unknown after which its owner is asked. Shorter than any look-up retention (RC-4). */
  readonly unknownAgeMaxMs: number;
  /** First pause between looks; it doubles up to `lookBackoffMaxMs`. */
  readonly lookBackoffMs: number;
  readonly lookBackoffMaxMs: number;
}

export const DEFAULT_BOUNDS: Bounds = {
  attemptsMax: 5,
  lapsesMax: 5,
  declinesMax: 20,
  looksMax: 30,
  // A quarter of an hour: by then the look-ups of every known platform have caught up.
  unknownToldAfterMs: 15 * 60_000,
  // One hour: what a platform has acknowledged and does not know any more needs a person by then (C-12), and every
  // known look-up retention is days.
  unknownAgeMaxMs: 3_600_000,
  lookBackoffMs: 1_000,
  lookBackoffMaxMs: 5 * 60_000,
};

/**
 * The pause before look number `looks + 1`, in milliseconds: doubling, bounded, with up to a quarter of jitter.
 * `chance` is a number from 0 to 1 that the caller draws.
 */
export function lookPauseMs(bounds: Bounds, looks: number, chance: number): number {
  const doubled = bounds.lookBackoffMs * 2 ** Math.min(looks, 20);
  return Math.round(Math.min(doubled, bounds.lookBackoffMaxMs) * (1 + chance / 4));
}
