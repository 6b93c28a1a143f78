import { seeded } from "@/lib/testing/chance";
import { type RunningServer, startDatabaseServer } from "@/lib/testing/database-server";
import { median, quantile } from "./claims/figure";
import { asDelivered, endsOf, livesOf } from "./webhooks/day";
import { openSender, sendSteadily, sendStorm } from "./webhooks/send";
import { damageOf, openStage, type Stage, someRequests } from "./webhooks/stage";

/** `npm run bench:webhooks [-- --quick]`: what docs/performance.md explains. Prints one line of JSON per figure. */

interface Size {
  /** Seconds of the steady part. */
  readonly seconds: number;
  /** Deliveries of one storm, and how often storm and bare handler take turns. */
  readonly storm: number;
  readonly rounds: number;
}

const FULL: Size = { seconds: 60, storm: 10_000, rounds: 3 };
const QUICK: Size = { seconds: 10, storm: 4_000, rounds: 2 };

const PER_SECOND = 200;
const FIRST_SECONDS = 5;
const SHARES = { copies: 0.2, moved: 0.1 };
const EVENTS_OF_A_REQUEST = 4;

/** As many connections as a platform with a backlog opens. */
const AT_ONCE = 128;

/** Durable as in production; the rest keeps checkpoints out of single rounds. */
const SETTINGS = { shared_buffers: "1GB", max_wal_size: "8GB", checkpoint_timeout: "30min" };

const SEED = Number(process.env.SEED ?? 20_261_130);

function print(figure: string, value: number, unit: string, more: object = {}): void {
  const rounded = Math.round(value * 10_000) / 10_000;
  process.stdout.write(
    `${JSON.stringify({ bench: "webhooks", figure, value: rounded, unit, seed: SEED, ...more })}\n`,
  );
}

async function measureSteady(stage: Stage, seconds: number): Promise<void> {
  // A process that has just started compiles and connects; what its first deliveries take is told by themselves.
  await steadyAt(stage, "first", FIRST_SECONDS);
  const { latencies, repeated, damage } = await steadyAt(stage, "steady", seconds);
  print("commit_p99", quantile(latencies, 0.99), "ms", { deliveries: latencies.length, repeated });
  print("commit_p50", quantile(latencies, 0.5), "ms");
  print("steady_lost", damage.lost, "events");
  print("steady_doubled", damage.doubled, "effects");
}

async function steadyAt(stage: Stage, name: string, seconds: number) {
  const unique = Math.round(seconds * PER_SECOND * (1 - SHARES.copies));
  const refs = await someRequests(stage, name, Math.ceil(unique / EVENTS_OF_A_REQUEST));
  const events = livesOf(refs);
  const deliveries = asDelivered(events, { ...SHARES, chance: seeded(SEED) });
  const sender = openSender(stage.ledgerUrl, stage.path, AT_ONCE);
  const { latencies, repeated } = await sendSteadily(sender, deliveries, PER_SECOND);
  await sender.close();
  const damage = await damageOf(stage, name, events, endsOf(events));
  if (name === "first") print("first_p99", quantile(latencies, 0.99), "ms", { repeated });
  return { latencies, repeated, damage };
}

async function stormAt(stage: Stage, url: string, name: string, size: number) {
  const refs = await someRequests(stage, name, Math.ceil(size / EVENTS_OF_A_REQUEST / 1.25));
  const events = livesOf(refs);
  const deliveries = asDelivered(events, { ...SHARES, chance: seeded(SEED) }).slice(0, size);
  const sender = openSender(url, stage.path, AT_ONCE);
  const storm = await sendStorm(sender, deliveries, AT_ONCE);
  await sender.close();
  return { ...storm, deliveries };
}

async function measureStorm(stage: Stage, { storm, rounds }: Size): Promise<void> {
  const ratios: number[] = [];
  const speeds: number[] = [];
  const damage = { lost: 0, doubled: 0, repeated: 0 };
  // Both processes warm up before anything counts.
  await stormAt(stage, stage.ledgerUrl, "warm", 1_000);
  await stormAt(stage, stage.bareUrl, "bare_warm", 1_000);
  for (let round = 1; round <= rounds; round += 1) {
    const bare = await stormAt(stage, stage.bareUrl, `bare${round}`, storm);
    const name = `storm${round}`;
    const ours = await stormAt(stage, stage.ledgerUrl, name, storm);
    const { lost, doubled } = await damageOf(stage, name, ours.deliveries, endsOf(ours.deliveries));
    damage.lost += lost;
    damage.doubled += doubled;
    damage.repeated += ours.repeated;
    speeds.push(ours.perSecond);
    ratios.push(ours.perSecond / bare.perSecond);
    print("storm_round", ours.perSecond, "events/s", { round, bare: Math.round(bare.perSecond) });
  }
  print("storm_lost", damage.lost, "events", { deliveries: storm * rounds });
  print("storm_doubled", damage.doubled, "effects", { repeated: damage.repeated });
  print("storm_per_second", median(speeds), "events/s");
  print("insert_ratio", median(ratios), "ratio");
}

async function bench(server: RunningServer, size: Size): Promise<void> {
  const stage = await openStage(server);
  try {
    await measureSteady(stage, size.seconds);
    await measureStorm(stage, size);
  } finally {
    await stage.close();
  }
}

const server = await startDatabaseServer({ fsync: true, settings: SETTINGS });
try {
  await bench(server, process.argv.includes("--quick") ? QUICK : FULL);
} finally {
  await server.close();
}
