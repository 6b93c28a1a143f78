/** Values for the {placeholders} of a sentence; a missing one is null or left out. */
export type SentenceValues = Readonly<Record<string, string | number | null | undefined>>;

/**
 * Fills a sentence. A part in [brackets] is left out when one of its values is missing; elsewhere a missing
 * value reads `(not recorded)`, so that a gap in the record is visible instead of guessed.
 */
export function filled(template: string, values: SentenceValues): string {
  return template
    .replaceAll(/\[([^\]]*)\]/g, (_whole, part: string) => (isComplete(part, values) ? part : ""))
    .replaceAll(PLACEHOLDER, (_whole, name: string) =>
      String(given(values, name) ?? "(not recorded)"),
    );
}

const PLACEHOLDER = /\{([a-z_]+)\}/g;

function isComplete(part: string, values: SentenceValues): boolean {
  return [...part.matchAll(PLACEHOLDER)].every(([, name]) => given(values, name ?? "") !== null);
}

function given(values: SentenceValues, name: string): string | number | null {
  return Object.hasOwn(values, name) ? (values[name] ?? null) : null;
}
