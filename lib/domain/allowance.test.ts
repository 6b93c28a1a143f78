import { expect, test } from "vitest";
import { createAllowances } from "./allowance";

const RULE = { burst: 3, perSecond: 2, keysMax: 100 };

test("PV-6: a burst is allowed, then as much as comes to it, and every key has its own", () => {
  const allowances = createAllowances(RULE);
  for (let one = 0; one < 3; one += 1) {
    expect(allowances.waitMs("a", 1_000)).toBe(0);
    allowances.take("a", 1_000);
  }
  expect(allowances.waitMs("a", 1_000)).toBe(500);
  expect(allowances.waitMs("a", 1_400)).toBe(100);
  expect(allowances.waitMs("a", 1_500)).toBe(0);
  expect(allowances.waitMs("b", 1_000)).toBe(0);
  expect(allowances.waitMs("a", 9_000_000)).toBe(0);
});

test("PV-6: 500 a second for an hour stay within 1,000 a second, and 2,000 a second do not", () => {
  const allowances = createAllowances({ burst: 20_000, perSecond: 1_000, keysMax: 10 });
  const refusedAt = (rate: number) => {
    for (let one = 0; one < rate * 60; one += 1) {
      const nowMs = (one * 1000) / rate;
      if (allowances.waitMs(`${rate}`, nowMs) > 0) return nowMs;
      allowances.take(`${rate}`, nowMs);
    }
    return null;
  };
  expect(refusedAt(500)).toBeNull();
  expect(refusedAt(2_000)).toBeGreaterThan(10_000);
});

test("PV-6: what is given back is whole again", () => {
  const allowances = createAllowances(RULE);
  for (let one = 0; one < 4; one += 1) allowances.take("a", 0);
  allowances.restore("a");
  expect(allowances.waitMs("a", 0)).toBe(0);
});

test("PV-6: however many keys come, only so many are remembered, and the last used ones are", () => {
  const allowances = createAllowances({ burst: 1, perSecond: 1, keysMax: 2 });
  allowances.take("a", 0);
  allowances.take("b", 0);
  allowances.take("a", 0);
  allowances.take("c", 0);
  expect(allowances.waitMs("b", 0)).toBe(0);
  expect(allowances.waitMs("a", 0)).toBeGreaterThan(0);
  expect(allowances.waitMs("c", 0)).toBeGreaterThan(0);
});
