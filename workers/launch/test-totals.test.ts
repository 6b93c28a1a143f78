import { expect, test } from "vitest";
import { playwrightTotals, vitestTotals } from "./test-totals";

const file = (status: string, ...tests: string[]) => ({
  status,
  assertionResults: tests.map((each) => ({ status: each })),
});

test("a test file that could not be loaded counts as one failure", () => {
  const report = {
    numPassedTests: 2,
    numFailedTests: 1,
    testResults: [file("passed", "passed"), file("failed", "passed", "failed"), file("failed")],
  };
  expect(vitestTotals(report)).toEqual({ passed: 2, failed: 2 });
});

test("a flaky browser test and an error outside the tests count as failures", () => {
  const stats = { expected: 5, unexpected: 1, flaky: 1, skipped: 0 };
  expect(playwrightTotals({ stats, errors: [{}] })).toEqual({ passed: 5, failed: 3 });
});
