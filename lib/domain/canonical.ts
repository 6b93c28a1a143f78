import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { CanonicalError, DEPTH_MAX } from "./canonical-error";
import { checkCharacters, checkNumber, JsonScan } from "./json-scan";

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [member: string]: JsonValue };

/**
 * Reads JSON without losing anything on the way (ID-3): what comes back is what was written. Throws
 * CanonicalError for duplicate members, unpaired surrogates, NUL, integers beyond 2^53-1, numbers that
 * overflow, nesting beyond 64 levels, and anything that is not JSON.
 */
export function parseStrictJson(text: string): JsonValue {
  new JsonScan(text).run();
  return JSON.parse(text) as JsonValue;
}

/** The RFC 8785 text of a value, the only form that is stored, shown and hashed (ID-3). Throws CanonicalError. */
export function canonicalText(value: JsonValue): string {
  checkValue(value, 0);
  const text = canonicalize(value);
  if (text === undefined) throw new CanonicalError("not_json", null);
  return text;
}

/** SHA-256 of the text's UTF-8 bytes as 64 lower-case hexadecimal digits. */
export function sha256Hex(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

/** SHA-256 over the RFC 8785 text of a value (ID-3). Throws CanonicalError. */
export function canonicalHash(value: JsonValue): string {
  return sha256Hex(canonicalText(value));
}

function checkValue(value: unknown, depth: number): void {
  if (value === null || typeof value === "boolean") return;
  if (typeof value === "string") checkCharacters(value, null);
  else if (typeof value === "number") checkNumber(value, null);
  else if (typeof value === "object") checkMembers(value, depth + 1);
  else throw new CanonicalError("not_json", null);
}

function checkMembers(value: object, depth: number): void {
  if (depth > DEPTH_MAX) throw new CanonicalError("too_deep", null);
  if (Array.isArray(value)) {
    // By place and not by forEach, which would pass over holes.
    for (let place = 0; place < value.length; place += 1) checkValue(value[place], depth);
    return;
  }
  const shape: unknown = Object.getPrototypeOf(value);
  if (shape !== null && shape !== Object.prototype) throw new CanonicalError("not_json", null);
  for (const [name, member] of Object.entries(value)) {
    checkCharacters(name, null);
    checkValue(member, depth);
  }
}
