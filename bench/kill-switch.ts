import { blankDatabase, cloneDatabase, startDatabaseServer } from "@/lib/testing/database-server";
import { endWorkers, extensions, throwKillSwitch } from "@/lib/testing/kill-switch";
import { openWorkshop } from "@/lib/testing/workshop";

/**
 * `npm run bench:kill-switch [-- --quick]`: how late the last call comes after a switch, with four real worker
 * processes at full speed (BL-6). Prints one line of JSON per run and one for the worst of them.
 */
const quick = process.argv.includes("--quick");
const RUNS = quick ? 1 : 5;
const OPERATIONS = quick ? 160 : 400;
const BOUND_MS = 1_000;

function printFigure(figure: string, value: number, more: Record<string, number | null>): void {
  console.log(JSON.stringify({ bench: "kill-switch", figure, value, unit: "ms", ...more }));
}

const server = await startDatabaseServer({ fsync: true });
let worst = 0;
try {
  for (let run = 1; run <= RUNS; run += 1) {
    const shop = await openWorkshop(await cloneDatabase(server), await blankDatabase(server));
    const result = await throwKillSwitch(shop, { workers: 4, operations: OPERATIONS });
    await endWorkers(result.workers);
    const { killSwitchMs, lastIntentMs, before } = result;
    worst = Math.max(worst, killSwitchMs);
    const effects = (await extensions(shop, result.tenant)).length;
    printFigure("run_ms", killSwitchMs, { run, last_intent_ms: lastIntentMs, before, effects });
    await shop.close();
  }
  printFigure("kill_switch_ms", worst, { bound: BOUND_MS, runs: RUNS, operations: OPERATIONS });
} finally {
  await server.close();
}
if (worst > BOUND_MS) process.exitCode = 1;
