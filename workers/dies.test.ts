import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type AttemptFacts, absenceCounts } from "@/lib/domain/quiet-time";
import type { WorkerContext } from "@/lib/flows/worker-context";
import { listWorkers } from "@/lib/queries/workers";
import { attemptsOf } from "@/lib/store/attempts";
import { asTenant } from "@/lib/store/db";
import { clockAhead } from "@/lib/testing/decisions";
import { waitUntil } from "@/lib/testing/processes";
import {
  extensionsOf,
  holdOperation,
  killWorker,
  startWorker,
  untilState,
  type WorkerProcess,
} from "@/lib/testing/worker-process";
import {
  anApprovedExtension,
  aRealRequest,
  type ConnectionSettings,
  inDays,
  oneRound,
  openWorkshop,
  type ShopTenant,
  type Workshop,
} from "@/lib/testing/workshop";
import { migrate } from "@/prisma/migrate";
import type { NewFaultRule } from "@/sandbox/control-client";
import { startPostgres } from "./launch/embedded-postgres";
import { freePort } from "./launch/ports";
import { postgresBinaries } from "./launch/postgres-binaries";
import { projectRoot } from "./launch/root";

/** Real worker processes that are killed, stopped and cut off. Nothing here waits for time, only for conditions. */
let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop.close());

const started: WorkerProcess[] = [];
afterEach(async () => {
  await Promise.all(
    started.splice(0).map(async ({ child }) => {
      child.kill("SIGCONT");
      child.kill("SIGKILL");
      await child.exited;
    }),
  );
});

async function aWorker(name: string, on = shop): Promise<WorkerProcess> {
  const worker = await startWorker(on, name);
  started.push(worker);
  return worker;
}

/** An approved extension at a platform whose fault strikes once. */
interface Job {
  readonly tenant: ShopTenant;
  readonly opId: string;
  readonly platformRef: string;
}

const LEASE_MS = 26_000;
const CALL_TIMEOUT_MS = 12_000;
/** Long enough to see a worker in the middle of several of them, also on a busy machine, and within its patience. */
const SLOW_MS = 10_000;

interface JobSettings {
  readonly fault?: NewFaultRule;
  readonly times?: ConnectionSettings;
  readonly on?: Workshop;
}

const USUAL: ConnectionSettings = { callTimeoutMs: CALL_TIMEOUT_MS, leaseMs: LEASE_MS };

async function aJob({ fault, times = USUAL, on = shop }: JobSettings = {}): Promise<Job> {
  const tenant = await on.tenant("exact", times);
  const request = await aRealRequest(on, tenant, inDays(3));
  if (fault) await on.sandbox.control.addFault(tenant.account.id, fault);
  const opId = await anApprovedExtension(on, tenant, request, inDays(10));
  return { tenant, opId, platformRef: request.platformRef };
}

function slow(operation: NewFaultRule["operation"], delayMs = SLOW_MS): NewFaultRule {
  return { fault: "answer_delayed", operation, parameters: { delayMs } };
}
const slowRead = slow("read");
const slowAnswer = slow("extend");
/** Forced: the platform drops a call that travels longer than it promises. */
const noEffect: NewFaultRule = {
  fault: "travelling",
  operation: "extend",
  force: true,
  parameters: { delayMs: SLOW_MS },
};

const until = (job: Job, state: string, on = shop) => untilState(on, job.tenant, job.opId, state);
const effects = (job: Job, on = shop) => extensionsOf(on, job.tenant, job.platformRef);

/** Waits until the effect is there while the call still travels back. */
async function untilEffect(job: Job): Promise<void> {
  await waitUntil(async () => (await effects(job)) === 1, {
    timeoutMs: 30_000,
    what: "the platform has acted",
  });
}

function historyOf({ tenant, opId }: Job, on = shop) {
  return on.ledger.owner.operationEvent.findMany({
    where: { tenantId: tenant.tenantId, opId },
    orderBy: { seq: "asc" },
    select: { kind: true, fromState: true, toState: true, reason: true, body: true },
  });
}

async function reasonsOf(job: Job): Promise<string[]> {
  return (await historyOf(job)).map((event) => event.reason);
}

function attemptFacts({ tenant, opId }: Job): Promise<AttemptFacts[]> {
  return asTenant(shop.ledger.owner, tenant.tenantId, (tx) =>
    attemptsOf(tx, tenant.tenantId, opId),
  );
}

/** How many calls of the operation may have left a worker. */
function callsOf({ opId }: Job, on = shop): Promise<number> {
  return on.ledger.owner.attempt.count({
    where: { opId, OR: [{ outcome: null }, { outcome: { not: "no_call" } }] },
  });
}

/** It is done by a read that shows the target, after so many calls, and the platform acted once. */
async function expectOneEffect(job: Job, calls: number, on = shop): Promise<void> {
  const row = await until(job, "done", on);
  expect([row.reason, await callsOf(job, on), await effects(job, on)]).toEqual([
    "effect_confirmed",
    calls,
    1,
  ]);
}

