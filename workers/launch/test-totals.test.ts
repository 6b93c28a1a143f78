import { expect, test } from "vitest";
import { playwrightTotals, vitestTotals } from "./test-totals";

const file = (name: string, status: string, ...tests: string[]) => ({
  name,
  status,
  message: status === "failed" ? "Cannot find module\nstack" : "",
  assertionResults: tests.map((each) => ({
    status: each,
    fullName: `a guarantee of ${name}`,
    failureMessages: each === "failed" ? ["expected 1\nto be 2\nDiff\nstack"] : [],
  })),
});

test("a test file that could not be loaded counts as one failure, and every failure is named", () => {
  const report = {
    numPassedTests: 2,
    numFailedTests: 1,
    testResults: [
      file("a", "passed", "passed"),
      file("b", "failed", "passed", "failed"),
      file("c", "failed"),
    ],
  };
  expect(vitestTotals(report)).toEqual({
    passed: 2,
    failed: 2,
    failures: [
      "b: a guarantee of b: expected 1 | to be 2 | Diff",
      "c: : Cannot find module | stack",
    ],
  });
});

test("a flaky browser test and an error outside the tests count as failures, named with their project", () => {
  const stats = { expected: 5, unexpected: 1, flaky: 1, skipped: 0 };
  const spec = (title: string, ok: boolean) => ({
    title,
    file: "a.spec.ts",
    ok,
    tests: [{ projectName: "390", results: [{ error: { message: "Timed out" } }] }],
  });
  const suites = [{ suites: [{ specs: [spec("walks", false), spec("reads", true)] }] }];
  expect(playwrightTotals({ suites, stats, errors: [{ message: "No browser" }] })).toEqual({
    passed: 5,
    failed: 3,
    failures: ["a.spec.ts [390]: walks: Timed out", "outside the tests: : No browser"],
  });
});
