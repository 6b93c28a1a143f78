/** Throws when something that must always hold does not: a bug in this program, never a fact about the world. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`invariant: ${message}`);
}