/** Lets a worker of this process work at a time that has not come yet by so many milliseconds. */
async function later<T>(ms: number, work: (worker: WorkerContext) => Promise<T>): Promise<T> {
  const { worker, close } = await clockAhead(shop, Math.ceil(ms / 1000));
  try {
    return await work(worker);
  } finally {
    await close();
  }
}

/** Lets a worker of this process work until every job is done. */
async function untilAllDone(worker: WorkerContext, jobs: readonly Job[]): Promise<void> {
  const opId = { in: jobs.map((job) => job.opId) };
  await waitUntil(
    async () => {
      await oneRound(worker);
      const done = await shop.ledger.owner.operation.count({ where: { opId, state: "done" } });
      return done === jobs.length;
    },
    { timeoutMs: 60_000, what: "the second worker has settled everything" },
  );
}

test("CL-2 RC-1 GO-3: kill -9 before the call, between call and answer, and between answer and write leaves one effect each", async () => {
  // It is killed in the middle of everything: nothing here waits for an answer but the one that is held.
  const times = { callTimeoutMs: 60_000, leaseMs: 150_000 };
  const before = await aJob({ fault: slow("read", 50_000), times });
  const during = await aJob({ fault: slow("extend", 50_000), times });
  const after = await aJob({ fault: slow("extend", 4_000), times });
  const dying = await aWorker("dying");
  await until(after, "submitting");
  const hold = await holdOperation(shop, after.opId);
  await waitUntil(hold.waited, { timeoutMs: 30_000, what: "the outcome waits to be written" });
  await until(before, "claimed");
  await until(during, "submitting");
  await untilEffect(during);

  await killWorker(dying);
  await hold.release();

  const rescued = [before, during, after];
  await later(times.leaseMs, (second) => untilAllDone(second, rescued));
  for (const job of rescued) await expectOneEffect(job, 1);
  expect(await reasonsOf(before)).toContain("lease_ended_before_call");
  expect(await reasonsOf(during)).toContain("worker_lost");
  expect(await reasonsOf(after)).toContain("worker_lost");
});

test("CL-6 RC-9: a killed worker is noticed within 30 s, by its session at once and by its heartbeat", async () => {
  const job = await aJob({ fault: slowAnswer });
  const dying = await aWorker("noticed");
  await until(job, "submitting");
  expect(await attemptFacts(job)).toMatchObject([{ workerAlive: true, reportedAtMs: null }]);

  const stateOf = async ({ owner }: Pick<WorkerContext, "owner">) =>
    (await listWorkers(owner)).find(({ name }) => name === "noticed")?.state;
  await waitUntil(async () => (await stateOf(shop.ledger)) === "alive", {
    what: "its heart beats",
  });

  await killWorker(dying);

  await waitUntil(async () => (await attemptFacts(job))[0]?.workerAlive === false, {
    timeoutMs: 30_000,
    what: "its session is gone",
  });
  expect(await later(30_000, stateOf)).toBe("dead");
});

test("CL-2 CL-3 SM-5 RC-9 C-06: a worker that is stopped past its lease wakes, sends nothing, and what it reports is kept", async () => {
  const [before, during, lost] = [
    await aJob({ fault: slowRead }),
    await aJob({ fault: slowAnswer }),
    await aJob({ fault: noEffect }),
  ];
  const sleeper = await aWorker("sleeper");
  await until(before, "claimed");
  await until(during, "submitting");
  await untilEffect(during);
  await until(lost, "submitting");
  sleeper.child.kill("SIGSTOP");

  await aWorker("successor");
  await expectOneEffect(before, 1);
  await expectOneEffect(during, 1);

  // RC-8 would let absence count by now; the session of the stopped worker still lives, so it does not (RC-9).
  const attempts = await attemptFacts(lost);
  const times = { pauseMs: 200, processingMs: 1_500, visibilityMs: 400 };
  const dead = absenceCounts(
    attempts.map((attempt) => ({ ...attempt, workerAlive: false })),
    times,
  );
  const provenAtMs = "fromMs" in dead ? dead.fromMs : Number.NaN;
  await waitUntil(
    async () => {
      const looks = (await historyOf(lost)).map(({ body }) => JSON.parse(body));
      return looks.some(
        ({ at, evidence }) => Date.parse(at) > provenAtMs && evidence?.absence?.never === "worker",
      );
    },
    { timeoutMs: 60_000, what: "a late look has not concluded absence" },
  );
  expect(await effects(lost)).toBe(0);

  sleeper.child.kill("SIGCONT");
  await waitUntil(() => fencedOps(sleeper).size === 3, {
    timeoutMs: 60_000,
    what: "the sleeper was told three times that it is fenced",
  });
  expect(fencedOps(sleeper)).toEqual(new Set([before.opId, during.opId, lost.opId]));
  await expectOneEffect(lost, 2);
  await expectOneEffect(before, 1);
  await expectOneEffect(during, 1);

  expect((await historyOf(before)).filter((event) => event.toState === "done")).toHaveLength(1);
  const kept = (await historyOf(during)).filter((event) => event.kind === "late_result");
  expect(kept).toHaveLength(1);
  const [report] = await shop.ledger.owner.attempt.findMany({ where: { opId: during.opId } });
  expect(report).toMatchObject({ late: true });
  const items = await shop.ledger.owner.reviewItem.findMany({ where: { opId: during.opId } });
  expect(items.map((item) => item.reason)).toEqual(["late_result_contradicts"]);
});

