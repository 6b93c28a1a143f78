import { expect, test } from "vitest";
import { restartBudget } from "./restart-budget";

test("five restarts in a minute are reasonable, a sixth is not, and a quiet minute forgives", () => {
  let now = 0;
  const mayRestart = restartBudget(() => now);
  expect([1, 2, 3, 4, 5, 6].map(mayRestart)).toEqual([true, true, true, true, true, false]);
  now = 60_000;
  expect(mayRestart()).toBe(true);
});
