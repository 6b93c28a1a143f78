/** The passes that a worker has under way, at most `limit` at a time. */
export interface Hands {
  /** How many more passes may begin. */
  free(): number;
  /** How many are under way. */
  busy(): number;
  /** Begins a pass. `work` must not reject: a pass decides about its own errors. */
  take(work: () => Promise<void>): void;
  /** Has `listener` called whenever a pass has ended. */
  onDone(listener: () => void): void;
  /** Resolves when one of the passes under way has ended; at once when there is none. */
  oneDone(): Promise<void>;
  /** Resolves when all have ended. */
  allDone(): Promise<void>;
}

/** Hands that are all free. */
export function createHands(limit: number): Hands {
  const underWay = new Set<Promise<void>>();
  const listeners: (() => void)[] = [];
  return {
    free: () => limit - underWay.size,
    busy: () => underWay.size,
    take(work) {
      const pass = work().finally(() => {
        underWay.delete(pass);
        for (const listener of listeners) listener();
      });
      underWay.add(pass);
    },
    onDone: (listener) => void listeners.push(listener),
    oneDone: () => (underWay.size === 0 ? Promise.resolve() : Promise.race(underWay)),
    allDone: () => Promise.all(underWay).then(() => undefined),
  };
}

/** Claims what fits into the free hands and begins it; returns how many it began. */
export function taking<Claimed>(
  hands: Hands,
  claim: (limit: number) => Promise<Claimed[]>,
  pass: (claimed: Claimed) => Promise<void>,
  onError: (claimed: Claimed, error: unknown) => void,
): () => Promise<number> {
  return async () => {
    if (hands.free() === 0) await hands.oneDone();
    const claimed = await claim(hands.free());
    for (const one of claimed) {
      hands.take(() => pass(one).catch((error: unknown) => onError(one, error)));
    }
    return claimed.length;
  };
}
