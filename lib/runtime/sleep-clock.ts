import type { SleepCountingClock } from "@/lib/flows/worker-context";

/**
 * A clock that goes on while the process or the machine sleeps (CL-3). The monotonic clock stops while a machine is
 * suspended and the wall clock may be set back, so the larger of the two counts: an error makes a lease look shorter,
 * never longer.
 */
export function createSleepClock(
  monotonicMs: () => number = () => performance.now(),
  wallMs: () => number = () => Date.now(),
): SleepCountingClock {
  const monotonicStart = monotonicMs();
  const wallStart = wallMs();
  let furthest = 0;
  return {
    elapsedMs() {
      furthest = Math.max(furthest, monotonicMs() - monotonicStart, wallMs() - wallStart);
      return furthest;
    },
  };
}
