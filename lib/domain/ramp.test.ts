import { expect, test } from "vitest";
import { firstRate, rampMinutes, rateAfter } from "./ramp";

test("BL-6: a ramp begins with a tenth of the limit, and with one per minute at least", () => {
  expect([firstRate(60), firstRate(100), firstRate(9), firstRate(1)]).toEqual([6, 10, 1, 1]);
});

test("BL-6: the rate doubles with every five minutes and not before", () => {
  expect([0, 4.9, 5, 10, 20].map((minutes) => rateAfter(3, minutes))).toEqual([3, 3, 6, 12, 48]);
});

test("BL-6: the forecast adds up the steps of the ramp and then the full rate", () => {
  expect(rampMinutes(3, 30, 1)).toBe(0);
  expect(rampMinutes(3, 30, 4)).toBe(1);
  // 1 at once, 15 + 30 + 60 + 120 in twenty minutes, then 48 per minute for the last 86.
  expect(rampMinutes(3, 30, 312)).toBe(22);
  expect(rampMinutes(60, 60, 121)).toBe(2);
});
