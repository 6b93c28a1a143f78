import { expect, test } from "vitest";
import { clockDifference } from "./three-clocks";

const business = { instant: "2026-12-18T16:00:00Z" };

test("clocks that differ by more than the platform can express are said to differ", () => {
  const platform = { instant: "2026-12-15T16:00:00Z" };
  expect(clockDifference(business, platform, 3_600_000)).toBe(
    "Platform expiry is 3 d 0 h before the business deadline.",
  );
  expect(clockDifference(platform, business, 1)).toBe(
    "Platform expiry is 3 d 0 h after the business deadline.",
  );
});

test("rounding of the platform and a missing clock are no disagreement", () => {
  const floored = { instant: "2026-12-18T15:30:00Z" };
  expect(clockDifference(business, floored, 3_600_000)).toBeNull();
  expect(clockDifference(business, floored, 1)).not.toBeNull();
  expect(clockDifference(business, { instant: null }, 1)).toBeNull();
  expect(clockDifference(business, business, 1)).toBeNull();
});
