import { spawnSync } from "node:child_process";
import { projectRoot } from "@/workers/launch/root";
import { INJECTED_ERRORS } from "./injected-errors";

/**
 * Makes each error of model.md section 6 in the code and runs the simulation against it. Every one has to be found;
 * prints for each the property that broke and the seed. Ids given on the command line choose some of them.
 */
const chosen = process.argv.slice(2).map(Number);
const errors = INJECTED_ERRORS.filter(({ id }) => chosen.length === 0 || chosen.includes(id));

const missed = errors.filter(({ id, about }) => {
  const run = spawnSync("npx", ["vitest", "run", "--config", "vitest.injected.config.ts"], {
    cwd: projectRoot,
    env: { ...process.env, INJECTED_ERROR: String(id), SIM_RUNS: process.env.SIM_RUNS ?? "400" },
    encoding: "utf8",
  });
  const output = `${run.stdout}${run.stderr}`;
  const seed = /seed: (-?\d+)/.exec(output)?.[1] ?? "?";
  const property =
    /(?:S[1-7]|L|TM3|RM2|H|K): [^\n]+ \([a-z]+ [a-z_ ]+\)/.exec(output)?.[0] ?? firstError(output);
  const found = run.status !== 0 && /Property failed/.test(output);
  const fate = found ? `found, seed ${seed}: ${property}` : `NOT FOUND: ${firstError(output)}`;
  process.stdout.write(`${id} ${about}\n   ${fate}\n`);
  return !found;
});

process.exitCode = missed.length === 0 ? 0 : 1;

function firstError(output: string): string {
  return /Error: ([^\n]+)/.exec(output)?.[1] ?? "every run held";
}
