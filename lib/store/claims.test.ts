import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { DEFAULT_BOUNDS } from "@/lib/domain/bounds";
import { HUMAN_STATES, type OperationState, SLOT_STATES } from "@/lib/domain/operation";
import { claimDueWork } from "@/lib/flows/claim-work";
import type { WorkerContext } from "@/lib/flows/worker-context";
import { type Bulk, bulkOperations } from "@/lib/testing/bulk-operations";
import { testDatabase } from "@/lib/testing/database";
import {
  aRequest,
  aTenant,
  operationIn,
  type TestRequest,
  type TestTenant,
} from "@/lib/testing/factories";
import { sqlOf } from "@/lib/testing/statements";
import { type Claim, claimDue, claimLooks } from "./claims";
import { asTenant, connect, type Database, type Db } from "./db";
import { type EndedLease, endedLeases, endLease } from "./ended-leases";
import { storeIntents } from "./intents";
import { keepLateResult, type OutcomeWrite, writeOutcomes } from "./outcomes";
import { releaseClaims } from "./workers";

let database: { url: string; close(): Promise<void> };
let db: Database;
let workerDb: Database;
let client: Client;
let tenant: TestTenant;

beforeAll(async () => {
  database = await testDatabase();
  db = connect(database.url, { poolMax: 12 });
  workerDb = connect(database.url, { role: "deadline_worker", poolMax: 12 });
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await Promise.all([db.$disconnect(), workerDb.$disconnect()]);
  await database.close();
});

/** Every test has a tenant of its own, and nothing else is due. */
beforeEach(async () => {
  await client.query(`UPDATE operations SET due_at = 'infinity' WHERE state = 'scheduled'`);
  await client.query(
    `UPDATE operations SET next_look_at = 'infinity' WHERE state = 'needs_reconcile'`,
  );
  tenant = await aTenant(db);
});

const W1 = { id: randomUUID(), name: "w1" };
const W2 = { id: randomUUID(), name: "w2" };

function claim(limit: number, worker = W1, on: Db = db): Promise<Claim[]> {
  return claimDue(on, { workerId: worker.id, workerName: worker.name, limit, perTenant: limit });
}

function looks(limit: number, worker = W2): Promise<Claim[]> {
  return claimLooks(db, { workerId: worker.id, workerName: worker.name, limit });
}

function rowOf(opId: string, of = tenant) {
  return db.operation.findUniqueOrThrow({ where: { tenantId_opId: { tenantId: of.id, opId } } });
}

async function aDue(request?: TestRequest): Promise<{ opId: string; request: TestRequest }> {
  const on = request ?? (await aRequest(db, tenant));
  return { opId: await operationIn(db, tenant, on, "scheduled"), request: on };
}

/** One operation that `worker` has just claimed. */
async function aClaimed(worker = W1): Promise<Claim> {
  const { opId } = await aDue();
  const claims = await claim(50, worker);
  const mine = claims.find((one) => one.opId === opId);
  if (!mine) throw new Error("the operation was not claimed");
  return mine;
}

function intend(held: Claim, worker = W1): Promise<Set<string>> {
  return asTenant(workerDb, tenant.id, (tx) =>
    storeIntents(tx, tenant.id, worker, [{ opId: held.opId, fence: held.fence, evidence: {} }]),
  );
}

function write(
  held: Pick<Claim, "opId" | "fence">,
  outcome: Partial<OutcomeWrite>,
): Promise<Set<string>> {
  const whole: OutcomeWrite = {
    opId: held.opId,
    fence: held.fence,
    from: "submitting",
    to: "done",
    reason: "effect_confirmed",
    evidence: {},
    report: "accepted",
    ...outcome,
  };
  return asTenant(workerDb, tenant.id, (tx) => writeOutcomes(tx, tenant.id, "w1", [whole]));
}

