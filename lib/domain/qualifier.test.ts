import { expect, test } from "vitest";
import { parseAge, parseQualifiers } from "./qualifier";

test("known names become qualifiers and the rest is searched for as it was typed", () => {
  expect(
    parseQualifiers(" state:needs_reconcile age:>1h 7c1e4b09 foo:bar ", ["state", "age"]),
  ).toEqual([
    { name: "state", value: "needs_reconcile" },
    { name: "age", value: ">1h" },
    { name: "q", value: "7c1e4b09 foo:bar" },
  ]);
  expect(parseQualifiers("   ", ["state"])).toEqual([]);
  expect(parseQualifiers("state:", ["state"])).toEqual([{ name: "q", value: "state:" }]);
});

test("an age is a number with its unit", () => {
  expect(parseAge(">1h")).toBe(3_600_000);
  expect(parseAge("30m")).toBe(1_800_000);
  expect(parseAge("2d")).toBe(172_800_000);
  expect(parseAge("soon")).toBeNull();
  expect(parseAge("1 year")).toBeNull();
});
