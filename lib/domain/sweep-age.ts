const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** How far away the nearest clock may be, and how old a mirror may then become. The nearest first. */
const AGES = [
  { withinMs: 2 * HOUR, ageMs: 5 * MINUTE },
  { withinMs: 24 * HOUR, ageMs: 30 * MINUTE },
  { withinMs: 7 * 24 * HOUR, ageMs: 4 * HOUR },
] as const;

/** Far from every deadline, and long after one that nobody closed, reads are better spent elsewhere (PL-7). */
const AGE_MAX_MS = 12 * HOUR;

/**
 * How old the mirror of an open request may become before the sweep reads it (RC-7), in milliseconds: the closer its
 * nearest clock, before or behind us, the sooner. `earliest` is that clock, null where the request has none.
 */
export function sweepAgeMs(now: Date, earliest: Date | null): number {
  if (earliest === null) return AGE_MAX_MS;
  const away = Math.abs(earliest.getTime() - now.getTime());
  return AGES.find(({ withinMs }) => away <= withinMs)?.ageMs ?? AGE_MAX_MS;
}
