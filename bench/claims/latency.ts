import { randomUUID } from "node:crypto";
import { claimDue } from "@/lib/store/claims";
import { connect, type Database } from "@/lib/store/db";
import {
  cloneDatabase,
  type DatabaseServer,
  type TestDatabase,
} from "@/lib/testing/database-server";
import { claimBuffers } from "./claim-buffers";
import { printFigure, quantile } from "./figure";
import { fillHistory } from "./history";
import { fillDue, openStock, type Stock } from "./stock";

/** C-10: 5,000 due operations, claims of ten. */
const DUE = 5_000;
const BATCH = 10;
const WARM_UP = 15;

interface Side {
  readonly database: TestDatabase;
  readonly owner: Database;
  readonly stock: Stock;
}

export interface Sizes {
  /** Finished operations on either side. */
  readonly small: number;
  readonly large: number;
  /** Claims measured on each side. */
  readonly samples: number;
}

/**
 * Claim latency over a long history against that over a short one (C-10). Two databases on one server are claimed
 * from in turn, so that what the machine does beside meets both. First with statistics from before the history grew,
 * then with fresh ones.
 */
export async function measureLatency(server: DatabaseServer, sizes: Sizes): Promise<void> {
  const small = await openSide(server);
  const large = await openSide(server);
  try {
    for (const { owner } of [small, large]) {
      await owner.$executeRaw`ALTER TABLE operations SET (autovacuum_enabled = off)`;
    }
    for (const side of [small, large]) await fillSide(side, sizes.small);
    for (const { owner } of [small, large]) await owner.$executeRaw`ANALYZE`;
    await fillHistory(large.owner, large.stock, sizes.large - sizes.small);
    await compare(small, large, sizes, "_stale");
    for (const { owner } of [small, large]) await owner.$executeRaw`VACUUM ANALYZE`;
    await compare(small, large, sizes, "");
  } finally {
    for (const { owner, database } of [small, large]) {
      await owner.$disconnect();
      await database.close();
    }
  }
}

async function openSide(server: DatabaseServer): Promise<Side> {
  const database = await cloneDatabase(server);
  const owner = connect(database.url, { poolMax: 1 });
  return { database, owner, stock: await openStock(owner) };
}

async function fillSide({ owner, stock }: Side, finished: number): Promise<void> {
  await fillHistory(owner, stock, finished);
  await fillDue(owner, stock, DUE / stock.tenants.length);
}

async function compare(small: Side, large: Side, sizes: Sizes, suffix: string): Promise<void> {
  const tookMs: [number[], number[]] = [[], []];
  for (const { owner, stock } of [small, large])
    await fillDue(owner, stock, DUE / stock.tenants.length);
  for (let sample = 0; sample < WARM_UP + sizes.samples; sample += 1) {
    const pair = [await claimTime(small.owner), await claimTime(large.owner)] as const;
    if (sample < WARM_UP) continue;
    tookMs[0].push(pair[0]);
    tookMs[1].push(pair[1]);
  }
  const more = {
    small_rows: sizes.small,
    large_rows: sizes.large,
    samples: sizes.samples,
    claim: BATCH,
  };
  const [p95Small, p95Large] = [quantile(tookMs[0], 0.95), quantile(tookMs[1], 0.95)];
  printFigure(`latency_growth${suffix}`, p95Large / p95Small, "ratio", more);
  printFigure(`claim_p95_small${suffix}`, p95Small, "ms", more);
  printFigure(`claim_p95_large${suffix}`, p95Large, "ms", more);
  printFigure(`claim_p50_small${suffix}`, quantile(tookMs[0], 0.5), "ms", more);
  printFigure(`claim_p50_large${suffix}`, quantile(tookMs[1], 0.5), "ms", more);
  printFigure(
    `claim_select_buffers${suffix}`,
    await claimBuffers(large.owner, BATCH),
    "buffers",
    more,
  );
}

/** Milliseconds of one claim, which really takes what it finds. */
async function claimTime(owner: Database): Promise<number> {
  const options = {
    workerId: randomUUID(),
    workerName: "bench",
    limit: BATCH,
    perTenant: BATCH / 2,
  };
  const startedMs = performance.now();
  const claims = await claimDue(owner, options);
  const tookMs = performance.now() - startedMs;
  if (claims.length !== BATCH)
    throw new Error(`${claims.length} operations were claimed, not ${BATCH}`);
  return tookMs;
}