async function leaseEnds(opId: string): Promise<EndedLease> {
  await client.query(
    "UPDATE operations SET lease_until = ledger_now() - interval '1 second' WHERE op_id = $1",
    [opId],
  );
  const ended = (await endedLeases(db, 1_000)).find((one) => one.opId === opId);
  if (!ended) throw new Error("the lease has not ended");
  return ended;
}

const TO_SCHEDULED = {
  to: "scheduled",
  reason: "lease_ended_before_call",
  owner: null,
  lookInMs: 0,
} as const;
const TO_UNKNOWN = { ...TO_SCHEDULED, to: "needs_reconcile", reason: "worker_lost" } as const;

const bulk = (of: TestTenant, wish: Bulk) => bulkOperations(client, of, wish);

// ---------------------------------------------------------------- CL-1

/** The settings of C-05; without index scans no unique index helps the planner out. */
const BAD_PLANS = [
  "hashjoin",
  "mergejoin",
  "hashagg",
  "material",
  "sort",
  "bitmapscan",
  "indexscan",
  "indexonlyscan",
]
  .map((name) => `-c enable_${name}=off`)
  .join(" ");

/** How many of these operations somebody holds now. */
async function heldOf(ids: readonly string[]): Promise<number> {
  return db.operation.count({ where: { opId: { in: [...ids] }, state: "claimed" } });
}

test("CL-1 C-05: a claim of one takes one of 200 under the plans in which the plain form takes more", async () => {
  const url = `${database.url}?options=${encodeURIComponent(BAD_PLANS)}`;
  const claimer = connect(url, { poolMax: 1 });
  const other = await aTenant(db);
  try {
    const plain = await bulk(other, { count: 200, state: "scheduled" });
    await claimer.$executeRaw`
      UPDATE operations SET state = 'claimed', fence = fence + 1, lease_owner = gen_random_uuid(),
        lease_until = ledger_now() + interval '1 minute', event_actor = 'worker:plain'
      WHERE op_id IN (
        SELECT op_id FROM operations WHERE state = 'scheduled' AND due_at <= ledger_now()
          AND tenant_id = ${other.id}::uuid
        LIMIT 1 FOR UPDATE SKIP LOCKED)`;
    expect(await heldOf(plain)).toBeGreaterThan(1);
    await client.query("UPDATE operations SET due_at = 'infinity' WHERE state = 'scheduled'");

    const ids = await bulk(tenant, { count: 200, state: "scheduled" });
    const claims = await claim(1, W1, claimer);
    expect(claims).toHaveLength(1);
    expect(await heldOf(ids)).toBe(1);
    const fences = await db.operation.groupBy({
      by: ["fence"],
      where: { opId: { in: ids } },
      _count: true,
      orderBy: { fence: "asc" },
    });
    expect(fences.map(({ fence, _count }) => [fence, _count])).toEqual([
      [0, 199],
      [1, 1],
    ]);
  } finally {
    await claimer.$disconnect();
  }
});

test("CL-1: a claim returns the whole row, its fence and a lease by database time", async () => {
  const { opId, request } = await aDue();

  const [claimed] = await claim(1);

  expect(claimed).toMatchObject({
    tenantId: tenant.id,
    opId,
    kind: "extend",
    requestRef: request.ref,
    connectionId: tenant.connectionId,
    fence: 1,
    attempts: 0,
    declines: 0,
    looks: 0,
    successorOpId: null,
    lateFence: null,
    platformRef: null,
    firstIntentAt: null,
    unknownSince: null,
  });
  const leaseMs = (claimed?.leaseUntil.getTime() ?? 0) - (claimed?.claimedAt.getTime() ?? 0);
  expect(leaseMs).toBeGreaterThan(29_990);
  expect(leaseMs).toBeLessThan(30_010);
  expect(await rowOf(opId)).toMatchObject({ state: "claimed", leaseOwner: W1.id, fence: 1 });
});

