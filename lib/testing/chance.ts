/** Numbers from 0 to 1 that are the same for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One of these. */
export function oneOf<Value>(chance: () => number, values: readonly Value[]): Value {
  const value = values[Math.floor(chance() * values.length)];
  if (value === undefined) throw new Error("there is nothing to choose from");
  return value;
}

/** The same values in another order. */
export function shuffled<Value>(chance: () => number, values: readonly Value[]): Value[] {
  return values
    .map((value) => ({ value, place: chance() }))
    .sort((one, other) => one.place - other.place)
    .map(({ value }) => value);
}
