import { connect, type Database } from "@/lib/store/db";
import {
  cloneDatabase,
  type RunningServer,
  startDatabaseServer,
  type TestDatabase,
} from "@/lib/testing/database-server";
import { fillHistory, fillOpen } from "./pages/fill";
import { measurePages, PAGES, type Side } from "./pages/measure";

/** `npm run bench:pages [-- --quick]`: what docs/performance.md explains. Prints one line of JSON per figure. */

interface Size {
  readonly tenants: number;
  /** Operations on either side. */
  readonly small: number;
  readonly large: number;
  /** Views of each page on each side. */
  readonly samples: number;
}

const FULL: Size = { tenants: 100, small: 10_000, large: 1_000_000, samples: 300 };
const QUICK: Size = { tenants: 20, small: 2_000, large: 100_000, samples: 100 };

/** Enough memory that the disk decides nothing; durable as in production costs a reader nothing. */
const SETTINGS = { shared_buffers: "1GB", max_wal_size: "8GB", maintenance_work_mem: "256MB" };

interface Opened extends Side {
  readonly owner: Database;
  readonly database: TestDatabase;
}

async function open(server: RunningServer, size: Size, operations: number): Promise<Opened> {
  const database = await cloneDatabase(server);
  const owner = connect(database.url, { poolMax: 1 });
  const stock = await fillOpen(owner, size.tenants);
  const [counted] = await owner.$queryRaw<{ open: number }[]>`
    SELECT count(*)::integer AS open FROM operations`;
  await fillHistory(owner, stock, operations - (counted?.open ?? 0));
  const db = connect(database.url, { role: "deadline_console", poolMax: 2 });
  return { owner, database, stock, db };
}

function print(figure: string, value: number, unit: string, more: object): void {
  const rounded = Math.round(value * 100) / 100;
  console.log(JSON.stringify({ bench: "pages", figure, value: rounded, unit, ...more }));
}

async function bench(server: RunningServer, size: Size): Promise<void> {
  const small = await open(server, size, size.small);
  const large = await open(server, size, size.large);
  try {
    const times = await measurePages(small, large, size.samples);
    const more = { operations: size.large, tenants: size.tenants, samples: size.samples };
    const ratios: number[] = [];
    for (const page of PAGES) {
      const { small: before, large: after } = times.get(page) ?? { small: 0, large: 0 };
      ratios.push(after / before);
      print(`${page}_p95`, after, "ms", more);
      print(`${page}_p95_small`, before, "ms", { ...more, operations: size.small });
      print(`${page}_growth`, after / before, "ratio", { ...more, small: size.small });
    }
    print("page_growth", Math.max(...ratios), "ratio", { ...more, small: size.small });
  } finally {
    for (const { owner, db, database } of [small, large]) {
      await Promise.all([owner.$disconnect(), db.$disconnect()]);
      await database.close();
    }
  }
}

const server = await startDatabaseServer({ settings: SETTINGS });
try {
  await bench(server, process.argv.includes("--quick") ? QUICK : FULL);
} finally {
  await server.close();
}
