import moment from "moment-timezone";
import { invariant } from "./invariant";

/**
 * Zone rules come from this one dated source and from nothing else (TM-6): the rules inside Node, PostgreSQL
 * and browsers change on days of their own. Only the rule data are used, none of the library's date code.
 * Instants go in and out as RFC 3339 in UTC; a "local time" is a date and a wall-clock time in a zone.
 */
export const ZONE_DATA_VERSION: string = moment.tz.dataVersion;

/** A date `2027-03-14` and a wall-clock time `02:30` or `02:30:05`. */
export interface LocalTime {
  readonly date: string;
  readonly time: string;
}

export interface ResolvedMoment {
  readonly local: LocalTime;
  readonly instant: string;
  /** As in `+01:00`. */
  readonly offset: string;
  /** Letters such as `CET`, or `UTC+03` where the zone has none. */
  readonly abbr: string;
}

export type Resolution =
  | ({ readonly kind: "one" } & ResolvedMoment)
  | { readonly kind: "gap"; readonly before: ResolvedMoment; readonly after: ResolvedMoment }
  | { readonly kind: "overlap"; readonly first: ResolvedMoment; readonly second: ResolvedMoment };

const MINUTE = 60_000;
const DAY = 86_400_000;
/** No change of a zone's clock is larger than a day (the date line), so two days see every candidate. */
const REACH = 2 * DAY;

/** Names that say an offset or a habit of the clock, not a place whose law decides. */
const NO_PLACE = /^(?:CET|EET|MET|WET|EST|MST|HST|[CEMP]ST\d[CEMP]DT|(?:Etc\/)?GMT(?:[+-]?\d+)?)$/;

const NAMES: readonly string[] = moment.tz
  .names()
  .filter((name) => !NO_PLACE.test(name))
  .sort();
const KNOWN: ReadonlySet<string> = new Set(NAMES);

/** Every zone name that can be chosen, sorted: places, their older names, and UTC. */
export function zoneNames(): readonly string[] {
  return NAMES;
}

/** True for a zone name that can be chosen, spelled exactly; false for offsets and for names such as `CET`. */
export function isZone(name: string): boolean {
  return KNOWN.has(name);
}

/** True for an RFC 3339 instant in UTC that exists. */
export function isInstant(text: string): boolean {
  return (
    INSTANT.test(text) &&
    wallClockOf({ date: text.slice(0, 10), time: text.slice(11, 19) }) !== null
  );
}

