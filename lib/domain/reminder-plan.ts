import type { LocalTime } from "./zone";
import { epochOf, localOf, resolveLocal } from "./zone";

export interface ReminderWish {
  /** RFC 3339 in UTC; the plan begins `everyDays` after the local day of this instant. */
  readonly from: string;
  /** RFC 3339 in UTC; nothing is planned at or after it. */
  readonly until: string;
  readonly zone: string;
  readonly everyDays: number;
  /** The wall-clock time in the zone, as `HH:MM`. */
  readonly atTime: string;
  /** At most this many, the earliest ones. */
  readonly max: number;
}

/**
 * The instants of reminders every so many days at one wall-clock time of a zone (TM-5, C-26), oldest first. Steps are
 * taken on the calendar of the zone, so that nine stays nine across a change of the clock. On a day on which that
 * time does not exist it is the first moment after; where it happens twice it is the first of the two: a reminder is
 * no deadline, so nobody is asked. Throws RangeError for an unknown zone.
 */
export function reminderInstants(wish: ReminderWish): readonly string[] {
  const { from, until, zone, everyDays, max } = wish;
  const start = localOf(zone, from).date;
  const found: string[] = [];
  for (let step = 1; found.length < max; step += 1) {
    const instant = instantOn(zone, { date: dayAfter(start, step * everyDays), time: wish.atTime });
    if (epochOf(instant) >= epochOf(until)) break;
    if (epochOf(instant) > epochOf(from)) found.push(instant);
  }
  return found;
}

function instantOn(zone: string, local: LocalTime): string {
  const meant = resolveLocal(zone, local);
  switch (meant.kind) {
    case "one":
      return meant.instant;
    case "gap":
      return meant.after.instant;
    case "overlap":
      return meant.first.instant;
  }
}

function dayAfter(date: string, days: number): string {
  const day = new Date(`${date}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() + days);
  return day.toISOString().slice(0, 10);
}
