import { kindNoun } from "./asked";

/** "1 extension", "3 extensions", "2 expiries": the noun of a kind for so many of them, without the number. */
export function kindPlural(kind: string, count: number): string {
  const noun = kindNoun(kind);
  if (count === 1) return noun;
  return noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}
