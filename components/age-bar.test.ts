import { expect, test } from "vitest";
import { ageText } from "./age-bar";

const MINUTE = 60_000;

test("an age names its unit once when the limit has the same", () => {
  expect(ageText(12 * MINUTE, 15 * MINUTE)).toBe("12 of 15 min");
  expect(ageText(40_000, 15 * MINUTE)).toBe("40 s of 15 min");
  expect(ageText(65 * MINUTE, 8 * 60 * MINUTE)).toBe("1 h 5 min of 8 h");
  expect(ageText(26 * 60 * MINUTE, 24 * 60 * MINUTE)).toBe("1 d 2 h of 1 d");
});
