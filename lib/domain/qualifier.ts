/** One `name:value` of a filter box, or free text under the name `q`. */
export interface Qualifier {
  readonly name: string;
  readonly value: string;
}

/**
 * Reads `state:needs_reconcile kind:extend age:>1h 7c1e4b09`: names that are on the list become qualifiers, all
 * other words together become `q`. An unknown name is kept as text, so that nothing that was typed gets lost.
 */
export function parseQualifiers(text: string, names: readonly string[]): readonly Qualifier[] {
  const found: Qualifier[] = [];
  const words: string[] = [];
  for (const word of text.trim().split(/\s+/)) {
    const at = word.indexOf(":");
    const name = word.slice(0, at);
    const value = word.slice(at + 1);
    if (at > 0 && value !== "" && names.includes(name)) found.push({ name, value });
    else if (word !== "") words.push(word);
  }
  if (words.length > 0) found.push({ name: "q", value: words.join(" ") });
  return found;
}

const UNITS: Readonly<Record<string, number>> = { s: 1e3, m: 6e4, min: 6e4, h: 36e5, d: 864e5 };

/** Milliseconds of `>1h`, `30m`, `2d`; null for anything else. */
export function parseAge(text: string): number | null {
  const found = /^>?\s*(\d{1,5})\s*(s|min|m|h|d)$/.exec(text.trim());
  const unit = UNITS[found?.[2] ?? ""];
  return found?.[1] === undefined || unit === undefined ? null : Number(found[1]) * unit;
}
