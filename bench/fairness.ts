import { blankDatabase, cloneDatabase, startDatabaseServer } from "@/lib/testing/database-server";
import { killWorker, startWorker } from "@/lib/testing/worker-process";
import { openWorkshop } from "@/lib/testing/workshop";
import { quantile } from "./claims/figure";
import { pickups, type Size, spread } from "./fairness/run";

/**
 * `npm run bench:fairness [-- --quick]`: how soon the one operation of a small tenant starts beside another tenant's
 * long list, and how evenly two equal tenants are served (CL-5), with two real worker processes and the sandbox
 * platform, each call of which takes 200 ms longer. Prints one line of JSON per figure.
 */
const FULL: Size = { bulk: 10_000, small: 50, equal: 2_000, counted: 1_600, callMs: 200 };
const QUICK: Size = { bulk: 2_000, small: 50, equal: 300, counted: 240, callMs: 200 };

const size = process.argv.includes("--quick") ? QUICK : FULL;

function printFigure(figure: string, value: number, unit: string): void {
  const rounded = Math.round(value * 10_000) / 10_000;
  console.log(JSON.stringify({ bench: "fairness", figure, value: rounded, unit, ...size }));
}

const server = await startDatabaseServer({ fsync: true });
try {
  const shop = await openWorkshop(await cloneDatabase(server), await blankDatabase(server));
  const workers = await Promise.all([startWorker(shop, "fair-1"), startWorker(shop, "fair-2")]);
  const waits = await pickups(shop, size);
  for (const [name, share] of [
    ["p50", 0.5],
    ["p95", 0.95],
    ["p99", 0.99],
  ] as const) {
    printFigure(`small_tenant_pickup_${name}`, quantile(waits, share), "ms");
  }
  printFigure("fairness_spread", await spread(shop, size), "ratio");
  await Promise.all(workers.map(killWorker));
  await shop.close();
} finally {
  await server.close();
}
