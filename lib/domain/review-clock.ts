import {
  AGE_LIMIT_MS,
  type ConsequenceFacts,
  CRITICAL_WITHIN_MS,
  consequenceOf,
  HIGH_WITHIN_MS,
  staysTheSame,
} from "./consequence";
import { epochOf, instantOf } from "./zone";

/** What the clocks of an item depend on. */
export interface ClockFacts extends ConsequenceFacts {
  readonly openedAt: string;
}

/**
 * The earliest instant (RFC 3339) at which the age of an item reaches this share of the limit that its consequence has
 * at that instant: as a loss comes nearer the limit gets shorter (RV-4). The database has the same rule as
 * `review_reached_at`.
 */
function reachedAt(item: ClockFacts, share: number): string {
  const opened = epochOf(item.openedAt);
  const first = opened + share * AGE_LIMIT_MS[consequenceOf(item, item.openedAt)];
  if (item.losesAt === null || staysTheSame(item)) return instantOf(first);
  const loses = epochOf(item.losesAt);
  return instantOf(
    Math.min(
      first,
      Math.max(opened + share * AGE_LIMIT_MS.high, loses - HIGH_WITHIN_MS),
      Math.max(opened + share * AGE_LIMIT_MS.critical, loses - CRITICAL_WITHIN_MS),
    ),
  );
}

/** When an item is older than its limit: from then on it is breached. */
export function breachAt(item: ClockFacts): string {
  return reachedAt(item, 1);
}

/** When half of the limit is used up: its owner is reminded then. */
export function warnAt(item: ClockFacts): string {
  return reachedAt(item, 0.5);
}

/** The alerts of an item in their order; the last one comes again after every further limit. */
export const ALERTS = ["opened", "reminder", "breached", "escalated"] as const;

export type Alert = (typeof ALERTS)[number];

export interface AlertStep {
  /** What is raised now; null when nothing is due yet. */
  readonly raise: Alert | null;
  /** How many alerts count as raised after it; one that came too late for its turn is left out. */
  readonly level: number;
  /** When to look again, RFC 3339. */
  readonly nextAt: string;
}

/**
 * What is due for an item of which `level` alerts were raised (RV-1): its owner is told when it opens, reminded at half
 * the limit, and told with the next in line at the limit, which `escalateAfterMs` may bring forward; after that the
 * line is told again after every further limit. `dueAt` is when the present alert was due.
 */
export function nextAlert(
  item: ClockFacts & { readonly level: number; readonly dueAt: string },
  escalateAfterMs: number | null,
  now: string,
): AlertStep {
  const escalate = epochOf(item.openedAt) + (escalateAfterMs ?? Number.POSITIVE_INFINITY);
  const at = [
    epochOf(item.openedAt),
    Math.min(epochOf(warnAt(item)), escalate),
    Math.min(epochOf(breachAt(item)), escalate),
  ];
  const limit = AGE_LIMIT_MS[consequenceOf(item, now)];
  const dueOf = (level: number) => at[level] ?? epochOf(item.dueAt);
  const reached = at.filter((instant) => instant <= epochOf(now)).length;
  const due = dueOf(item.level) <= epochOf(now);
  if (!due) return { raise: null, level: item.level, nextAt: instantOf(dueOf(item.level)) };
  const level = Math.max(item.level + 1, reached);
  return {
    raise: ALERTS[Math.min(level, ALERTS.length) - 1] ?? null,
    level,
    nextAt: instantOf(at[level] ?? epochOf(now) + limit),
  };
}