/** Operations about which a worker has logged that its lease was gone. */
function fencedOps({ lines }: WorkerProcess): Set<string> {
  const entries = lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
  return new Set(entries.filter(({ event }) => event === "fenced").map(({ op }) => op));
}

test("CL-6 RC-1: a worker whose database connections are all dropped goes on, and nothing acts twice", async () => {
  const reading = await aJob({ fault: slowRead });
  const calling = [await aJob({ fault: slowAnswer }), await aJob({ fault: slowAnswer })];
  const worker = await aWorker("dropped");
  await until(reading, "claimed");
  for (const job of calling) await until(job, "submitting");

  const [dropped] = await shop.ledger.owner.$queryRaw<{ n: number }[]>`
    SELECT count(pg_terminate_backend(pid))::int AS n FROM pg_stat_activity
    WHERE application_name = 'dropped'`;
  expect(dropped?.n).toBeGreaterThan(1);
  const fresh = await aJob();

  for (const job of [reading, ...calling, fresh]) await expectOneEffect(job, 1);
  await waitUntil(
    async () => {
      const [row] = await shop.ledger.owner.$queryRaw<{ held: boolean }[]>`
        SELECT EXISTS (SELECT 1 FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
          WHERE l.locktype = 'advisory' AND l.granted AND a.application_name = 'dropped') AS held`;
      return row?.held;
    },
    { timeoutMs: 30_000, what: "it holds its session key again" },
  );
  worker.child.kill("SIGTERM");
  expect(await worker.child.exited).toEqual({ code: 0, signal: null });
});

test("CL-7: a worker that is asked to stop finishes or gives back what it holds and leaves nothing claimed", async () => {
  const [reading, calling] = [await aJob({ fault: slowRead }), await aJob({ fault: slowAnswer })];
  const worker = await aWorker("stopping");
  await until(reading, "claimed");
  await until(calling, "submitting");

  worker.child.kill("SIGTERM");
  // A signal takes its time to arrive; from the moment the worker says that it drains it takes nothing more.
  await waitUntil(
    async () => {
      const row = await shop.ledger.owner.worker.findFirst({ where: { name: "stopping" } });
      return row?.drainingAt;
    },
    { timeoutMs: 30_000, what: "the worker drains" },
  );
  const waiting = await aJob();

  expect(await worker.child.exited).toEqual({ code: 0, signal: null });
  expect(await shop.ledger.owner.operation.count({ where: { leaseOwner: { not: null } } })).toBe(0);
  const [row] = await shop.ledger.owner.worker.findMany({ where: { name: "stopping" } });
  expect(row).toMatchObject({
    inHand: 0,
    stoppedAt: expect.any(Date),
    drainingAt: expect.any(Date),
  });
  expect((await until(waiting, "scheduled")).fence).toBe(0);
  const second = await shop.worker();
  await untilAllDone(second, [reading, calling, waiting]);
  for (const job of [reading, calling, waiting]) await expectOneEffect(job, 1);
});

test("CL-6 GO-3: PostgreSQL restarts under load, the worker goes on, and every operation has one effect", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "deadline-restart-"));
  chmodSync(folder, 0o755);
  const options = {
    binaries: postgresBinaries(projectRoot),
    dataFolder: path.join(folder, "data"),
    port: await freePort(),
    password: "restart",
  };
  let postgres = await startPostgres(options);
  const url = postgres.url("postgres");
  await migrate(url);
  const other = await openWorkshop({ url, close: async () => undefined });
  try {
    const reading = await aJob({ fault: slowRead, on: other });
    const calling = [
      await aJob({ fault: slowAnswer, on: other }),
      await aJob({ fault: slowAnswer, on: other }),
    ];
    const worker = await aWorker("restarted", other);
    await until(reading, "claimed", other);
    for (const job of calling) await until(job, "submitting", other);

    await postgres.stop();
    postgres = await startPostgres(options);

    const fresh = await aJob({ on: other });
    for (const job of [reading, ...calling, fresh]) await expectOneEffect(job, 1, other);
    worker.child.kill("SIGTERM");
    expect(await worker.child.exited).toEqual({ code: 0, signal: null });
  } finally {
    await other.close();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
