export interface SuspiciousCharacter {
  /** Place in the text, counted in UTF-16 units from 0. */
  readonly index: number;
  /** As in `U+00A0`. */
  readonly codePoint: string;
  /** The Unicode name where it is a usual suspect, otherwise what kind of character it is. */
  readonly name: string;
  readonly kind: "combining" | "invisible" | "mixed_script";
}

const NAMES: Record<string, string> = {
  "\u00a0": "NO-BREAK SPACE",
  "\u00ad": "SOFT HYPHEN",
  "\u0300": "COMBINING GRAVE ACCENT",
  "\u0301": "COMBINING ACUTE ACCENT",
  "\u0302": "COMBINING CIRCUMFLEX ACCENT",
  "\u0303": "COMBINING TILDE",
  "\u0308": "COMBINING DIAERESIS",
  "\u030a": "COMBINING RING ABOVE",
  "\u030c": "COMBINING CARON",
  "\u0327": "COMBINING CEDILLA",
  "\u2007": "FIGURE SPACE",
  "\u2009": "THIN SPACE",
  "\u200b": "ZERO WIDTH SPACE",
  "\u200c": "ZERO WIDTH NON-JOINER",
  "\u200d": "ZERO WIDTH JOINER",
  "\u200e": "LEFT-TO-RIGHT MARK",
  "\u200f": "RIGHT-TO-LEFT MARK",
  "\u2028": "LINE SEPARATOR",
  "\u2029": "PARAGRAPH SEPARATOR",
  "\u202a": "LEFT-TO-RIGHT EMBEDDING",
  "\u202b": "RIGHT-TO-LEFT EMBEDDING",
  "\u202c": "POP DIRECTIONAL FORMATTING",
  "\u202d": "LEFT-TO-RIGHT OVERRIDE",
  "\u202e": "RIGHT-TO-LEFT OVERRIDE",
  "\u202f": "NARROW NO-BREAK SPACE",
  "\u2060": "WORD JOINER",
  "\u3000": "IDEOGRAPHIC SPACE",
  "\ufe0f": "VARIATION SELECTOR-16",
  "\ufeff": "ZERO WIDTH NO-BREAK SPACE",
};

/** Line breaks and tabs are visible enough in a message; every other control character is not. */
const INVISIBLE =
  /^(?:[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}|(?![\t\n\r])\p{Cc})$/u;
const COMBINING = /^\p{M}$/u;
const WORD = /[\p{L}\p{M}]+/gu;

/** Scripts that share look-alike letters. Those of Japanese and Korean writing belong together. */
const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  ["Latin", /^\p{Script=Latin}$/u],
  ["Cyrillic", /^\p{Script=Cyrillic}$/u],
  ["Greek", /^\p{Script=Greek}$/u],
  ["Armenian", /^\p{Script=Armenian}$/u],
  ["Hebrew", /^\p{Script=Hebrew}$/u],
  ["Arabic", /^\p{Script=Arabic}$/u],
  ["Georgian", /^\p{Script=Georgian}$/u],
  ["Cherokee", /^\p{Script=Cherokee}$/u],
  ["East Asian", /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]$/u],
];

/**
 * The characters of a text that a reader cannot see or may take for others (C-03): combining marks, invisible
 * characters, and letters of a second script inside one word. The text itself is never changed.
 */
export function suspiciousCharacters(text: string): readonly SuspiciousCharacter[] {
  const found: SuspiciousCharacter[] = [];
  let index = 0;
  for (const character of text) {
    if (INVISIBLE.test(character)) {
      found.push(described(character, index, "invisible", "invisible character"));
    } else if (COMBINING.test(character)) {
      found.push(described(character, index, "combining", "combining mark"));
    }
    index += character.length;
  }
  for (const word of text.matchAll(WORD)) found.push(...mixedIn(word[0], word.index));
  return found.sort((left, right) => left.index - right.index);
}

function mixedIn(word: string, start: number): readonly SuspiciousCharacter[] {
  const letters: { character: string; index: number; script: string }[] = [];
  let index = start;
  for (const character of word) {
    const script = SCRIPTS.find(([, pattern]) => pattern.test(character))?.[0];
    if (script !== undefined) letters.push({ character, index, script });
    index += character.length;
  }
  const main = mostFrequent(letters.map(({ script }) => script));
  return letters
    .filter(({ script }) => script !== main)
    .map(({ character, index: at, script }) =>
      described(character, at, "mixed_script", `${script} letter in a ${main} word`),
    );
}

/** The first of the most frequent ones. */
function mostFrequent(names: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort((left, right) => right[1] - left[1])[0]?.[0];
}

function described(
  character: string,
  index: number,
  kind: SuspiciousCharacter["kind"],
  fallback: string,
): SuspiciousCharacter {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return { index, codePoint: `U+${code}`, name: NAMES[character] ?? fallback, kind };
}
