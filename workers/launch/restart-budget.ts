/** What dies more often than this within the window is broken, and starting it again hides why. */
const RESTARTS_MAX = 5;
const WINDOW_MS = 60_000;

/** Returns a function that is asked before each restart and says whether one more is reasonable. */
export function restartBudget(now: () => number = Date.now): () => boolean {
  let restarts: number[] = [];
  return () => {
    restarts = [...restarts.filter((at) => now() - at < WINDOW_MS), now()];
    return restarts.length <= RESTARTS_MAX;
  };
}
