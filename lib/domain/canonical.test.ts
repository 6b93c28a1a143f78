import fc from "fast-check";
import { expect, test } from "vitest";
import {
  canonicalHash,
  canonicalText,
  type JsonValue,
  parseStrictJson,
  sha256Hex,
} from "./canonical";
import { CanonicalError, type CanonicalErrorCode } from "./canonical-error";

function refusalOf(act: () => unknown): { code: CanonicalErrorCode; offset: number | null } {
  try {
    act();
  } catch (error) {
    if (error instanceof CanonicalError) return { code: error.code, offset: error.offset };
    throw error;
  }
  throw new Error("nothing was refused");
}

const hexText = (hex: string): string => Buffer.from(hex, "hex").toString("utf8");

test("ID-3 C-01: the approved bytes and their hash do not depend on how the body was written", () => {
  const body = '{"recipient":"pat@example.com","copies":1.0,"deadline":"2027-03-31T15:00:00Z"}';
  const text = canonicalText(parseStrictJson(body));
  expect(text).toBe('{"copies":1,"deadline":"2027-03-31T15:00:00Z","recipient":"pat@example.com"}');
  expect(Buffer.byteLength(text)).toBe(76);
  expect(sha256Hex(text)).toBe("a7fbf03c72d1570cfd05def07ca8ac8712b4eb7fe7e7fae7759cec6f4a628e60");
});

test("ID-3 C-02: numbers have one spelling before they are hashed", () => {
  const body =
    '{"a":-0,"b":1e21,"c":1E2,"d":4.50,"e":2e-3,"f":0.000001,"g":1e-7,"h":333333333.33333329,"i":1000000000000000000000}';
  const text = canonicalText(parseStrictJson(body));
  expect(text).toBe(
    '{"a":0,"b":1e+21,"c":100,"d":4.5,"e":0.002,"f":0.000001,"g":1e-7,"h":333333333.3333333,"i":1e+21}',
  );
  expect(Buffer.byteLength(text)).toBe(97);
  expect(sha256Hex(text)).toBe("5ef9ba741ddcc3fbadcc8a0856c889a115dec43977a756f4e290362d0f51c46d");
});

test("ID-3 C-02: an integer beyond 2^53-1 is refused with its place and what to do", () => {
  expect(() => parseStrictJson('{"amount":9007199254740993}')).toThrow(
    "integer too large, send it as a string (at character 10)",
  );
  for (const literal of [
    "9007199254740992",
    "-9007199254740992",
    "1e16",
    "12345678901234567890.5",
  ]) {
    expect(refusalOf(() => parseStrictJson(literal)).code).toBe("integer_too_large");
  }
  expect(refusalOf(() => parseStrictJson("1000000000000000000001")).code).toBe("integer_too_large");
  expect(parseStrictJson("9007199254740991")).toBe(Number.MAX_SAFE_INTEGER);
  expect(refusalOf(() => canonicalText(2 ** 53)).code).toBe("integer_too_large");
});

test("ID-3 C-02: a number that overflows gets no hash", () => {
  expect(refusalOf(() => parseStrictJson('{"x":1e400}'))).toEqual({
    code: "number_too_large",
    offset: 5,
  });
  expect(refusalOf(() => canonicalHash(Number.POSITIVE_INFINITY)).code).toBe("number_too_large");
  expect(refusalOf(() => canonicalHash(Number.NaN)).code).toBe("not_json");
});

test("ID-3 C-03: half a surrogate pair is refused in values and names, escaped or raw", () => {
  const bodies = [
    '{"note":"\\ud83d"}',
    '{"note":"\\ude00\\ud83d"}',
    '{"\\ud83d":1}',
    '{"note":"\ud83d"}',
    '["\\ud83dx"]',
  ];
  for (const body of bodies) {
    expect(refusalOf(() => parseStrictJson(body)).code).toBe("unpaired_surrogate");
  }
  expect(parseStrictJson('"\\ud83d\\ude00"')).toBe("😀");
  expect(refusalOf(() => canonicalText({ "\ude00": 1 })).code).toBe("unpaired_surrogate");
});

test("ID-3 C-03: two spellings of one name stay two payloads", () => {
  const nfc = hexText("7b226e616d65223a225a6fc3ab204578616d706c65227d");
  const nfd = hexText("7b226e616d65223a225a6f65cc88204578616d706c65227d");
  expect(canonicalHash(parseStrictJson(nfc))).toBe(
    "08c6daf5ecf2b0af6b4be1d3bbd3707f9dd56bfd3a07f694fafea2aa556aea17",
  );
  expect(canonicalHash(parseStrictJson(nfd))).toBe(
    "772552a17d69a6046d8be2ce8146cdcb65275699fceea0d301121942271f91c3",
  );
});

