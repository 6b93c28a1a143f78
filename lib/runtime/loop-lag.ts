import { monitorEventLoopDelay } from "node:perf_hooks";

const RESOLUTION_MS = 20;

export interface LoopLag {
  /** The worst delay since this was last asked, in milliseconds. */
  takeMs(): number;
  stop(): void;
}

/** Measures how late the process gets to what it has to do. */
export function createLoopLag(): LoopLag {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  return {
    takeMs() {
      // Before its first measurement the histogram's maximum is 0.
      const worst = delay.max / 1e6 - RESOLUTION_MS;
      delay.reset();
      return Math.max(0, Math.round(worst));
    },
    stop: () => void delay.disable(),
  };
}
