import type { CapabilityDescriptor } from "./capability";
import type { Observation, PlatformRequest } from "./observation";
import { effectIsReadable, showsExpiry } from "./reached";
import { comparedContact } from "./shown-contact";
import type { Baseline, Target } from "./verdict";

/** How what a shadow record said compares with what the platform showed later (GO-1). */
export const COMPARISONS = ["same", "different", "not_comparable"] as const;

export type Comparison = (typeof COMPARISONS)[number];

/** From judging to comparing: long enough for a person to have done by hand what was only recorded. Milliseconds. */
export const COMPARE_AFTER_MS = 3_600_000;

export interface ShadowSaid {
  readonly target: Target;
  readonly wouldAct: boolean;
  readonly reason: string;
  /** What the read of that time showed; null when it showed nothing. */
  readonly baseline: Baseline | null;
}

/**
 * Compares a record with a later read. `not_comparable` where the read came to nothing, where no read can show such an
 * effect, and for a send that was made elsewhere: it carries no reference of ours.
 */
export function compareShadow(
  said: ShadowSaid,
  observation: Observation,
  descriptor: CapabilityDescriptor,
): Comparison {
  const shown = effectShown(said, observation, descriptor);
  if (shown === null) return "not_comparable";
  const expected = said.wouldAct || said.reason === "already_so";
  return shown === expected ? "same" : "different";
}

function effectShown(
  { target, baseline }: ShadowSaid,
  observation: Observation,
  descriptor: CapabilityDescriptor,
): boolean | null {
  if (observation.kind !== "read" || !effectIsReadable(target, descriptor)) return null;
  const [request] = observation.matches;
  if (!request) return null;
  switch (target.kind) {
    case "exists":
      return true;
    case "expiry":
      return showsExpiry(request, target.expiresAt, descriptor);
    case "status":
      return request.status === target.status;
    case "reminded":
    case "resent": {
      if (baseline === null) return null;
      // Compared as if the recorded call had left: what is newer is what somebody else did instead.
      const compared = comparedContact({ baseline, attempts: 1 }, target, request);
      return compared === "unclear" ? null : compared === "newer";
    }
  }
}

/** What a read showed, in codes and instants only (PV-4). */
export function observedWords(observation: Observation): string {
  switch (observation.kind) {
    case "read": {
      const [request] = observation.matches;
      return request ? requestWords(request) : "nothing";
    }
    case "not_found":
      return "no such request";
    case "declined":
      return "no answer: asked to wait";
    case "unreadable":
      return `no answer: ${observation.detail.cause}`;
  }
}

function requestWords({ status, expiresAt, lastReminderAt }: PlatformRequest): string {
  const expiry = expiresAt === null ? "" : `, expiry ${expiresAt}`;
  const reminder = lastReminderAt === null ? "" : `, last reminder ${lastReminderAt}`;
  return `${status}${expiry}${reminder}`;
}
