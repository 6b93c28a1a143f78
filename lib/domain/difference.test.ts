import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalHash, type JsonValue, parseStrictJson } from "./canonical";
import { differences, differingFields } from "./difference";

test("ID-6: a refusal can name the fields that differ without their values", () => {
  const first = { target: { expires_at: "2027-06-30T08:00:00Z" }, signers: [{ role: "tenant" }] };
  const second = {
    target: { expires_at: "2027-07-01T08:00:00Z" },
    signers: [{ role: "tenant" }, { role: "owner" }],
  };
  expect(differingFields(first, second)).toEqual(["target.expires_at", "signers.1"]);
  expect(differences(first, second)[1]).toEqual({
    path: "signers.1",
    before: undefined,
    after: { role: "owner" },
  });
});

test("AP-1: nothing differs between two spellings of the same value", () => {
  expect(differingFields({ a: 1, b: [0] }, { b: [-0], a: 1 })).toEqual([]);
});

test("ID-6: a list is not an object with the same members, and null is not absence", () => {
  expect(differingFields({ a: [1] }, { a: { 0: 1 } })).toEqual(["a"]);
  expect(differingFields({ a: null }, {})).toEqual(["a"]);
  expect(differingFields(1, "1")).toEqual([""]);
});

test("ID-6: two values differ somewhere exactly when their hashes differ", () => {
  const json = fc.json().map((text) => text.replaceAll(/[0-9.e+-]{16,}/g, "1"));
  const values = json.filter(isAccepted).map(parseStrictJson);
  fc.assert(
    fc.property(values, values, (left: JsonValue, right: JsonValue) => {
      expect(differences(left, right).length === 0).toBe(
        canonicalHash(left) === canonicalHash(right),
      );
      expect(differences(left, left)).toEqual([]);
    }),
  );
});

function isAccepted(text: string): boolean {
  try {
    parseStrictJson(text);
    return true;
  } catch {
    // The generator also writes what the boundary refuses; canonical.test.ts is about those.
    return false;
  }
}
