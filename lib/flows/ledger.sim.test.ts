import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase } from "@/lib/testing/database";
import { OPENING_NAMES, OPENINGS } from "@/lib/testing/sim/openings";
import { type MovedPools, openMovedPools } from "@/lib/testing/sim/pools";
import { Run } from "@/lib/testing/sim/run";
import { SCENARIO_KINDS, type Scenario } from "@/lib/testing/sim/scenario";

const RUNS = Number(process.env.SIM_RUNS ?? 60);
const SEED = process.env.SIM_SEED ? Number(process.env.SIM_SEED) : randomBytes(4).readInt32BE();

let pools: MovedPools;
let sessions: Client;
let close: () => Promise<void>;
let offsetMs = 0;

beforeAll(async () => {
  const database = await testDatabase();
  pools = openMovedPools(database.url);
  sessions = new Client({ connectionString: database.url });
  await sessions.connect();
  close = async () => {
    await sessions.end();
    await pools.close();
    await database.close();
  };
});
afterAll(() => close());

const scenarios: fc.Arbitrary<Scenario> = fc
  .record({
    kind: fc.constantFrom(...SCENARIO_KINDS),
    lookup: fc.constantFrom("authoritative", "eventual"),
    rateLimit: fc.constantFrom("guaranteed", "unstated"),
    conditional: fc.constantFrom("none", "version"),
    traces: fc.boolean(),
    revivable: fc.boolean(),
    outsiders: fc.boolean(),
    opening: fc.option(fc.constantFrom(...OPENING_NAMES), { freq: 2 }),
  })
  .map((drawn) => ({ ...drawn, ...(drawn.opening && OPENINGS[drawn.opening].needs) }));
const draws = fc.array(fc.nat(999), { minLength: 25, maxLength: 60 });

async function runOnce(scenario: Scenario, steps: readonly number[]): Promise<void> {
  const run = new Run(scenario, { pools, sessions, vaultKey: randomBytes(32), offsetMs });
  try {
    await run.prepare();
    for (const draw of steps) {
      if (!(await run.step(draw))) break;
    }
    await run.settle();
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new Error(`${cause}\n${JSON.stringify(scenario)}\n${run.trace.join("\n")}`, {
      cause: error,
    });
  } finally {
    offsetMs = run.world.offsetMs;
    await run.close();
  }
}

test(`S1 S2 S3 S4 S5 S7 L TM3 H K RC-8 RC-9: whatever happens, the ledger's properties hold (seed ${SEED})`, async () => {
  const result = await fc.check(fc.asyncProperty(scenarios, draws, runOnce), {
    seed: SEED,
    numRuns: RUNS,
    endOnFailure: true,
  });
  const { errorInstance } = result;
  const broken = errorInstance instanceof Error ? errorInstance.message : "";
  expect(result.failed ? `${broken}\n${fc.defaultReportMessage(result)}` : null).toBeNull();
}, 600_000);