test("CL-1 CL-6: many workers on many operations claim each of them exactly once", async () => {
  const tenants = [tenant, await aTenant(db), await aTenant(db)];
  const all: string[] = [];
  for (const of of tenants) all.push(...(await bulk(of, { count: 120, state: "scheduled" })));
  const pools = Array.from({ length: 8 }, () => connect(database.url, { poolMax: 1 }));
  const taken: string[] = [];
  await Promise.all(
    pools.map(async (pool, place) => {
      const worker = { id: randomUUID(), name: `racer-${place}` };
      while (taken.length < all.length) {
        const claims = await claim(7, worker, pool);
        expect(claims.length).toBeLessThanOrEqual(7);
        taken.push(...claims.map((one) => one.opId));
      }
    }),
  );
  await Promise.all(pools.map((pool) => pool.$disconnect()));

  expect(taken.sort()).toEqual(all.sort());
  const fences = await db.operation.findMany({
    where: { opId: { in: all } },
    select: { fence: true },
    distinct: ["fence"],
  });
  expect(fences).toEqual([{ fence: 1 }]);
});

test("CL-5 RC-1: looks take turns between tenants, however many of one are due longer", async () => {
  const other = await aTenant(db);
  const unknown = (of: TestTenant, count: number, unit: string) =>
    bulk(of, {
      count,
      state: "needs_reconcile",
      columns: { next_look_at: `now() - n * interval '1 ${unit}'` },
    });
  await unknown(tenant, 300, "minute");
  await unknown(other, 5, "second");
  const shares: [number, number][] = [];
  for (let turn = 0; turn < 4; turn += 1) {
    const taken = await looks(4, turn % 2 === 0 ? W1 : W2);
    const theirs = taken.filter(({ tenantId }) => tenantId === other.id).length;
    shares.push([taken.length - theirs, theirs]);
  }
  expect(shares).toEqual([
    [2, 2],
    [2, 2],
    [3, 1],
    [4, 0],
  ]);
  const together = (await Promise.all([looks(8, W1), looks(8, W2), looks(8, W1)])).flat();
  expect(new Set(together.map(({ opId }) => opId)).size).toBe(24);
});

// ---------------------------------------------------------------- CL-4 and BL-6

test.each([...SLOT_STATES, ...HUMAN_STATES])(
  "CL-4: an operation that is %s holds the others of its request and nobody else's",
  async (state) => {
    const request = await aRequest(db, tenant);
    await operationIn(db, tenant, request, state);
    const held = await aDue(request);
    const free = await aDue();

    const claims = await claim(10);

    expect(claims.map((one) => one.opId)).toEqual([free.opId]);
    expect(await rowOf(held.opId)).toMatchObject({ state: "scheduled", fence: 0 });
  },
);

test.each(["proposed", "done", "obsolete", "superseded", "failed_terminal"] as const)(
  "CL-4: an operation that is %s holds nothing",
  async (state) => {
    const request = await aRequest(db, tenant);
    await operationIn(db, tenant, request, state);
    const { opId } = await aDue(request);

    expect((await claim(10)).map((one) => one.opId)).toEqual([opId]);
  },
);

test("CL-4: of one request one statement takes one operation, the most urgent first", async () => {
  const request = await aRequest(db, tenant);
  await operationIn(db, tenant, request, "scheduled", { kind: "remind" });
  const first = await operationIn(db, tenant, request, "scheduled", { kind: "void" });
  await operationIn(db, tenant, request, "scheduled", { kind: "extend" });

  expect((await claim(10)).map((one) => one.opId)).toEqual([first]);
  expect(await claim(10)).toEqual([]);
});

test("CL-4: of two claimers that meet on one request the second gets nothing, and that is no error", async () => {
  const request = await aRequest(db, tenant);
  await aDue(request);
  await aDue(request);
  const started = new Client({ connectionString: database.url });
  await started.connect();
  try {
    // The first claim is open: the second cannot see it, and finds the tenant's turn taken.
    await started.query("BEGIN");
    const { text, values } = await sqlOf((on) => claim(1, W1, on));
    const { rowCount } = await started.query(text, values);
    expect(rowCount).toBe(1);
    expect(await claimDueWork(secondWorker(), 1)).toEqual([]);
    await started.query("COMMIT");
  } finally {
    await started.end();
  }
  expect(await claimDueWork(secondWorker(), 1)).toEqual([]);
  expect(await db.operation.count({ where: { requestRef: request.ref, state: "claimed" } })).toBe(
    1,
  );
});

