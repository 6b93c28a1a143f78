import { connect } from "@/lib/store/db";
import {
  cloneDatabase,
  type RunningServer,
  startDatabaseServer,
} from "@/lib/testing/database-server";
import { measureLatency, type Sizes } from "./claims/latency";
import { measureThroughput, type Plan } from "./claims/throughput";

/** `npm run bench:claims [-- --quick]`: what docs/performance.md explains. Prints one line of JSON per figure. */

interface Size {
  readonly latency: Sizes;
  readonly plans: readonly Plan[];
  /** Milliseconds of this process after which no further round begins. */
  readonly stopMs: number;
}

const FULL: Size = {
  latency: { small: 10_000, large: 10_000_000, samples: 200 },
  plans: [
    { batch: 20, cycles: 150, budgetMs: 180_000 },
    { batch: 1, cycles: 300, budgetMs: 60_000 },
    { batch: 100, cycles: 40, budgetMs: 60_000 },
  ],
  stopMs: Number.POSITIVE_INFINITY,
};

/** Ends within 50 seconds: the long history is a tenth, and the rounds of the primary batch get the time that is left. */
const QUICK: Size = {
  latency: { small: 10_000, large: 1_000_000, samples: 100 },
  plans: [
    { batch: 1, cycles: 40, budgetMs: 0 },
    { batch: 100, cycles: 8, budgetMs: 0 },
    { batch: 20, cycles: 40, budgetMs: 30_000 },
  ],
  stopMs: 38_000,
};

/** Durable as in production; the rest keeps checkpoints and a cold cache out of single rounds. */
const SETTINGS = {
  shared_buffers: "1GB",
  max_wal_size: "8GB",
  checkpoint_timeout: "30min",
  maintenance_work_mem: "512MB",
};

async function bench(server: RunningServer, { latency, plans, stopMs }: Size): Promise<void> {
  await measureLatency(server, latency);
  const database = await cloneDatabase(server);
  const owner = connect(database.url, { poolMax: 1 });
  await measureThroughput(database.url, owner, plans, stopMs);
  await owner.$disconnect();
  await database.close();
}

const server = await startDatabaseServer({ fsync: true, settings: SETTINGS });
try {
  await bench(server, process.argv.includes("--quick") ? QUICK : FULL);
} finally {
  await server.close();
}
