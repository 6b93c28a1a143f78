import { expect, test } from "vitest";
import { AGE_LIMIT_MS, consequenceOf } from "./consequence";

const NOW = "2026-11-30T16:22:07Z";

test("RV-4: what is lost tomorrow outranks what is lost next month, and a reminder outranks nothing", () => {
  const item = { kind: "send", reason: "reconcile_bound_reached" } as const;
  expect(consequenceOf({ ...item, losesAt: "2026-12-01T16:00:00Z" }, NOW)).toBe("critical");
  expect(consequenceOf({ ...item, losesAt: "2026-12-05T16:00:00Z" }, NOW)).toBe("high");
  expect(consequenceOf({ ...item, losesAt: "2027-01-05T16:00:00Z" }, NOW)).toBe("normal");
  expect(consequenceOf({ ...item, losesAt: null }, NOW)).toBe("normal");
  expect(consequenceOf({ ...item, kind: "remind", losesAt: "2026-12-01T16:00:00Z" }, NOW)).toBe(
    "low",
  );
});

test("an unsettled void or extension is never less than high, a possible duplicate always critical", () => {
  const losesAt = "2027-01-05T16:00:00Z";
  expect(consequenceOf({ kind: "void", reason: "no_lookup", losesAt }, NOW)).toBe("high");
  expect(consequenceOf({ kind: "send", reason: "possible_duplicate", losesAt }, NOW)).toBe(
    "critical",
  );
  expect(AGE_LIMIT_MS.critical).toBeLessThan(AGE_LIMIT_MS.high);
});
