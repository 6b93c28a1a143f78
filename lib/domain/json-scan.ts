import { CanonicalError, DEPTH_MAX } from "./canonical-error";

/** In a `u` pattern a whole pair is one character, so only a lone half matches. */
const HALF_PAIR = /[\ud800-\udfff]/u;

/** Throws unless the text is made of whole characters and has no NUL. */
export function checkCharacters(text: string, offset: number | null): void {
  if (HALF_PAIR.test(text)) throw new CanonicalError("unpaired_surrogate", offset);
  if (text.includes("\u0000")) throw new CanonicalError("nul_character", offset);
}

/**
 * Throws for a number whose canonical form is an integer beyond 2^53-1 or no number at all. From 1e21 on
 * RFC 8785 writes an exponent, so such a value can no longer be mistaken for an exact integer.
 */
export function checkNumber(value: number, offset: number | null): void {
  if (Number.isNaN(value)) throw new CanonicalError("not_json", offset);
  if (!Number.isFinite(value)) throw new CanonicalError("number_too_large", offset);
  if (Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 1e21) {
    throw new CanonicalError("integer_too_large", offset);
  }
}

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const WORDS = ["true", "false", "null"] as const;

/**
 * Checks a JSON text character by character, because a parser that has finished can no longer tell that a
 * member came twice or that a number was rounded.
 */
export class JsonScan {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns when the whole text is one acceptable JSON value; throws CanonicalError otherwise. */
  run(): void {
    this.#value(0);
    this.#skipSpace();
    if (this.#at !== this.#text.length) this.#fail();
  }

  #fail(): never {
    throw new CanonicalError("invalid_json", this.#at);
  }

  #skipSpace(): void {
    SPACE.lastIndex = this.#at;
    SPACE.exec(this.#text);
    this.#at = SPACE.lastIndex;
  }

  #take(sign: string): boolean {
    this.#skipSpace();
    if (this.#text[this.#at] !== sign) return false;
    this.#at += 1;
    return true;
  }

  #value(depth: number): void {
    this.#skipSpace();
    const next = this.#text[this.#at];
    if (next === '"') this.#string();
    else if (next === "{") this.#object(depth + 1);
    else if (next === "[") this.#array(depth + 1);
    else this.#numberOrWord();
  }

  #open(depth: number): void {
    if (depth > DEPTH_MAX) throw new CanonicalError("too_deep", this.#at);
    this.#at += 1;
  }

  #object(depth: number): void {
    this.#open(depth);
    if (this.#take("}")) return;
    const names = new Set<string>();
    do {
      this.#skipSpace();
      const start = this.#at;
      const name = this.#string();
      if (names.has(name)) throw new CanonicalError("duplicate_member", start);
      names.add(name);
      if (!this.#take(":")) this.#fail();
      this.#value(depth);
    } while (this.#take(","));
    if (!this.#take("}")) this.#fail();
  }

  #array(depth: number): void {
    this.#open(depth);
    if (this.#take("]")) return;
    do this.#value(depth);
    while (this.#take(","));
    if (!this.#take("]")) this.#fail();
  }

  #string(): string {
    const start = this.#at;
    if (this.#text[start] !== '"') this.#fail();
    this.#at += 1;
    for (;;) {
      const sign = this.#text[this.#at];
      if (sign === undefined || sign < " ") {
        if (sign === "\u0000") throw new CanonicalError("nul_character", this.#at);
        this.#fail();
      }
      if (sign === '"') break;
      this.#at += sign === "\\" ? this.#escapeLength() : 1;
    }
    this.#at += 1;
    const value: string = JSON.parse(this.#text.slice(start, this.#at));
    checkCharacters(value, start);
    return value;
  }

  #escapeLength(): number {
    ESCAPE.lastIndex = this.#at;
    return ESCAPE.exec(this.#text)?.[0].length ?? this.#fail();
  }

  #numberOrWord(): void {
    const word = WORDS.find((candidate) => this.#text.startsWith(candidate, this.#at));
    if (word !== undefined) {
      this.#at += word.length;
      return;
    }
    NUMBER.lastIndex = this.#at;
    const literal = NUMBER.exec(this.#text)?.[0] ?? this.#fail();
    checkNumber(Number(literal), this.#at);
    // A long run of digits is a promise of exactness; the parser would round it without a word.
    if (/^-?[0-9]{16,}$/.test(literal) && BigInt(literal) !== BigInt(Number(literal))) {
      throw new CanonicalError("integer_too_large", this.#at);
    }
    this.#at += literal.length;
  }
}
