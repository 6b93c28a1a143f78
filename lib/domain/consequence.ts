import type { OperationKind } from "./operation";
import { epochOf } from "./zone";

/** What is lost by waiting; decides how soon a person has to look (RV-4). */
export type Consequence = "critical" | "high" | "normal" | "low";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How old an item of this consequence may get before it counts as breached, in milliseconds. */
export const AGE_LIMIT_MS: Record<Consequence, number> = {
  critical: 15 * MINUTE,
  high: HOUR,
  normal: 8 * HOUR,
  low: DAY,
};

export const CONSEQUENCE_WORDS: Record<Consequence, string> = {
  critical: "Critical",
  high: "High",
  normal: "Normal",
  low: "Low",
};

/** Reasons after which a signer may have been asked twice, or the proof itself does not hold. */
const CRITICAL_REASONS: readonly string[] = [
  "possible_duplicate",
  "stored_bytes_changed",
  "history_changed",
];

/**
 * The consequence of leaving an item alone. `losesAt` is the earlier of business deadline and platform expiry,
 * RFC 3339, null where nothing ends; one that has passed can no longer be lost and counts as within a day.
 */
export function consequenceOf(
  item: {
    readonly kind: OperationKind | null;
    readonly reason: string;
    readonly losesAt: string | null;
  },
  now: string,
): Consequence {
  if (CRITICAL_REASONS.includes(item.reason)) return "critical";
  if (item.kind === "remind") return "low";
  const left =
    item.losesAt === null ? Number.POSITIVE_INFINITY : epochOf(item.losesAt) - epochOf(now);
  if (left <= DAY) return "critical";
  const changes = item.kind === "void" || item.kind === "extend" || item.kind === "expire";
  return changes || left <= 7 * DAY ? "high" : "normal";
}
