import type { Log } from "@/lib/flows/context";
import { describeError } from "@/lib/runtime/log";

export interface LoopOptions {
  readonly name: string;
  /** Longest rest between two passes, in milliseconds. */
  readonly restMs: number;
  readonly signal: AbortSignal;
  readonly log: Log;
  /** Is given what ends the rest, or leaves the next one out, whenever there may be work. Called once. */
  readonly wakeBy?: (wake: () => void) => void;
}

/**
 * Runs passes until the signal. A pass returns how much it did: after some it runs again at once, after none it rests,
 * unless it was woken meanwhile: what became due while a pass looked may be just what it did not see. A pass that
 * throws is logged and rested on: the database is away or there is a bug, and in both cases the leases decide what
 * happens to what was in hand.
 */
export async function loop(runOnce: () => Promise<number>, options: LoopOptions): Promise<void> {
  const { signal, log, name, restMs } = options;
  const bell = newBell();
  options.wakeBy?.(bell.ring);
  signal.addEventListener("abort", bell.ring, { once: true });
  while (!signal.aborted) {
    bell.forget();
    let done = 0;
    try {
      done = await runOnce();
    } catch (error) {
      log.error({ event: "pass_failed", kind: name, error: describeError(error) });
    }
    if (done === 0 && !signal.aborted) await bell.rest(restMs);
  }
  signal.removeEventListener("abort", bell.ring);
}

interface Bell {
  /** Ends the rest, or lets the next one be over at once. */
  readonly ring: () => void;
  /** Forgets that it rang. */
  readonly forget: () => void;
  /** Resolves after `ms`, or as soon as it rings or has rung. */
  readonly rest: (ms: number) => Promise<void>;
}

function newBell(): Bell {
  let rung = false;
  let endRest: (() => void) | null = null;
  return {
    ring: () => {
      rung = true;
      endRest?.();
    },
    forget: () => {
      rung = false;
    },
    rest: (ms) =>
      new Promise((resolve) => {
        if (rung) return resolve();
        const timer = setTimeout(() => endRest?.(), ms);
        endRest = () => {
          endRest = null;
          clearTimeout(timer);
          resolve();
        };
      }),
  };
}
