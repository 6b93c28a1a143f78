import { formatDuration, formatLocal } from "./deadline";
import type { PlatformRequest } from "./observation";
import { sameInstant } from "./reached";
import type { SentenceValues } from "./sentence";
import { REQUEST_WORDS, type RequestWordCode } from "./words";

/** What the mirror said before a read. Instants are RFC 3339 in UTC. */
export interface MirrorBefore {
  readonly status: string | null;
  readonly rawStatus: string | null;
  readonly expiresAt: string | null;
}

export type DriftReason = "drift_status" | "drift_expiry" | "drift_missing";

/** One difference between mirror and platform, as evidence of a review item: codes and instants, no words. */
export interface Drift {
  readonly reason: DriftReason;
  readonly a: string | null;
  readonly b: string | null;
}

/**
 * Every difference between the mirror and what a read shows (RC-7). `seen` is null when the platform does not know the
 * request. A mirror that was never filled differs from nothing. Events order a read of their own, so a difference
 * that a sweep finds means that no event told us.
 */
export function driftsOf(before: MirrorBefore, seen: PlatformRequest | null): readonly Drift[] {
  if (before.status === null) return [];
  if (seen === null) return [{ reason: "drift_missing", a: before.status, b: null }];
  const found: Drift[] = [];
  const sameWord = seen.status !== "unrecognised" || seen.rawStatus === before.rawStatus;
  if (seen.status !== before.status || !sameWord) {
    found.push({ reason: "drift_status", a: before.status, b: seen.status });
  }
  if (!sameInstant(seen.expiresAt, before.expiresAt)) {
    found.push({ reason: "drift_expiry", a: before.expiresAt, b: seen.expiresAt });
  }
  return found;
}

/**
 * Milliseconds by which the platform's expiry lies after the business deadline (negative: before), when that is more
 * than the policy tolerates (TM-1); null while it is not, or while one of the two is not known.
 */
export function clocksApartMs(
  businessDeadlineAt: string | null,
  expiresAt: string | null,
  toleranceMinutes: number,
): number | null {
  if (businessDeadlineAt === null || expiresAt === null) return null;
  const apart = Date.parse(expiresAt) - Date.parse(businessDeadlineAt);
  return Math.abs(apart) > toleranceMinutes * 60_000 ? apart : null;
}

const MISSING = "none";

/** The values of a sentence about a request as a whole, from the evidence of its review item. */
export function requestReviewValues(evidence: unknown, zone: string): SentenceValues {
  if (typeof evidence !== "object" || evidence === null) return {};
  const given = evidence as Readonly<Record<string, unknown>>;
  const apart = typeof given.apart_ms === "number" ? given.apart_ms : null;
  return {
    a: valueWords(given.a, zone),
    b: valueWords(given.b, zone),
    zone: typeof given.zone === "string" ? given.zone : zone,
    ...(apart === null ? {} : { gap: formatDuration(apart), side: apart > 0 ? "after" : "before" }),
    ...(typeof given.tolerance_minutes === "number"
      ? { limit: formatDuration(given.tolerance_minutes * 60_000) }
      : {}),
  };
}

function valueWords(value: unknown, zone: string): string | null {
  if (value === null) return MISSING;
  if (typeof value !== "string") return null;
  if (Object.hasOwn(REQUEST_WORDS, value)) return REQUEST_WORDS[value as RequestWordCode].label;
  return /^\d{4}-\d\d-\d\dT/.test(value) ? formatLocal(value, zone) : value;
}
