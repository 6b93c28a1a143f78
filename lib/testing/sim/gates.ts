/** Where flows of a run can be held up, and how the run knows that all of them stand still. */
export interface Gates {
  /** Starts a flow; it counts as moving until it ends, is held or is dropped. */
  start(flow: Flow, work: () => Promise<unknown>): void;
  /** Holds the flow until somebody lets it go; resolves with what it is given. */
  hold<T>(flow: Flow, what: Held<T>["what"], settle: (held: Held<T>) => void): Promise<T>;
  /** Resolves when every flow has ended, is held or was dropped. */
  still(): Promise<void>;
}

/** One pass of one worker, or of the sweeper. */
export interface Flow {
  readonly name: string;
  /** A dropped flow stays held for ever: its process is dead. */
  dropped: boolean;
  ended: boolean;
  error: unknown;
  /** Set by the run: stand still before or after the next database step. */
  pauseNext: "before" | "after" | null;
}

export interface Held<T> {
  readonly flow: Flow;
  readonly what: "pause" | "call";
  release(value: T): void;
}

export function newFlow(name: string): Flow {
  return { name, dropped: false, ended: false, error: null, pauseNext: null };
}

export function createGates(): Gates {
  let moving = 0;
  let waiters: (() => void)[] = [];
  const settled = () => {
    if (moving > 0) return;
    for (const resolve of waiters) resolve();
    waiters = [];
  };
  const stop = () => {
    moving -= 1;
    settled();
  };
  return {
    start(flow, work) {
      moving += 1;
      work()
        .catch((error: unknown) => {
          flow.error = error;
        })
        .finally(() => {
          flow.ended = true;
          stop();
        });
    },
    hold: (flow, what, settle) =>
      new Promise((resolve) => {
        settle({
          flow,
          what,
          release(value) {
            // What reaches a dead process is lost.
            if (flow.dropped) return;
            moving += 1;
            resolve(value);
          },
        });
        stop();
      }),
    still: () =>
      moving === 0 ? Promise.resolve() : new Promise((resolve) => waiters.push(resolve)),
  };
}
