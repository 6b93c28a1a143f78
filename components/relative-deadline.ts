import { addDays, epochOf, type LocalTime, localOf } from "@/lib/domain/zone";

export type QuickChoice = "7" | "14" | "month_end";

/**
 * The absolute local time that a relative choice means, counted from the present deadline or, once that has
 * passed, from now. Only the date and time go on from here: no relative value is ever stored (TM-3).
 */
export function quickDeadline(
  choice: QuickChoice,
  zone: string,
  present: string | null,
  now: string,
): LocalTime {
  const base = present !== null && epochOf(present) > epochOf(now) ? present : now;
  if (choice !== "month_end") return minute(localOf(zone, addDays(zone, base, Number(choice))));
  const { date, time } = minute(localOf(zone, base));
  const end = monthEnd(date);
  return { date: end > date ? end : monthEnd(nextDay(date)), time };
}

/** Deadlines are entered to the minute; seconds of the present moment would only be noise. */
function minute({ date, time }: LocalTime): LocalTime {
  return { date, time: time.slice(0, 5) };
}

function monthEnd(date: string): string {
  const [year, month] = date.split("-").map(Number);
  return new Date(Date.UTC(year ?? 0, month ?? 1, 0)).toISOString().slice(0, 10);
}

function nextDay(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** Reads `18 Dec 2026` and `2026-12-18`; null for everything else, never a guess (no 12/11/2026). */
export function parseDay(text: string): string | null {
  const iso = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text.trim());
  if (iso) return existing(text.trim());
  const words = /^(\d{1,2})\.? ([a-z]{3})[a-z]*\.? (\d{4})$/i.exec(text.trim());
  const month = MONTHS.indexOf(words?.[2]?.toLowerCase() ?? "") + 1;
  if (!words || month === 0) return null;
  return existing(`${words[3]}-${two(month)}-${two(Number(words[1]))}`);
}

/** `9:00` and `0900` as `09:00`; what is no time stays as it was typed. */
export function tidyTime(text: string): string {
  const found = /^(\d{1,2}):?(\d\d)$/.exec(text.trim());
  return found ? `${two(Number(found[1]))}:${found[2]}` : text.trim();
}

function existing(date: string): string | null {
  const epoch = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(epoch) && new Date(epoch).toISOString().startsWith(date) ? date : null;
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
