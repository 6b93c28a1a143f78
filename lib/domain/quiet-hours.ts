import { addDays, epochOf, type LocalTime, localOf, resolveLocal } from "./zone";

/** Wall-clock times `HH:MM` in a person's zone; over midnight when `from` is the later one. Never equal. */
export interface QuietHours {
  readonly from: string;
  readonly until: string;
}

/**
 * When the quiet hours that hold at `now` end, in RFC 3339; null outside them. A time that the clocks skip ends them
 * where the clocks go on, one that happens twice at its first time.
 */
export function quietUntil(now: string, zone: string, quiet: QuietHours | null): string | null {
  if (quiet === null) return null;
  const { date, time } = localOf(zone, now);
  const { from, until } = quiet;
  const overMidnight = from > until;
  const within = overMidnight ? time >= from || time < until : time >= from && time < until;
  if (!within) return null;
  const endsTomorrow = overMidnight && time >= from;
  const day = endsTomorrow ? localOf(zone, addDays(zone, now, 1)).date : date;
  const end = instantOfLocal(zone, { date: day, time: until });
  // On the day on which an hour comes twice the end may lie behind us at its first time.
  return epochOf(end) > epochOf(now) ? end : null;
}

function instantOfLocal(zone: string, local: LocalTime): string {
  const resolution = resolveLocal(zone, local);
  switch (resolution.kind) {
    case "one":
      return resolution.instant;
    case "gap":
      return resolution.after.instant;
    case "overlap":
      return resolution.first.instant;
  }
}
