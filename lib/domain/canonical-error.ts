/** What is wrong with a text or value that was meant to be approved JSON (ID-3). */
export type CanonicalErrorCode =
  | "invalid_json"
  | "duplicate_member"
  | "unpaired_surrogate"
  | "nul_character"
  | "integer_too_large"
  | "number_too_large"
  | "too_deep"
  | "not_json";

/** Deeper nesting than this is refused: no payload needs it, and every reader of it recurses. */
export const DEPTH_MAX = 64;

const SENTENCES: Record<CanonicalErrorCode, string> = {
  invalid_json: "not readable as JSON",
  duplicate_member: "the same member appears twice in one object",
  unpaired_surrogate: "a text holds half of a surrogate pair, which is no character",
  nul_character: "a text holds the NUL character, which cannot be stored",
  integer_too_large: "integer too large, send it as a string",
  number_too_large: "number too large, send it as a string",
  too_deep: `nested deeper than ${DEPTH_MAX} levels`,
  not_json: "holds a value that JSON cannot express",
};

/** Thrown for input that can have no trustworthy hash. The message is safe to show; it quotes no input. */
export class CanonicalError extends Error {
  readonly code: CanonicalErrorCode;
  /** Place in the text, counted in UTF-16 units from 0; null when a value, not a text, was refused. */
  readonly offset: number | null;

  constructor(code: CanonicalErrorCode, offset: number | null) {
    super(offset === null ? SENTENCES[code] : `${SENTENCES[code]} (at character ${offset})`);
    this.name = "CanonicalError";
    this.code = code;
    this.offset = offset;
  }
}
