import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { projectRoot } from "./workers/launch/root.ts";

/** Tests of pure code; everything else gets a database. */
const PURE = ["lib/domain/**/*.test.{ts,tsx}", "components/**/*.test.{ts,tsx}"];
/** Tests of what a process has once, its environment and its contexts: each file in a process of its own. */
const OWN_PROCESS = ["app/**/*.test.{ts,tsx}", "lib/runtime/**/*.test.ts"];

const NO_TESTS = ["node_modules/**", ".next/**", ".data/**", "e2e/**"];
/** Measured by the clock, with several processes at full speed: after all others, and one at a time. */
const ALONE = ["workers/fairness.test.ts", "workers/kill-switch.test.ts"];

/** Minutes each: whatever of these began last would keep the run waiting for it alone. */
const FIRST = ["fault-matrix", "outage", "inbound-crashes", "ledger.sim", "replay-events"];
const PROJECTS = ["ledger", "process", "domain", "alone"];

/** The files of a project stand in a row: only those can follow each other in one process. */
class LongFirst extends BaseSequencer {
  override async sort(specs: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId, project }: TestSpecification) => {
      const name = moduleId.slice(moduleId.lastIndexOf("/") + 1).replace(/\.test\.tsx?$/, "");
      const early = FIRST.includes(name) ? FIRST.indexOf(name) - FIRST.length : 0;
      return 100 * PROJECTS.indexOf(project.name) + early;
    };
    return (await super.sort(specs)).sort((one, other) => place(one) - place(other));
  }
}

const withDatabase = {
  globalSetup: ["lib/testing/vitest-database.ts"],
  // Against hanging only: longer than the waits inside, so that these can say for what they waited in vain.
  testTimeout: 300_000,
  hookTimeout: 300_000,
};

export default defineConfig({
  resolve: { alias: { "@": projectRoot } },
  test: {
    // Two cores: more workers only make the ones that wait for a condition wait longer.
    maxWorkers: 2,
    sequence: { sequencer: LongFirst },
    projects: [
      { extends: true, test: { name: "domain", include: PURE, isolate: false } },
      {
        extends: true,
        test: {
          name: "ledger",
          include: ["**/*.test.{ts,tsx}"],
          exclude: [...PURE, ...OWN_PROCESS, ...ALONE, ...NO_TESTS],
          // The files share what they import: to load the whole product again for each takes longer than most tests.
          isolate: false,
          ...withDatabase,
        },
      },
      { extends: true, test: { name: "process", include: OWN_PROCESS, ...withDatabase } },
      {
        extends: true,
        test: {
          name: "alone",
          include: ALONE,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
          ...withDatabase,
        },
      },
    ],
  },
});