/** A worker that only claims. */
function secondWorker(): WorkerContext {
  const silent = () => undefined;
  return {
    owner: db,
    db: workerDb,
    worker: W2,
    clock: { elapsedMs: () => performance.now() },
    vaultKey: Buffer.alloc(32),
    providerOf: () => {
      throw new Error("a claimer calls nobody");
    },
    bounds: DEFAULT_BOUNDS,
    chance: () => 0,
    log: { debug: silent, info: silent, warn: silent, error: silent },
  };
}

const PAUSES = {
  all: "('00000000-0000-0000-0000-000000000000', gen_random_uuid(), 'all', NULL, NULL, 'user:x')",
  tenant: "($1, gen_random_uuid(), 'tenant', NULL, NULL, 'user:x')",
  connection: "($1, gen_random_uuid(), 'connection', $2, NULL, 'user:x')",
  kind: "($1, gen_random_uuid(), 'kind', NULL, 'extend', 'user:x')",
} as const;

async function pause(scope: keyof typeof PAUSES): Promise<void> {
  const sql = `INSERT INTO pauses (tenant_id, id, scope, connection_id, kind, paused_by) VALUES ${PAUSES[scope]}`;
  const values = [tenant.id, tenant.connectionId].slice(
    0,
    /\$2/.test(sql) ? 2 : /\$1/.test(sql) ? 1 : 0,
  );
  await client.query(sql, values);
}

async function resume(): Promise<void> {
  await client.query("UPDATE pauses SET resumed_at = now(), resumed_by = 'user:x'");
}

test.each(Object.keys(PAUSES) as (keyof typeof PAUSES)[])(
  "BL-6: a switch of scope %s stops claims, meets what is claimed before its intent, and loses nothing",
  async (scope) => {
    const held = await aClaimed();
    const { opId } = await aDue();
    await pause(scope);
    try {
      expect(await claim(10)).toEqual([]);
      expect(await intend(held)).toEqual(new Set());
      expect(await rowOf(held.opId)).toMatchObject({ state: "claimed", attempts: 0 });
    } finally {
      await resume();
    }
    expect((await claim(10)).map((one) => one.opId)).toEqual([opId]);
    expect(await intend(held)).toEqual(new Set([held.opId]));
  },
);

test("BL-6 PL-3: a paused connection stops claims and intents; looks go on", async () => {
  const held = await aClaimed();
  await aDue();
  const unknown = await operationIn(db, tenant, await aRequest(db, tenant), "needs_reconcile");
  await client.query("UPDATE operations SET next_look_at = now() WHERE op_id = $1", [unknown]);
  await client.query("UPDATE connections SET paused_at = now() WHERE id = $1", [
    tenant.connectionId,
  ]);

  expect(await claim(10)).toEqual([]);
  expect(await intend(held)).toEqual(new Set());
  expect((await looks(10)).map((one) => one.opId)).toEqual([unknown]);
});

test("BL-6: a switch of another tenant, connection or kind holds nothing here", async () => {
  const other = await aTenant(db);
  await client.query(
    `INSERT INTO pauses (tenant_id, id, scope, connection_id, kind, paused_by) VALUES
      ($1, gen_random_uuid(), 'tenant', NULL, NULL, 'user:x'),
      ($2, gen_random_uuid(), 'kind', NULL, 'void', 'user:x'),
      ($2, gen_random_uuid(), 'connection', gen_random_uuid(), NULL, 'user:x')`,
    [other.id, tenant.id],
  );
  const { opId } = await aDue();

  expect((await claim(10)).map((one) => one.opId)).toEqual([opId]);
  await resume();
});

