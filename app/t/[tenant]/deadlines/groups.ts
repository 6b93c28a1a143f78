import { epochOf } from "@/lib/domain/zone";

const HOUR_MS = 3_600_000;

export const DEADLINE_GROUPS = [
  "passed, still open",
  "in 24 h",
  "in 48 h",
  "in 7 days",
  "later",
  "no such clock",
] as const;

export type DeadlineGroup = (typeof DEADLINE_GROUPS)[number];

/** The group of a row by the instant that orders it. */
export function groupOf(at: string | null, now: string): DeadlineGroup {
  if (at === null) return "no such clock";
  const hours = (epochOf(at) - epochOf(now)) / HOUR_MS;
  if (hours <= 0) return "passed, still open";
  if (hours <= 24) return "in 24 h";
  if (hours <= 48) return "in 48 h";
  return hours <= 7 * 24 ? "in 7 days" : "later";
}