test("ID-3 C-04: the order of members does not change the hash, another deadline does", () => {
  const p1 =
    '{"deadline":"2027-06-30T08:00:00Z","recipients":["pat@example.com"],"action":"extend"}';
  const reordered =
    '{"action":"extend","recipients":["pat@example.com"],"deadline":"2027-06-30T08:00:00Z"}';
  const p1Hash = "ca38643f058472e0cfee09e25a7fd3a50eeb8d5121d2ae0ed2795ddd76762903";
  expect(canonicalHash(parseStrictJson(p1))).toBe(p1Hash);
  expect(canonicalHash(parseStrictJson(reordered))).toBe(p1Hash);
  expect(canonicalHash(parseStrictJson(p1.replace("2027-06-30", "2027-07-01")))).toBe(
    "8293c4210949d204fdacbbf531b8275afe7b92599cfa3ba52e9c4bb2bf810fc8",
  );
});

test("ID-3: the same member twice is refused, however it is spelled", () => {
  expect(refusalOf(() => parseStrictJson('{"a":1,"a":1}'))).toEqual({
    code: "duplicate_member",
    offset: 7,
  });
  expect(refusalOf(() => parseStrictJson('{"x":{"a":1,"\\u0061":2}}')).code).toBe(
    "duplicate_member",
  );
  expect(parseStrictJson('{"a":{"a":1},"b":{"a":2}}')).toEqual({ a: { a: 1 }, b: { a: 2 } });
});

test("ID-3: NUL is refused in values and names", () => {
  for (const body of ['"\\u0000"', '{"a\\u0000":1}', '"\u0000"']) {
    expect(refusalOf(() => parseStrictJson(body)).code).toBe("nul_character");
  }
});

test("ID-3: 64 levels are read and 65 are refused", () => {
  const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
  expect(canonicalText(parseStrictJson(nested(64)))).toBe(nested(64));
  expect(refusalOf(() => parseStrictJson(nested(65)))).toEqual({ code: "too_deep", offset: 64 });
  expect(refusalOf(() => parseStrictJson("[".repeat(1_000_000))).code).toBe("too_deep");
  expect(refusalOf(() => canonicalText(JSON.parse(nested(65)))).code).toBe("too_deep");
});

test("ID-3: what is not JSON is refused with the place where reading stopped", () => {
  const bodies: Record<string, number> = {
    "": 0,
    "  ": 2,
    "{": 1,
    '{"a"}': 4,
    '{"a":1,}': 7,
    "[1,]": 3,
    "[1 2]": 3,
    "01": 1,
    "1.": 1,
    "+1": 0,
    NaN: 0,
    "'a'": 0,
    '"\\x"': 1,
    '"\t"': 1,
    '"open': 5,
    "1 // no comments": 2,
    "\ufeff1": 0,
    "{} {}": 3,
  };
  for (const [body, offset] of Object.entries(bodies)) {
    expect(
      refusalOf(() => parseStrictJson(body)),
      body,
    ).toEqual({ code: "invalid_json", offset });
  }
});

test("ID-3: values that JSON cannot express get no canonical text", () => {
  const values: unknown[] = [undefined, { a: undefined }, [undefined], new Date(0), () => 1, 1n];
  for (const value of values) {
    expect(refusalOf(() => canonicalText(value as JsonValue)).code).toBe("not_json");
  }
});

test("ID-3: whatever is accepted comes back unchanged and hashes the same again", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      let value: JsonValue;
      try {
        value = parseStrictJson(text);
      } catch (error) {
        expect(error).toBeInstanceOf(CanonicalError);
        return;
      }
      expect(value).toEqual(JSON.parse(text));
      const canonical = canonicalText(value);
      expect(canonicalText(parseStrictJson(canonical))).toBe(canonical);
    }),
  );
});

test("ID-3: a text that the platform's own parser refuses is never accepted", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'{}[]",:\\u0n1e.-+ tfa') }), (text) => {
      let accepted = true;
      try {
        parseStrictJson(text);
      } catch (error) {
        expect(error).toBeInstanceOf(CanonicalError);
        accepted = false;
      }
      if (accepted) expect(() => JSON.parse(text)).not.toThrow();
    }),
    { numRuns: 2000 },
  );
});