/** Epoch milliseconds of an RFC 3339 instant in UTC. Throws RangeError for anything else. */
export function epochOf(instant: string): number {
  if (!isInstant(instant)) throw new RangeError("not an RFC 3339 instant in UTC");
  return Date.parse(instant);
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

/** RFC 3339 in UTC of epoch milliseconds; fractions appear only where there are any. */
export function instantOf(epochMs: number): string {
  return new Date(epochMs).toISOString().replace(".000Z", "Z");
}

/** Minutes east of UTC in the zone at the instant. Throws RangeError for an unknown zone. */
export function offsetAt(zone: string, instant: string): number {
  return eastAt(zone, epochOf(instant)) / MINUTE;
}

/** `+01:00` for 60. */
export function offsetText(minutesEast: number): string {
  const size = Math.round(Math.abs(minutesEast));
  return `${minutesEast < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** The zone's letters at the instant (`CET`), or `UTC+03` and `UTC+05:45` where the rules have none. */
export function abbreviationAt(zone: string, instant: string): string {
  const letters = rulesOf(zone).abbr(epochOf(instant));
  const digits = /^([+-])(\d\d)(\d\d)?$/.exec(letters);
  if (digits === null) return letters;
  const sign = digits[1] === "-" ? "\u2212" : "+";
  return `UTC${sign}${digits[2]}${digits[3] === undefined ? "" : `:${digits[3]}`}`;
}

/** What the clocks of the zone show at the instant; seconds only where they are not zero. */
export function localOf(zone: string, instant: string): LocalTime {
  const epoch = epochOf(instant);
  const text = new Date(epoch + eastAt(zone, epoch)).toISOString();
  const time = text.slice(11, 19);
  return { date: text.slice(0, 10), time: time.endsWith(":00") ? time.slice(0, 5) : time };
}

/** True for a day that exists and a time from 00:00 to 23:59:59. */
export function isLocalTime(local: LocalTime): boolean {
  return wallClockOf(local) !== null;
}

/**
 * The instant of a local time (TM-2, C-21, C-22). A time that the clocks skip comes back as its two neighbours
 * and one that happens twice as both: the choice is a person's. Throws RangeError for an unknown zone or a
 * local time that is none.
 */
export function resolveLocal(zone: string, local: LocalTime): Resolution {
  const wall = wallClockOf(local);
  if (wall === null) throw new RangeError("not a local date and time");
  const offsets = new Set(segmentsNear(zone, wall).map((segment) => segment.east));
  const instants = [...offsets]
    .map((east) => wall - east)
    .filter((epoch) => wall - eastAt(zone, epoch) === epoch)
    .sort((left, right) => left - right);
  const [first, second] = [instants[0], instants.at(-1)];
  if (first === undefined || second === undefined) return gapAround(zone, wall);
  if (first === second) return { kind: "one", ...resolved(zone, first) };
  return { kind: "overlap", first: resolved(zone, first), second: resolved(zone, second) };
}

/**
 * The same wall-clock time so many days later (TM-5). Where the clocks skip that time it is the first moment
 * after, where it happens twice the first one.
 */
export function addDays(zone: string, instant: string, days: number): string {
  const epoch = epochOf(instant);
  const wall = epoch + eastAt(zone, epoch) + days * DAY;
  const [date, time] = new Date(wall).toISOString().split("T") as [string, string];
  const found = resolveLocal(zone, { date, time: time.slice(0, 8) });
  if (found.kind === "gap") return found.after.instant;
  const start = found.kind === "one" ? found.instant : found.first.instant;
  return instantOf(epochOf(start) + (((wall % 1000) + 1000) % 1000));
}

/** The instants from `from` (included) to `to` (excluded) at which the zone's offset or letters change. */
export function changesBetween(zone: string, from: string, to: string): readonly string[] {
  const [start, end] = [epochOf(from), epochOf(to)];
  return rulesOf(zone)
    .untils.filter((until) => until >= start && until < end)
    .map(instantOf);
}

interface Segment {
  /** Milliseconds east of UTC. */
  readonly east: number;
  /** Epoch milliseconds at which the next segment begins. */
  readonly until: number;
}

function rulesOf(zone: string): moment.MomentZone {
  const rules = KNOWN.has(zone) ? moment.tz.zone(zone) : null;
  if (rules === null) throw new RangeError("not a zone name");
  return rules;
}

function eastAt(zone: string, epochMs: number): number {
  return Math.round(-rulesOf(zone).utcOffset(epochMs) * MINUTE);
}

function segmentsNear(zone: string, wall: number): readonly Segment[] {
  const rules = rulesOf(zone);
  const segments: Segment[] = [];
  for (const [place, until] of rules.untils.entries()) {
    const begins = rules.untils[place - 1] ?? Number.NEGATIVE_INFINITY;
    if (until < wall - REACH || begins > wall + REACH) continue;
    segments.push({ east: Math.round(-(rules.offsets[place] ?? 0) * MINUTE), until });
  }
  return segments;
}

function gapAround(zone: string, wall: number): Resolution {
  const segments = segmentsNear(zone, wall);
  const last = segments.find((segment, place) => {
    const next = segments[place + 1];
    return (
      next !== undefined && segment.until + segment.east <= wall && wall < segment.until + next.east
    );
  });
  invariant(last, "a local time without an instant lies between two rules of its zone");
  return {
    kind: "gap",
    before: resolved(zone, last.until - 1000),
    after: resolved(zone, last.until),
  };
}

function resolved(zone: string, epochMs: number): ResolvedMoment {
  const instant = instantOf(epochMs);
  return {
    local: localOf(zone, instant),
    instant,
    offset: offsetText(offsetAt(zone, instant)),
    abbr: abbreviationAt(zone, instant),
  };
}

function wallClockOf({ date, time }: LocalTime): number | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || !/^\d\d:\d\d(?::\d\d)?$/.test(time)) return null;
  const text = `${date}T${time.length === 5 ? `${time}:00` : time}`;
  const wall = Date.parse(`${text}Z`);
  // A day such as 31 April is moved by the parser instead of refused, so it must read back as written.
  return Number.isNaN(wall) || !new Date(wall).toISOString().startsWith(text) ? null : wall;
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
