import type { Log } from "@/lib/flows/context";
import { describeError } from "@/lib/runtime/log";

export interface LoopOptions {
  readonly name: string;
  /** Longest rest between two passes, in milliseconds. */
  readonly restMs: number;
  readonly signal: AbortSignal;
  readonly log: Log;
  /** Resolves when there may be work; the loop then begins before its rest is over. */
  readonly wake?: () => Promise<void>;
}

/**
 * Runs passes until the signal. A pass returns how much it did: after some it runs again at once, after none it
 * rests. A pass that throws is logged and rested on: the database is away or there is a bug, and in both cases the
 * leases decide what happens to what was in hand.
 */
export async function loop(runOnce: () => Promise<number>, options: LoopOptions): Promise<void> {
  while (!options.signal.aborted) {
    let done = 0;
    try {
      done = await runOnce();
    } catch (error) {
      options.log.error({ event: "pass_failed", kind: options.name, error: describeError(error) });
    }
    if (done === 0 && !options.signal.aborted) await rest(options);
  }
}

async function rest({ restMs, signal, wake }: LoopOptions): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let stop: (() => void) | undefined;
  const waits = [
    new Promise<void>((resolve) => {
      timer = setTimeout(resolve, restMs);
    }),
    new Promise<void>((resolve) => {
      stop = resolve;
      signal.addEventListener("abort", resolve as () => void, { once: true });
    }),
  ];
  if (wake) waits.push(wake());
  await Promise.race(waits);
  clearTimeout(timer);
  if (stop) signal.removeEventListener("abort", stop);
}