// ---------------------------------------------------------------- CL-2 and CL-3

test("CL-3: an intent takes only under the fence, the holder, a running lease, no successor and an open mirror", async () => {
  const refused: Record<string, (held: Claim) => Promise<Set<string>>> = {
    "another fence": (held) => intend({ ...held, fence: held.fence - 1 }),
    "another holder": (held) => intend(held, W2),
    "an ended lease": async (held) => {
      await leaseEnds(held.opId);
      return intend(held);
    },
    "a successor": async (held) => {
      await client.query("UPDATE operations SET successor_op_id = op_id WHERE op_id = $1", [
        held.opId,
      ]);
      return intend(held);
    },
    "a late result": async (held) => {
      await client.query("UPDATE operations SET late_fence = 0 WHERE op_id = $1", [held.opId]);
      return intend(held);
    },
    "a request that has ended": async (held) => {
      await client.query("UPDATE requests SET mirror_terminal = true WHERE ref = $1", [
        held.requestRef,
      ]);
      return intend(held);
    },
  };
  for (const [why, attempt] of Object.entries(refused)) {
    const held = await aClaimed();
    expect([why, (await attempt(held)).size]).toEqual([why, 0]);
    expect(await rowOf(held.opId)).toMatchObject({ state: "claimed", attempts: 0 });
    expect(await db.attempt.count({ where: { opId: held.opId } })).toBe(0);
  }
});

test("CL-3: a stored intent is one attempt with its fence and lease, and is never stored twice", async () => {
  const held = await aClaimed();

  expect(await intend(held)).toEqual(new Set([held.opId]));
  expect(await intend(held)).toEqual(new Set());

  expect(await rowOf(held.opId)).toMatchObject({ state: "submitting", attempts: 1, fence: 1 });
  const attempts = await db.attempt.findMany({ where: { opId: held.opId } });
  expect(attempts).toMatchObject([{ fence: held.fence, workerId: W1.id, reportedAt: null }]);
  expect(attempts[0]?.leaseUntil).toEqual(held.leaseUntil);
});

test("CL-3 PL-2: an intent of which certainly no call left is not counted as an attempt", async () => {
  const held = await aClaimed();
  await intend(held);
  const released = { to: "scheduled", reason: "released", report: "no_call", dueInMs: 0 } as const;

  expect(await write(held, released)).toEqual(new Set([held.opId]));

  expect(await rowOf(held.opId)).toMatchObject({ state: "scheduled", attempts: 0 });
  const attempts = await db.attempt.findMany({ where: { opId: held.opId } });
  expect(attempts).toMatchObject([{ fence: held.fence, outcome: "no_call" }]);
});

test("CL-2: a lease that ends in claimed returns, one that ends in submitting or reconciling is unknown", async () => {
  const claimed = await aClaimed();
  expect(await endLease(db, await leaseEnds(claimed.opId), TO_SCHEDULED)).toBe(true);
  expect(await rowOf(claimed.opId)).toMatchObject({ state: "scheduled", lapses: 1, attempts: 0 });

  const submitting = await aClaimed();
  await intend(submitting);
  const ended = await leaseEnds(submitting.opId);
  await expect(endLease(db, { ...ended, state: "claimed" }, TO_SCHEDULED)).resolves.toBe(false);
  expect(await endLease(db, ended, TO_UNKNOWN)).toBe(true);
  expect(await rowOf(submitting.opId)).toMatchObject({ state: "needs_reconcile", lapses: 0 });

  const [look] = await looks(1);
  expect(look).toMatchObject({ opId: submitting.opId, fence: submitting.fence + 1 });
  expect(await endLease(db, await leaseEnds(submitting.opId), TO_UNKNOWN)).toBe(true);
  expect(await rowOf(submitting.opId)).toMatchObject({ state: "needs_reconcile", looks: 1 });
});

