import { z } from "zod";

export interface Totals {
  passed: number;
  failed: number;
  /** A line for each failure: where, which test, and the first line of why. */
  failures: string[];
}

const Vitest = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(
        z.object({
          status: z.string(),
          fullName: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

/** Sums a report of vitest. A file that could not even be loaded has no failed test, and counts as one. */
export function vitestTotals(report: unknown): Totals {
  const { numPassedTests, numFailedTests, testResults } = Vitest.parse(report);
  const broken = testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && !assertionResults.some((each) => each.status === "failed"),
  );
  const failures = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === "failed")
      .map((each) => failure(name, each.fullName, each.failureMessages?.[0])),
  );
  return {
    passed: numPassedTests,
    failed: numFailedTests + broken.length,
    failures: [...failures, ...broken.map(({ name, message }) => failure(name, "", message))],
  };
}

const Spec = z.object({
  title: z.string(),
  file: z.string(),
  ok: z.boolean(),
  tests: z.array(
    z.object({
      projectName: z.string(),
      results: z.array(
        z.object({ error: z.object({ message: z.string().optional() }).optional() }),
      ),
    }),
  ),
});

interface Suite {
  specs?: z.infer<typeof Spec>[] | undefined;
  suites?: Suite[] | undefined;
}

const Suite: z.ZodType<Suite> = z.object({
  specs: z.array(Spec).optional(),
  suites: z.array(z.lazy(() => Suite)).optional(),
});

const Playwright = z.object({
  suites: z.array(Suite),
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number() }),
  errors: z.array(z.object({ message: z.string().optional() })),
});

/** Sums a report of Playwright. An error outside the tests counts as one that failed, and so does a flaky test. */
export function playwrightTotals(report: unknown): Totals {
  const { suites, stats, errors } = Playwright.parse(report);
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    failures: [
      ...suites
        .flatMap(specsOf)
        .filter(({ ok }) => !ok)
        .map(failedSpec),
      ...errors.map(({ message }) => failure("outside the tests", "", message)),
    ],
  };
}

function specsOf({ specs = [], suites = [] }: Suite): z.infer<typeof Spec>[] {
  return [...specs, ...suites.flatMap(specsOf)];
}

function failedSpec({ file, title, tests }: z.infer<typeof Spec>): string {
  const [test] = tests;
  const message = test?.results.find(({ error }) => error)?.error?.message;
  return failure(`${file} [${test?.projectName ?? "?"}]`, title, message);
}

/** Only the first lines of why: the whole message stands where the step printed it. */
function failure(file: string, title: string, message: string | undefined): string {
  const why = (message ?? "no message").split("\n").slice(0, 3).join(" | ");
  return `${file}: ${title}: ${why.slice(0, 600)}`;
}
