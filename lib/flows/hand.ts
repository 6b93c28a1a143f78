import type { Claim } from "@/lib/store/claims";
import type { SleepCountingClock } from "./worker-context";

/** A claim in a worker's hands, with the moments of its own clock between which the database answered. */
export interface Hand {
  readonly claim: Claim;
  readonly askedAtMs: number;
  readonly answeredAtMs: number;
}

/**
 * Milliseconds of the lease that are certainly left (CL-3): counted from before the claim was asked for, by a
 * clock that counts sleep. Negative when it has ended.
 */
export function remainingLeaseMs(hand: Hand, clock: SleepCountingClock): number {
  const leaseMs = hand.claim.leaseUntil.getTime() - hand.claim.claimedAt.getTime();
  return leaseMs - (clock.elapsedMs() - hand.askedAtMs);
}

/** A database time that has certainly passed by now: what starts from here on started no earlier (RC-8). */
export function databaseTimeReached(hand: Hand, clock: SleepCountingClock): Date {
  return new Date(
    hand.claim.claimedAt.getTime() + Math.floor(clock.elapsedMs() - hand.answeredAtMs),
  );
}
