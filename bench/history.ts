import { randomUUID } from "node:crypto";
import type { SealContext } from "@/lib/flows/seal-chains";
import { connect } from "@/lib/store/db";
import {
  cloneDatabase,
  type RunningServer,
  startDatabaseServer,
} from "@/lib/testing/database-server";
import { ENTRIES_EACH, type Filled, fillHistory } from "./history/fill";
import { measureList } from "./history/list";
import { checkAll, measurePack, measureVerify, sealAll } from "./history/measure";

/** `npm run bench:history [-- --quick]`: what docs/performance.md explains. Prints one line of JSON per figure. */

interface Size {
  readonly operations: number;
  readonly packed: number;
  /** Views of the list for each filter. */
  readonly samples: number;
}

const FULL: Size = { operations: 200_000, packed: 10_000, samples: 200 };
const QUICK: Size = { operations: 20_000, packed: 2_000, samples: 40 };
/** A pack of this share shows how memory follows the size. */
const SMALL_SHARE = 0.1;

const SETTINGS = { shared_buffers: "512MB", max_wal_size: "8GB", maintenance_work_mem: "256MB" };
const SILENT = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

async function bench(server: RunningServer, size: Size): Promise<void> {
  const database = await cloneDatabase(server);
  const owner = connect(database.url, { poolMax: 2 });
  const db = connect(database.url, { role: "deadline_worker", poolMax: 4 });
  const context: SealContext = { owner, db, log: SILENT };
  const entries = size.operations * ENTRIES_EACH;
  const print: Print = (figure, value, unit, more = {}) => {
    const rounded = Math.round(value * 100) / 100;
    const line = { bench: "history", figure, value: rounded, unit, entries, ...more };
    process.stdout.write(`${JSON.stringify(line)}\n`);
  };
  try {
    const filled = await fillHistory(owner, size.operations, size.packed);
    const { tenant, period } = filled;
    await benchList(database.url, filled, size.samples, print);
    const { seconds, seals } = await sealAll(context);
    print("seal_seconds", seconds, "s", { seals });
    print("check_seconds", await checkAll(context, tenant.id), "s");
    const end = Date.parse(period.from) + size.packed * SMALL_SHARE * 120_000;
    const part = { kind: "period", from: period.from, to: new Date(end).toISOString() } as const;
    const small = await measurePack(context, tenant.id, randomUUID(), part);
    const id = randomUUID();
    const whole = await measurePack(context, tenant.id, id, { kind: "period", ...period });
    const more = { operations: whole.operations, pack_mb: Math.round(whole.packMb * 10) / 10 };
    print("pack_seconds", whole.seconds, "s", more);
    print("pack_peak_mb", whole.peakMb, "MB", more);
    print("pack_grown_mb", whole.grownMb, "MB", more);
    print("pack_peak_mb_small", small.peakMb, "MB", { operations: small.operations });
    print("verify_seconds", await measureVerify(context, tenant.id, id), "s", more);
  } finally {
    await Promise.all([owner.$disconnect(), db.$disconnect()]);
    await database.close();
  }
}

type Print = (figure: string, value: number, unit: string, more?: object) => void;

/** The list of the history page with the console's role and row-level security. */
async function benchList(url: string, filled: Filled, samples: number, print: Print) {
  const db = connect(url, { role: "deadline_console", poolMax: 2 });
  try {
    const { p95, each, slowest } = await measureList(db, filled, samples);
    for (const [filter, value] of each) print(`history_p95_${filter}`, value, "ms", { samples });
    print("history_p95_slowest", slowest.p95, "ms", { filter: slowest.filter });
    print("history_p95", p95, "ms", { samples: samples * each.size });
  } finally {
    await db.$disconnect();
  }
}

const server = await startDatabaseServer({ settings: SETTINGS, fsync: true });
try {
  await bench(server, process.argv.includes("--quick") ? QUICK : FULL);
} finally {
  await server.close();
}
