import {
  abbreviationAt,
  epochOf,
  instantOf,
  type LocalTime,
  localOf,
  offsetAt,
  offsetText,
  resolveLocal,
} from "./zone";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const MONTHS = [
  "Jan",
  "Feb",
  "Mar",
  "Apr",
  "May",
  "Jun",
  "Jul",
  "Aug",
  "Sep",
  "Oct",
  "Nov",
  "Dec",
] as const;

/** How an approver answered for a local time; `only` where there was nothing to choose (TM-2). */
export const LOCAL_CHOICES = ["only", "first", "second", "before_gap", "after_gap"] as const;

export type LocalChoice = (typeof LOCAL_CHOICES)[number];

export interface DeadlineWords {
  /** The same for every viewer: `18 Dec 2026, 17:00 CET (Europe/Berlin)` (C-38). */
  readonly line1: string;
  /** `UTC+01:00 · 2026-12-18 16:00Z · in 18 d 0 h`, with the reading zone named where one is given. */
  readonly line2: string;
}

/** `18 Dec 2026` for `2026-12-18`. */
export function formatDay(date: string): string {
  const [year, month, day] = date.split("-");
  return `${Number(day)} ${MONTHS[Number(month) - 1]} ${year}`;
}

/** `18 Dec 2026, 17:00 CET`: a local time with its letters but without the name of its zone. */
export function formatLocal(instant: string, zone: string): string {
  const { date, time } = localOf(zone, instant);
  return `${formatDay(date)}, ${time} ${abbreviationAt(zone, instant)}`;
}

/** `UTC+01:00`, with a true minus sign. */
export function formatOffset(instant: string, zone: string): string {
  return `UTC${offsetText(offsetAt(zone, instant)).replace("-", "\u2212")}`;
}

/** `2026-12-18 16:00Z`; seconds only where they are not zero. */
export function formatUtc(instant: string): string {
  const { date, time } = localOf("UTC", instant);
  return `${date} ${time}Z`;
}

/**
 * The two lines of a deadline (C-38). Line 1 depends on the instant and the deadline's own zone only. Without
 * `now` line 2 ends after the UTC instant.
 */
export function formatDeadline(
  instant: string,
  zone: string,
  now?: string,
  readingZone = "UTC",
): DeadlineWords {
  const parts = [formatOffset(instant, zone), formatUtc(instant)];
  if (readingZone !== "UTC") parts.push(`${formatLocal(instant, readingZone)} (${readingZone})`);
  if (now !== undefined) parts.push(formatRemaining(instant, now));
  return { line1: `${formatLocal(instant, zone)} (${zone})`, line2: parts.join(" · ") };
}

/** `2026-11-30 16:22:07Z`, or `2026-11-30 17:22:07 CET (Europe/Berlin)` in another reading zone. */
export function formatMoment(instant: string, readingZone = "UTC"): string {
  const { date, time } = localOf(readingZone, instant);
  const clock = `${date} ${time.length === 5 ? `${time}:00` : time}`;
  if (readingZone === "UTC") return `${clock}Z`;
  return `${clock} ${abbreviationAt(readingZone, instant)} (${readingZone})`;
}

/** Two units at most, rounded down: `18 d 0 h`, `2 h 5 min`, `9 min`, `1 min 40 s`, `38 s`. */
export function formatDuration(durationMs: number): string {
  const size = Math.abs(durationMs);
  if (size >= DAY) return `${Math.floor(size / DAY)} d ${Math.floor((size % DAY) / HOUR)} h`;
  if (size >= HOUR) return pair(size, HOUR, "h", MINUTE, "min");
  // Seconds stop mattering after ten minutes and would only make a column flicker.
  if (size >= 10 * MINUTE) return `${Math.floor(size / MINUTE)} min`;
  if (size >= MINUTE) return pair(size, MINUTE, "min", SECOND, "s");
  return `${Math.floor(size / SECOND)} s`;
}

/** `4 min ago`, `38 s ago`, `2 d 4 h ago`; an instant after `now` reads `in 5 s`. */
export function formatAge(instant: string, now: string): string {
  const age = epochOf(now) - epochOf(instant);
  if (age < 0) return `in ${formatDuration(age)}`;
  const whole = age >= MINUTE && age < HOUR ? age - (age % MINUTE) : age;
  return `${formatDuration(whole)} ago`;
}

/** `in 18 d 0 h` before the instant, `3 h ago` from then on. */
export function formatRemaining(instant: string, now: string): string {
  const left = epochOf(instant) - epochOf(now);
  return left > 0 ? `in ${formatDuration(left)}` : `${formatDuration(left)} ago`;
}

/** `+ 3 d 0 h` or `− 2 h`, the step from one instant to another; `no change` when they are equal. */
export function formatStep(from: string, to: string): string {
  const step = epochOf(to) - epochOf(from);
  if (step === 0) return "no change";
  return `${step < 0 ? "\u2212" : "+"} ${formatDuration(step)}`;
}

/**
 * The smallest number of whole days that does not end before `to`, for platforms that only count days (C-24).
 * 0 when `to` is not after `from`.
 */
export function wholeDaysUp(from: string, to: string): number {
  return Math.max(0, Math.ceil((epochOf(to) - epochOf(from)) / DAY));
}

export interface ZoneDisagreement {
  readonly zone: string;
  /** The first instant looked at where the two differ. */
  readonly instant: string;
  /** Minutes east of UTC by the rules that ship with the product. */
  readonly ours: number;
  /** Minutes east of UTC by the other source; null when it does not know the zone. */
  readonly theirs: number | null;
}

/**
 * Compares our rules with another source day by day (C-23), at most one entry per zone. `otherOffset` gives
 * minutes east of UTC, or null for a zone that the other source does not know.
 */
export function zoneDisagreements(
  names: readonly string[],
  otherOffset: (zone: string, instant: string) => number | null,
  from: string,
  to: string,
): readonly ZoneDisagreement[] {
  const found: ZoneDisagreement[] = [];
  for (const zone of new Set(names)) {
    for (let epoch = epochOf(from); epoch < epochOf(to); epoch += DAY) {
      const instant = instantOf(epoch);
      const [ours, theirs] = [offsetAt(zone, instant), otherOffset(zone, instant)];
      if (ours === theirs) continue;
      found.push({ zone, instant, ours, theirs });
      break;
    }
  }
  return found;
}

/**
 * The instant that the approved words would mean under the present rules, or null while they still mean the
 * stored one (TM-6). It never changes anything: the caller opens a review item.
 */
export function deadlineMoves(
  local: LocalTime,
  zone: string,
  choice: LocalChoice,
  storedInstant: string,
): string | null {
  const stored = epochOf(storedInstant);
  const found = resolveLocal(zone, local);
  if (found.kind === "overlap" && choice === "only") {
    const kept = [found.first, found.second].some(({ instant }) => epochOf(instant) === stored);
    return kept ? null : found.first.instant;
  }
  const instant = meantBy(found, choice);
  return epochOf(instant) === stored ? null : instant;
}

function meantBy(found: ReturnType<typeof resolveLocal>, choice: LocalChoice): string {
  if (found.kind === "one") return found.instant;
  if (found.kind === "gap") {
    return choice === "before_gap" ? found.before.instant : found.after.instant;
  }
  return choice === "second" ? found.second.instant : found.first.instant;
}

function pair(size: number, large: number, largeUnit: string, small: number, unit: string): string {
  const rest = Math.floor((size % large) / small);
  const head = `${Math.floor(size / large)} ${largeUnit}`;
  return rest === 0 ? head : `${head} ${rest} ${unit}`;
}
