import type { Database } from "@/lib/store/db";
import type { Contender } from "./contender";
import { amountOf } from "./contender";
import { median, printFigure } from "./figure";
import { type Load, openLedger, runFullPath } from "./full-path";
import { graphileWorker } from "./graphile-worker";
import { pgBoss } from "./pg-boss";
import { hasPgbench, runPgbench } from "./pgbench";
import { runPipelined } from "./pipelined";
import { playRounds, type Results } from "./rounds";
import { countDone, fillDue, openStock } from "./stock";

const WORKERS = 2;
/** The figures of this batch size carry the plain names. */
const PRIMARY_BATCH = 20;

type Name = "ledger" | "floor" | "pgboss" | "graphile";

export interface Plan {
  readonly batch: number;
  readonly cycles: number;
  /** Another round begins only before this much of the plan's time is over. */
  readonly budgetMs: number;
}

/**
 * Measures the full path against its floor and against the two queues, on one database, and prints the figures. No
 * round but the first of a plan begins after `stopMs` of this process.
 */
export async function measureThroughput(
  url: string,
  owner: Database,
  plans: readonly Plan[],
  stopMs: number,
): Promise<void> {
  const floor = hasPgbench() ? "pgbench" : "pg";
  const contenders = await openContenders(url, owner, floor);
  try {
    await playRounds(contenders, { workers: WORKERS, cycles: 10, batch: PRIMARY_BATCH }, 0);
    for (const { batch, cycles, budgetMs } of plans) {
      const load = { workers: WORKERS, cycles, batch };
      const endMs = Math.min(stopMs, performance.now() + budgetMs);
      printResults(await playRounds(contenders, load, endMs), load, floor);
    }
  } finally {
    for (const contender of Object.values(contenders)) await contender.close();
  }
}

async function openContenders(
  url: string,
  owner: Database,
  floor: "pgbench" | "pg",
): Promise<Record<Name, Contender>> {
  const stock = await openStock(owner);
  const ledger = openLedger(url, WORKERS);
  // Tenants are drawn at random: twice the mean keeps every one of them from running dry.
  const prepare = (load: Load) =>
    fillDue(owner, stock, load.batch + Math.ceil((2 * amountOf(load)) / stock.tenants.length));
  const counted = async (load: Load, run: () => Promise<number>) => {
    const before = await countDone(owner);
    const perSecond = await run();
    const done = (await countDone(owner)) - before;
    if (done !== amountOf(load))
      throw new Error(`${done} operations are done, not ${amountOf(load)}`);
    return perSecond;
  };
  const runFloor = floor === "pgbench" ? runPgbench : runPipelined;
  return {
    ledger: {
      prepare,
      run: (load) => counted(load, () => runFullPath(ledger, load)),
      close: () => ledger.close(),
    },
    floor: {
      prepare,
      run: (load) => counted(load, () => runFloor(url, load)),
      close: async () => undefined,
    },
    pgboss: await pgBoss(url, WORKERS),
    graphile: await graphileWorker(url),
  };
}

function printResults(
  results: Results<Name>,
  { batch, workers, cycles }: Load,
  floor: string,
): void {
  const suffix = batch === PRIMARY_BATCH ? "" : `_batch_${batch}`;
  const more = { batch, workers, cycles, rounds: results.ledger.length };
  const ratioTo = (name: Name) =>
    median(
      results.ledger.map((perSecond, round) => perSecond / (results[name][round] ?? Number.NaN)),
    );
  printFigure(`floor_ratio${suffix}`, ratioTo("floor"), "ratio", { ...more, floor });
  printFigure(`pgboss_ratio${suffix}`, ratioTo("pgboss"), "ratio", more);
  printFigure(`graphile_ratio${suffix}`, ratioTo("graphile"), "ratio", more);
  printFigure(`ops_per_second${suffix}`, median(results.ledger), "1/s", more);
  printFigure(`floor_ops_per_second${suffix}`, median(results.floor), "1/s", { ...more, floor });
  printFigure(`pgboss_jobs_per_second${suffix}`, median(results.pgboss), "1/s", more);
  printFigure(`graphile_jobs_per_second${suffix}`, median(results.graphile), "1/s", more);
}
