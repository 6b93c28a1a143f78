import { connect } from "@/lib/store/db";
import {
  cloneDatabase,
  type RunningServer,
  startDatabaseServer,
} from "@/lib/testing/database-server";
import { quantile } from "./claims/figure";
import { fillReviews } from "./review/fill";
import { measurePasses, measureQueue } from "./review/measure";

/** `npm run bench:review [-- --quick]`: what docs/performance.md explains. Prints one line of JSON per figure. */

interface Size {
  readonly tenants: number;
  readonly open: number;
  readonly closed: number;
  /** Views of the queue. */
  readonly samples: number;
  readonly passes: number;
}

const FULL: Size = { tenants: 5, open: 100_000, closed: 1_000_000, samples: 420, passes: 20 };
const QUICK: Size = { tenants: 5, open: 100_000, closed: 100_000, samples: 140, passes: 5 };

/** Enough memory that the disk decides nothing; durable as in production. */
const SETTINGS = { shared_buffers: "1GB", max_wal_size: "8GB", maintenance_work_mem: "256MB" };

function print(figure: string, value: number, unit: string, more: object): void {
  const rounded = Math.round(value * 1_000) / 1_000;
  console.log(JSON.stringify({ bench: "review", figure, value: rounded, unit, ...more }));
}

async function bench(server: RunningServer, size: Size): Promise<void> {
  const database = await cloneDatabase(server);
  const owner = connect(database.url, { poolMax: 2 });
  const db = connect(database.url, { role: "deadline_console", poolMax: 2 });
  const { tenants, open, closed } = size;
  const more = { open, closed, tenants };
  try {
    const stock = await fillReviews(owner, size);
    const passes = await measurePasses(owner, stock, size.passes);
    print("alert_pass_seconds", passes.passS, "s", { ...more, passes: size.passes });
    print("alert_pass_idle_seconds", passes.idleS, "s", more);
    print("alert_pass_storm_seconds", passes.stormS, "s", more);
    print("alert_pass_first_seconds", passes.firstS, "s", more);
    print("routing_seconds", passes.routedS, "s", { ...more, moved: passes.routed });
    const took = await measureQueue(db, stock, size.samples);
    print("queue_p95", quantile([...took.values()].flat(), 0.95), "ms", {
      ...more,
      samples: [...took.values()].flat().length,
    });
    for (const [query, times] of took) {
      print("queue_view_p95", quantile([...times], 0.95), "ms", { ...more, query });
    }
  } finally {
    await Promise.all([owner.$disconnect(), db.$disconnect()]);
    await database.close();
  }
}

const server = await startDatabaseServer({ settings: SETTINGS });
try {
  await bench(server, process.argv.includes("--quick") ? QUICK : FULL);
} finally {
  await server.close();
}