test("CL-2 C-07: an owner who finishes while the rescuer thinks keeps what was finished", async () => {
  const held = await aClaimed();
  await intend(held);
  const photograph = await leaseEnds(held.opId);
  expect(await write(held, {})).toEqual(new Set([held.opId]));
  const finished = await rowOf(held.opId);

  expect(await endLease(db, photograph, TO_UNKNOWN)).toBe(false);
  expect(await rowOf(held.opId)).toEqual(finished);
});

test("CL-2 C-07: a fresh claim while the rescuer thinks keeps its lease and fence, and no counter moves", async () => {
  const held = await aClaimed();
  const photograph = await leaseEnds(held.opId);
  expect(await endLease(db, photograph, TO_SCHEDULED)).toBe(true);
  const [fresh] = await claim(1, W2);
  expect(fresh).toMatchObject({ opId: held.opId, fence: held.fence + 1 });
  const before = await rowOf(held.opId);

  expect(await endLease(db, photograph, TO_SCHEDULED)).toBe(false);
  expect(await rowOf(held.opId)).toEqual(before);
});

test("CL-2 C-07: a lease that was given again under the same fence is another lease", async () => {
  const held = await aClaimed();
  const photograph = await leaseEnds(held.opId);
  await client.query(
    "UPDATE operations SET lease_until = lease_until + interval '1 microsecond' WHERE op_id = $1",
    [held.opId],
  );

  expect(await endLease(db, photograph, TO_SCHEDULED)).toBe(false);
  expect(await rowOf(held.opId)).toMatchObject({ state: "claimed", lapses: 0 });
});

test("CL-2 C-06: a worker that slept through its lease before the call can store no intent", async () => {
  const w1 = await aClaimed(W1);
  await endLease(db, await leaseEnds(w1.opId), TO_SCHEDULED);
  const [w2] = await claim(1, W2);
  if (!w2) throw new Error("nothing was claimed");

  expect(await intend(w1, W1)).toEqual(new Set());
  expect(await intend(w2, W2)).toEqual(new Set([w1.opId]));
  expect(await write(w1, {})).toEqual(new Set());
  expect(await write(w2, {})).toEqual(new Set([w1.opId]));
  const done = await db.operationEvent.findMany({ where: { opId: w1.opId, toState: "done" } });
  expect(done).toHaveLength(1);
});

test("CL-2 C-06: a worker that slept after its call changes nothing, and what it reports is kept", async () => {
  const w1 = await aClaimed(W1);
  await intend(w1, W1);
  await endLease(db, await leaseEnds(w1.opId), TO_UNKNOWN);
  const [w2] = await looks(1, W2);
  expect(w2).toMatchObject({ opId: w1.opId, fence: w1.fence + 1 });
  expect(await write({ opId: w1.opId, fence: w1.fence + 1 }, { from: "reconciling" })).toEqual(
    new Set([w1.opId]),
  );

  expect(await write(w1, {})).toEqual(new Set());
  expect(await late(w1.opId, w1.fence, "accepted")).toBe("done");

  expect(await rowOf(w1.opId)).toMatchObject({ state: "done", fence: w1.fence + 1 });
  const [attempt] = await db.attempt.findMany({ where: { opId: w1.opId } });
  expect(attempt).toMatchObject({ fence: w1.fence, late: true, outcome: "accepted" });
  const events = await db.operationEvent.findMany({
    where: { opId: w1.opId },
    orderBy: { seq: "asc" },
  });
  expect(events.filter((event) => event.toState === "done").map((event) => event.kind)).toEqual([
    "transition",
    "late_result",
  ]);
});

// ---------------------------------------------------------------- SM-5

function late(opId: string, fence: number, report: string): Promise<OperationState | null> {
  return asTenant(workerDb, tenant.id, (tx) =>
    keepLateResult(tx, tenant.id, "w1", {
      opId,
      fence,
      report,
      evidence: { call: report },
      owner: "team:on-call",
    }),
  );
}

