import type { OperationKind } from "./operation";
import { epochOf } from "./zone";

/** What is lost by waiting; decides how soon a person has to look (RV-4). */
export type Consequence = "critical" | "high" | "normal" | "low";

/** From the worst to the least; the place in this list, from 1 on, is how the ledger keeps it. */
export const CONSEQUENCES: readonly Consequence[] = ["critical", "high", "normal", "low"];

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A loss this near makes an item critical, in milliseconds. */
export const CRITICAL_WITHIN_MS = DAY;
/** A loss this near makes an item high, in milliseconds. */
export const HIGH_WITHIN_MS = 7 * DAY;

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

/** Input that belongs to nothing of ours: it can wait unless a request is about to end. */
const IDLE_INPUT: readonly string[] = [
  "event_type_unknown",
  "event_request_unknown",
  "event_malformed",
  "event_duplicate_members",
  "event_foreign_account",
];

/** What the consequence of an item depends on. */
export interface ConsequenceFacts {
  readonly kind: OperationKind | null;
  readonly reason: string;
  /** The earlier of business deadline and platform expiry, RFC 3339; null where nothing ends any more. */
  readonly losesAt: string | null;
}

/** True when no coming loss changes the consequence of such an item. */
export function staysTheSame({ kind, reason, losesAt }: ConsequenceFacts): boolean {
  return losesAt === null || kind === "remind" || CRITICAL_REASONS.includes(reason);
}

/**
 * The consequence of leaving an item alone (RV-4); the database has the same rule as `review_consequence`. A loss
 * that has passed can no longer be prevented and counts as within a day.
 */
export function consequenceOf(item: ConsequenceFacts, now: string): Consequence {
  if (CRITICAL_REASONS.includes(item.reason)) return "critical";
  if (item.kind === "remind") return "low";
  const left =
    item.losesAt === null ? Number.POSITIVE_INFINITY : epochOf(item.losesAt) - epochOf(now);
  if (left <= CRITICAL_WITHIN_MS) return "critical";
  const changes = item.kind === "void" || item.kind === "extend" || item.kind === "expire";
  if (changes || left <= HIGH_WITHIN_MS) return "high";
  const idle = item.kind === null && item.losesAt === null && IDLE_INPUT.includes(item.reason);
  return idle ? "low" : "normal";
}

/** The consequence that a number of the ledger stands for. */
export function consequenceAt(place: number): Consequence {
  return CONSEQUENCES[place - 1] ?? "normal";
}
