/** Something that must never leave the vault: where it came from, and the value, which no message repeats. */
export interface Canary {
  readonly name: string;
  readonly value: string;
  /** Parts that give it away as well, such as the local part of an address. */
  readonly pieces?: readonly string[];
}

/** Shorter texts would be found everywhere. */
const SHORTEST = 5;
const TABLE_BITS = 20;
const TABLE_MASK = (1 << TABLE_BITS) - 1;
/** Five characters fill the hash; what stood before them has left it. */
const BITS_PER_CHARACTER = TABLE_BITS / SHORTEST;

interface Needle {
  readonly text: string;
  readonly name: string;
}

/**
 * A search for every canary at once, in any case, as it is and in the forms in which text travels: JSON, HTML, URL,
 * base64 at any place of the encoded bytes, hexadecimal digits. It returns the names of those found, each once. One
 * pass over the text, however many there are. Throws for a canary that is too short to mean anything.
 */
export function canarySearch(canaries: readonly Canary[]): (text: string) => readonly string[] {
  const marked = new Uint8Array(1 << TABLE_BITS);
  const byBegin = new Map<number, Needle[]>();
  for (const needle of canaries.flatMap(needlesOf)) {
    let hash = 0;
    for (let at = 0; at < SHORTEST; at += 1) hash = rolled(hash, needle.text.charCodeAt(at));
    marked[hash] = 1;
    byBegin.set(hash, [...(byBegin.get(hash) ?? []), needle]);
  }
  return (text) => {
    const folded = text.normalize("NFC").toLowerCase();
    const found = new Set<string>();
    let hash = 0;
    for (let at = 0; at < folded.length; at += 1) {
      hash = rolled(hash, folded.charCodeAt(at));
      if (marked[hash] === 0) continue;
      for (const needle of byBegin.get(hash) ?? []) {
        if (folded.startsWith(needle.text, at + 1 - SHORTEST)) found.add(needle.name);
      }
    }
    return [...found];
  };
}

function rolled(hash: number, code: number): number {
  return ((hash << BITS_PER_CHARACTER) ^ code) & TABLE_MASK;
}

function needlesOf({ name, value, pieces = [] }: Canary): Needle[] {
  const texts = new Set([value, ...pieces].flatMap(formsOf).map((form) => form.toLowerCase()));
  return [...texts].map((text) => {
    if (text.length < SHORTEST)
      throw new Error(`the canary "${name}" has a form that is too short`);
    return { text, name };
  });
}

function formsOf(value: string): string[] {
  const text = value.normalize("NFC");
  const bytes = Buffer.from(text, "utf8");
  const percent = encodeURIComponent(text);
  const html = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const base64 = [0, 1, 2].map((before) => base64Within(bytes, before));
  return [
    text,
    JSON.stringify(text).slice(1, -1),
    html,
    html.replaceAll("'", "&#x27;").replaceAll('"', "&quot;"),
    percent,
    percent.replaceAll("%20", "+"),
    ...base64,
    ...base64.map((form) => form.replaceAll("+", "-").replaceAll("/", "_")),
    bytes.toString("hex"),
  ];
}

/** The characters of base64 that depend on these bytes alone when `before` other bytes stand before them. */
function base64Within(bytes: Buffer, before: number): string {
  const all = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
  const bits = (before + bytes.byteLength) * 8;
  return all.slice(Math.ceil((before * 8) / 6), Math.floor(bits / 6));
}