async function lateEvents(opId: string): Promise<number> {
  return db.operationEvent.count({ where: { opId, kind: "late_result" } });
}

async function openItems(opId: string): Promise<string[]> {
  const items = await db.reviewItem.findMany({ where: { opId, settledAt: null } });
  return items.map((item) => item.reason);
}

test("SM-5: a late result on an unknown operation makes the reconciler look again at once", async () => {
  const opId = await operationIn(db, tenant, await aRequest(db, tenant), "needs_reconcile");
  await client.query(
    "UPDATE operations SET next_look_at = ledger_now() + interval '1 hour' WHERE op_id = $1",
    [opId],
  );
  expect(await looks(10)).toEqual([]);

  expect(await late(opId, 1, "accepted")).toBe("needs_reconcile");

  expect((await looks(10)).map((one) => one.opId)).toEqual([opId]);
  expect(await lateEvents(opId)).toBe(1);
});

test("SM-5: a late result on a scheduled operation leads to a person before another attempt", async () => {
  const { opId } = await aDue();

  expect(await late(opId, 1, "accepted")).toBe("scheduled");

  expect(await rowOf(opId)).toMatchObject({
    state: "needs_review",
    reason: "late_result_contradicts",
    owner: "team:on-call",
  });
  expect(await openItems(opId)).toEqual(["late_result_contradicts"]);
  expect(await claim(10)).toEqual([]);
});

test("SM-5: a late result on a claimed operation stops the next attempt", async () => {
  const held = await aClaimed();

  expect(await late(held.opId, held.fence - 1, "accepted")).toBe("claimed");

  expect(await intend(held)).toEqual(new Set());
  expect(await rowOf(held.opId)).toMatchObject({ state: "claimed", lateFence: held.fence - 1 });
  expect(await lateEvents(held.opId)).toBe(1);
});

test.each(["done", "obsolete", "superseded", "failed_terminal"] as const)(
  "SM-5: a late result on an operation that is %s changes nothing and opens a review item",
  async (state) => {
    const opId = await operationIn(db, tenant, await aRequest(db, tenant), state);
    const before = await rowOf(opId);

    expect(await late(opId, 1, "accepted")).toBe(state);

    const { state: after, reason, fence } = await rowOf(opId);
    expect({ after, reason, fence }).toEqual({
      after: state,
      reason: before.reason,
      fence: before.fence,
    });
    expect(await openItems(opId)).toEqual(["late_result_contradicts"]);
    expect(await lateEvents(opId)).toBe(1);
  },
);

test.each(["submitting", "reconciling", "quarantined", "needs_review"] as const)(
  "SM-5: a late result on an operation that is %s is kept in its history",
  async (state) => {
    const opId = await operationIn(db, tenant, await aRequest(db, tenant), state);

    expect(await late(opId, 1, "accepted")).toBe(state);

    expect((await rowOf(opId)).state).toBe(state);
    expect(await lateEvents(opId)).toBe(1);
  },
);

test("SM-5: a late word that no call left asks nobody, whatever state it meets", async () => {
  const { opId: scheduled } = await aDue();
  const done = await operationIn(db, tenant, await aRequest(db, tenant), "done");

  expect(await late(scheduled, 1, "no_call")).toBe("scheduled");
  expect(await late(done, 1, "no_call")).toBe("done");

  expect((await rowOf(scheduled)).state).toBe("scheduled");
  expect(await openItems(done)).toEqual([]);
  expect(await lateEvents(done)).toBe(1);
});

test("SM-5: the first late report of an attempt stays, a repeated one changes no report", async () => {
  const opId = await operationIn(db, tenant, await aRequest(db, tenant), "submitting");

  await late(opId, 1, "accepted");
  await late(opId, 1, "unknown");

  const [attempt] = await db.attempt.findMany({ where: { opId } });
  expect(attempt).toMatchObject({ outcome: "accepted", late: true });
});

// ---------------------------------------------------------------- C-09 and CL-7

