import { z } from "zod";

export interface Totals {
  passed: number;
  failed: number;
}

const Vitest = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  testResults: z.array(
    z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) }),
  ),
});

/** Sums a report of vitest. A file that could not even be loaded has no failed test, and counts as one. */
export function vitestTotals(report: unknown): Totals {
  const { numPassedTests, numFailedTests, testResults } = Vitest.parse(report);
  const broken = testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && !assertionResults.some((each) => each.status === "failed"),
  );
  return { passed: numPassedTests, failed: numFailedTests + broken.length };
}

const Playwright = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number() }),
  errors: z.array(z.unknown()),
});

/** Sums a report of Playwright. An error outside the tests counts as one that failed, and so does a flaky test. */
export function playwrightTotals(report: unknown): Totals {
  const { stats, errors } = Playwright.parse(report);
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length };
}
