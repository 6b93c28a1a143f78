import { formatDay } from "@/lib/domain/deadline";
import { localOf } from "@/lib/domain/zone";
import type { MonthEntry } from "@/lib/queries/deadlines-month";

export interface DayEntry extends MonthEntry {
  /** Time of the reading zone. */
  readonly time: string;
  /** `30 Nov there, 1 Dec in UTC`; null where the request's own zone has the same day (C-38). */
  readonly otherDay: string | null;
}

export interface Day {
  readonly date: string;
  readonly inMonth: boolean;
  readonly entries: readonly DayEntry[];
}

/**
 * The weeks of a month from Monday to Sunday with the entries on the day that they have in the reading zone.
 * `zoneOf` gives the zone in which one entry is read: the same for all, or each request's own.
 */
export function weeksOf(
  month: string,
  entries: readonly MonthEntry[],
  zoneOf: (requestZone: string) => string,
): readonly (readonly Day[])[] {
  const byDay = new Map<string, DayEntry[]>();
  for (const entry of entries) {
    const found = entryOf(entry, zoneOf(entry.zone));
    byDay.set(found.date, [...(byDay.get(found.date) ?? []), found.entry]);
  }
  const weeks: Day[][] = [];
  for (const date of datesOf(month)) {
    const week = weeks.at(-1);
    const inMonth = date.startsWith(month);
    const day = { date, inMonth, entries: inMonth ? (byDay.get(date) ?? []) : [] };
    if (week === undefined || week.length === 7) weeks.push([day]);
    else week.push(day);
  }
  return weeks;
}

function entryOf(entry: MonthEntry, zone: string): { date: string; entry: DayEntry } {
  const read = localOf(zone, entry.at);
  const own = localOf(entry.zone, entry.at);
  const otherDay =
    own.date === read.date
      ? null
      : `${shortDay(own.date)} there, ${shortDay(read.date)} in ${zone}`;
  return { date: read.date, entry: { ...entry, time: read.time, otherDay } };
}

function shortDay(date: string): string {
  return formatDay(date).split(" ").slice(0, 2).join(" ");
}

function datesOf(month: string): readonly string[] {
  const [year = 0, number = 1] = month.split("-").map(Number);
  const first = new Date(Date.UTC(year, number - 1, 1));
  const before = (first.getUTCDay() + 6) % 7;
  const last = new Date(Date.UTC(year, number, 0));
  const count = before + last.getUTCDate() + ((7 - last.getUTCDay()) % 7);
  return Array.from({ length: count }, (_, place) =>
    new Date(Date.UTC(year, number - 1, 1 - before + place)).toISOString().slice(0, 10),
  );
}