test("CL-3 C-09: 200 batches of results against 200 that lock the other way round lose no result", async () => {
  const REPEATS = 200;
  const BATCH = 10;
  const url = `${database.url}?options=${encodeURIComponent("-c deadlock_timeout=15ms")}`;
  const results = connect(url, { poolMax: 6 });
  const opposing = connect(url, { poolMax: 6 });
  const ids = await bulk(tenant, {
    count: REPEATS * BATCH,
    state: "submitting",
    columns: {
      lease_owner: "gen_random_uuid()",
      lease_until: "now() + interval '1 hour'",
      fence: "1",
      attempts: "1",
      first_intent_at: "now()",
    },
  });
  await client.query(
    `INSERT INTO attempts (tenant_id, op_id, fence, worker_id, intent_at, lease_until)
     SELECT tenant_id, op_id, 1, lease_owner, now(), lease_until FROM operations
     WHERE tenant_id = $1 AND state = 'submitting'`,
    [tenant.id],
  );
  const deadlocks = async () => {
    await client.query("SELECT pg_stat_force_next_flush()");
    const { rows } = await client.query<{ n: number }>(
      "SELECT deadlocks::int AS n FROM pg_stat_database WHERE datname = current_database()",
    );
    return rows[0]?.n ?? 0;
  };

  const round = async (place: number) => {
    const batch = ids.slice(place * BATCH, (place + 1) * BATCH);
    const backwards = [...batch].reverse();
    const writes = batch.map(
      (opId): OutcomeWrite => ({
        opId,
        fence: 1,
        from: "submitting",
        to: "done",
        reason: "effect_confirmed",
        evidence: {},
        report: "accepted",
      }),
    );
    await Promise.all([
      inHalves(results, writes, async (tx, half) => {
        await writeOutcomes(tx, tenant.id, "w1", half);
      }),
      inHalves(opposing, backwards, async (tx, half) => {
        for (const opId of half) {
          await tx.$executeRaw`UPDATE operations SET priority = priority
            WHERE tenant_id = ${tenant.id}::uuid AND op_id = ${opId}::uuid`;
        }
      }),
    ]);
  };
  for (let place = 0; place < REPEATS; place += 4) {
    await Promise.all([0, 1, 2, 3].map((lane) => round(place + lane)));
  }
  await Promise.all([results.$disconnect(), opposing.$disconnect()]);

  expect(await db.operation.count({ where: { tenantId: tenant.id, state: "done" } })).toBe(
    ids.length,
  );
  expect(await db.attempt.count({ where: { tenantId: tenant.id, outcome: "accepted" } })).toBe(
    ids.length,
  );
  // Without a single deadlock this test would show nothing.
  expect(await deadlocks()).toBeGreaterThan(0);
});

/** One transaction that works on one half, pauses while it holds its locks, and works on the other half. */
async function inHalves<Item>(
  on: Database,
  items: readonly Item[],
  work: (tx: Parameters<Parameters<typeof asTenant>[2]>[0], half: readonly Item[]) => Promise<void>,
): Promise<void> {
  const middle = items.length / 2;
  await asTenant(on, tenant.id, async (tx) => {
    await work(tx, items.slice(0, middle));
    await tx.$executeRaw`SELECT pg_sleep(0.02)`;
    await work(tx, items.slice(middle));
  });
}

test("CL-7: a stopping worker gives back what it claimed and not what it may have sent", async () => {
  const worker = { id: randomUUID(), name: "stopping" };
  const claimed = await aClaimed(worker);
  const sent = await aClaimed(worker);
  await intend(sent, worker);
  const others = await aClaimed(W2);

  expect(await releaseClaims(db, worker.id, worker.name)).toBe(1);

  expect(await rowOf(claimed.opId)).toMatchObject({ state: "scheduled", leaseOwner: null });
  expect((await rowOf(sent.opId)).state).toBe("submitting");
  expect((await rowOf(others.opId)).state).toBe("claimed");
  expect(await intend(claimed, worker)).toEqual(new Set());
});
