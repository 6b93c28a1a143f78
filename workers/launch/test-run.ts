import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { generateClient } from "./generate";
import { projectRoot } from "./root";
import { runStep } from "./run-step";
import { playwrightTotals, type Totals, vitestTotals } from "./test-totals";

/** `npm test`: every check of the project in order, then the sum on a line of its own. */

const REPORTS = path.join(projectRoot, ".data", "test-reports");
const VITEST_REPORT = path.join(REPORTS, "vitest.json");
const PLAYWRIGHT_REPORT = path.join(REPORTS, "playwright.json");
const bin = (name: string) => `node_modules/${name}`;

interface Step {
  title: string;
  args: string[];
  env?: Record<string, string>;
  /** Reads the totals that the step left; a step without any counts only when it fails. */
  totals?: () => Totals | null;
}

const CHECKS: Step[] = [
  {
    title: "Format, lint and layers",
    args: [bin("@biomejs/biome/bin/biome"), "check", "--error-on-warnings", "."],
  },
  { title: "Route types", args: [bin("next/dist/bin/next"), "typegen"] },
  { title: "Types", args: [bin("typescript/bin/tsc"), "--noEmit"] },
  { title: "Dead code", args: [bin("knip/bin/knip.js")] },
];

const TESTS: Step[] = [
  {
    title: "Unit and database tests",
    args: [
      bin("vitest/vitest.mjs"),
      "run",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${VITEST_REPORT}`,
    ],
    totals: () => totalsFrom(VITEST_REPORT, vitestTotals),
  },
  { title: "Build of the console", args: ["--import", "tsx", "workers/launch/build.ts"] },
  {
    title: "Browser tests",
    args: [bin("@playwright/test/cli.js"), "test", "--reporter=list,json"],
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: PLAYWRIGHT_REPORT },
    totals: () => totalsFrom(PLAYWRIGHT_REPORT, playwrightTotals),
  },
];

const NONE: Totals = { passed: 0, failed: 0, failures: [] };

const say = (line: string) => void process.stdout.write(`${line}\n`);

function totalsFrom(file: string, read: (report: unknown) => Totals): Totals | null {
  return existsSync(file) ? read(JSON.parse(readFileSync(file, "utf8"))) : null;
}

/** Runs one step and says how long it took. A step that failed without a failed test counts as one. */
async function run(step: Step, place: string): Promise<Totals> {
  say(`\n[${place}] ${step.title}`);
  const began = Date.now();
  const code = await runStep(step.args, { onLine: say, ...(step.env ? { env: step.env } : {}) });
  const { passed, failed, failures } = step.totals?.() ?? NONE;
  const seconds = Math.round((Date.now() - began) / 1000);
  say(`[${place}] ${step.title}: ${code === 0 ? "good" : "FAILED"} after ${seconds} s`);
  if (code === 0 || failures.length > 0) return { passed, failed, failures };
  return { passed, failed: Math.max(failed, 1), failures: [`${step.title}: exit code ${code}`] };
}

async function runAll(steps: Step[]): Promise<Totals> {
  rmSync(REPORTS, { recursive: true, force: true });
  mkdirSync(REPORTS, { recursive: true });
  if (await generateClient()) say("Generated the Prisma client.");
  const sum: Totals = { passed: 0, failed: 0, failures: [] };
  for (const [index, step] of steps.entries()) {
    const { passed, failed, failures } = await run(step, `${index + 1}/${steps.length}`);
    sum.passed += passed;
    sum.failed += failed;
    sum.failures.push(...failures);
    if (stopped) break;
  }
  return sum;
}

let stopped = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    stopped = true;
  });
}

const { passed, failed, failures } = await runAll(
  process.argv.includes("--only=check") ? CHECKS : [...CHECKS, ...TESTS],
);
// Named once more at the end: whoever sees only the last lines of a long run knows what to look at.
if (failures.length > 0) say(`\nFailed:\n${failures.map((line) => `  ${line}`).join("\n")}`);
say(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || stopped ? 1 : 0;
