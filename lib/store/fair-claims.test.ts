import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { AGEING_STEP_MS, PLACE_IN_REQUEST } from "@/lib/domain/claim-order";
import { OPERATION_KINDS, type OperationKind, PRIORITY } from "@/lib/domain/operation";
import { READ_SHARE, type ReadUse } from "@/lib/domain/read-reserve";
import { testDatabase } from "@/lib/testing/database";
import { aRequest, aTenant, operationIn, type TestTenant } from "@/lib/testing/factories";
import { type Claim, claimDue } from "./claims";
import { asTenant, connect, type Database, type Db } from "./db";
import { storeIntents } from "./intents";
import { mayRead, readForecast } from "./read-budget";
import { releaseClaims } from "./workers";

let database: { url: string; close(): Promise<void> };
let db: Database;
let workerDb: Database;

beforeAll(async () => {
  database = await testDatabase();
  db = connect(database.url, { poolMax: 12 });
  workerDb = connect(database.url, { role: "deadline_worker", poolMax: 4 });
});
afterAll(async () => {
  await Promise.all([db.$disconnect(), workerDb.$disconnect()]);
  await database.close();
});

let W1 = { id: randomUUID(), name: "w1" };
let W2 = { id: randomUUID(), name: "w2" };

/** Nothing of another test is due, and its workers are others. */
beforeEach(async () => {
  await db.$executeRaw`
    UPDATE operations SET due_at = 'infinity' WHERE state = 'scheduled' AND due_at < 'infinity'`;
  W1 = { id: randomUUID(), name: "w1" };
  W2 = { id: randomUUID(), name: "w2" };
});

function claim(limit: number, worker = W1, on: Db = db, perTenant = limit): Promise<Claim[]> {
  return claimDue(on, { workerId: worker.id, workerName: worker.name, limit, perTenant });
}

interface Limits {
  readonly inFlightMax?: number;
  readonly callsPerMinute?: number;
}

const WIDE: Limits = { inFlightMax: 10_000, callsPerMinute: 10_000 };

async function limit(
  { id: tenantId, connectionId }: TestTenant,
  of: Limits,
  readsPerHour = null as number | null,
) {
  const more = { ...of, changedBy: "user:x" };
  await db.tenantLimit.upsert({
    where: { tenantId },
    create: { tenantId, ...WIDE, changedBy: "user:x" },
    update: {},
  });
  await db.connectionLimit.create({
    data: { tenantId, connectionId, ...WIDE, readsPerHour, ...more },
  });
}

/** A tenant whose limits stand in nobody's way. */
async function aWideTenant(): Promise<TestTenant> {
  const tenant = await aTenant(db);
  await limit(tenant, {});
  return tenant;
}

/** Due operations, each on a request of its own, `agoMs` overdue. Made through the triggers. */
async function manyDue(
  of: TestTenant,
  count: number,
  kind: OperationKind = "extend",
  agoMs = 1_000,
): Promise<void> {
  const mark = `m${randomUUID().slice(0, 8)}`;
  await db.$executeRaw`
    WITH asked AS (
      INSERT INTO requests (tenant_id, ref, connection_id)
      SELECT ${of.id}::uuid, ${mark} || '-' || n, ${of.connectionId}::uuid FROM generate_series(1, ${count}::int) n)
    INSERT INTO operations (tenant_id, op_id, op_key, kind, request_ref, connection_id, state, reason, canonical_text,
      payload_hash, approval_id, proposed_by, approved_at, due_at, priority, event_actor)
    SELECT ${of.id}::uuid, gen_random_uuid(), ${mark} || '/' || n, ${kind}, ${mark} || '-' || n, ${of.connectionId}::uuid,
      'scheduled', 'approved', '{}', repeat('a', 64), gen_random_uuid(), 'user:x', ledger_now(),
      ledger_now() - ${agoMs} * interval '1 millisecond', ${PRIORITY[kind]}::smallint, 'user:x'
    FROM generate_series(1, ${count}::int) n`;
}

const countOf = (claims: readonly Claim[], of: TestTenant) =>
  claims.filter(({ tenantId }) => tenantId === of.id).length;

// ---------------------------------------------------------------- CL-5: turns

test("CL-5: two equal tenants get equal shares within 5 %, whatever each worker asks for", async () => {
  const [a, b] = [await aWideTenant(), await aWideTenant()];
  await manyDue(a, 400);
  await manyDue(b, 400);
  const taken: Claim[] = [];
  const work = async (worker: typeof W1, sizes: readonly number[]) => {
    for (let turn = 0; taken.length < 400; turn += 1) {
      const size = sizes[turn % sizes.length] ?? 1;
      taken.push(...(await claim(size, worker, db, Math.ceil(size / 2))));
    }
  };
  await Promise.all([work(W1, [1, 8, 1, 3]), work(W2, [2, 1, 5])]);
  const share = countOf(taken, a) / taken.length;
  expect(Math.abs(share - 0.5)).toBeLessThan(0.025);
});

test("CL-5 C-08: a tenant with one row is next after at most one claim, however long the other's list is", async () => {
  const [bulk, small] = [await aWideTenant(), await aWideTenant()];
  await manyDue(bulk, 2_000);
  for (let turn = 0; turn < 30; turn += 1) await claim(1);
  await manyDue(small, 1, "remind");
  const next = [...(await claim(1)), ...(await claim(1))];
  expect(countOf(next, small)).toBe(1);
  // Alone again, the long list gets all there is.
  expect(await claim(8)).toHaveLength(8);
});

test("CL-5: spare hands are for tenants that have nothing in flight, one operation at a time", async () => {
  const [busy, small] = [await aWideTenant(), await aWideTenant()];
  await manyDue(busy, 10);
  await claim(1);
  await manyDue(small, 3);
  const spare = () =>
    claimDue(db, { workerId: W2.id, workerName: "w2", limit: 1, perTenant: 1, spare: true });
  expect(countOf(await spare(), small)).toBe(1);
  expect(await spare()).toEqual([]);
});

test("CL-5: who was idle does not catch up afterwards: from then on the shares are equal", async () => {
  const [busy, late] = [await aWideTenant(), await aWideTenant()];
  await manyDue(busy, 400);
  for (let turn = 0; turn < 50; turn += 1) await claim(1);
  await manyDue(late, 200);
  const taken: Claim[] = [];
  for (let turn = 0; turn < 60; turn += 1) taken.push(...(await claim(1)));
  expect(Math.abs(countOf(taken, late) - 30)).toBeLessThanOrEqual(1);
});

test("CL-5 C-10: tens of thousands of tenants with nothing due cost a claim nothing", async () => {
  await db.$executeRaw`
    INSERT INTO tenants (id, slug, name)
    SELECT gen_random_uuid(), 'idle-' || n, 'idle' FROM generate_series(1, 20000) n`;
  await db.$executeRaw`
    INSERT INTO connections (tenant_id, id, name, adapter, base_url, environment, api_key_sealed,
      webhook_secrets_sealed, descriptor, owner)
    SELECT id, gen_random_uuid(), 'idle', 'sandbox', 'http://127.0.0.1:1', 'sandbox', 'x', 'x', '{}', 'team:admins'
    FROM tenants WHERE slug LIKE 'idle-%'`;
  await db.$executeRaw`
    INSERT INTO requests (tenant_id, ref, connection_id)
    SELECT tenant_id, 'req_idle', id FROM connections WHERE name = 'idle'`;
  await db.$executeRaw`
    INSERT INTO operations (tenant_id, op_id, op_key, kind, request_ref, connection_id, state, reason, canonical_text,
      payload_hash, approval_id, proposed_by, approved_at, due_at, priority, event_actor)
    SELECT tenant_id, gen_random_uuid(), 'idle', 'remind', 'req_idle', id, 'scheduled', 'approved', '{}',
      repeat('a', 64), gen_random_uuid(), 'user:x', ledger_now(), ledger_now() + interval '3 days', 3, 'user:x'
    FROM connections WHERE name = 'idle'`;
  const tenant = await aWideTenant();
  await manyDue(tenant, 20);
  expect(await claim(1)).toHaveLength(1);
  await db.$transaction(async (tx) => {
    // The first runs of a session plan what is in functions.
    for (let run = 0; run < 7; run += 1) await claim(1, W1, tx);
    const touched = async () => {
      const [row] = await tx.$queryRaw<{ n: bigint }[]>`
        SELECT idx_tup_fetch + seq_tup_read AS n FROM pg_stat_xact_user_tables WHERE relname = 'tenant_turns'`;
      return Number(row?.n);
    };
    const before = await touched();
    expect(await claim(1, W1, tx)).toHaveLength(1);
    expect((await touched()) - before).toBeLessThan(20);
  });
});

// ---------------------------------------------------------------- CL-5: order

test("CL-5: void and expire go before extend, extend before send, send before remind and resend", async () => {
  const tenant = await aWideTenant();
  const order: OperationKind[] = ["remind", "send", "extend", "void"];
  for (const [place, kind] of order.entries())
    await manyDue(tenant, 1, kind, 60_000 - place * 1_000);
  const kinds: string[] = [];
  for (const _ of order) kinds.push(...(await claim(1)).map(({ kind }) => kind));
  expect(kinds).toEqual(["void", "extend", "send", "remind"]);
});

test("CL-5: waiting raises an operation by one step per ageing time, so that nothing starves", async () => {
  const tenant = await aWideTenant();
  await manyDue(tenant, 1, "void", 1_000);
  await manyDue(tenant, 1, "remind", 3 * AGEING_STEP_MS - 5_000);
  expect((await claim(1)).map(({ kind }) => kind)).toEqual(["void"]);
  await manyDue(tenant, 1, "void", 1_000);
  await manyDue(tenant, 1, "remind", 4 * AGEING_STEP_MS + 5_000);
  expect((await claim(1)).map(({ kind }) => kind)).toEqual(["remind"]);
});

test("CL-5: the order inside one request is the same in the database and in the domain", async () => {
  for (const kind of OPERATION_KINDS) {
    const [row] = await db.$queryRaw<
      { place: number }[]
    >`SELECT place_in_request(${kind}) AS place`;
    expect([kind, row?.place]).toEqual([kind, PLACE_IN_REQUEST[kind]]);
  }
});

const AGO = { dueAt: new Date(Date.now() - 3_600_000), approvedAt: new Date() };
const AHEAD = { dueAt: new Date(Date.now() + 3_600_000), approvedAt: new Date() };

/** Gives an operation another due time; the factories make it due at once. */
async function due(opId: string, { dueAt }: { readonly dueAt: Date }): Promise<string> {
  await db.$executeRaw`UPDATE operations SET due_at = ${dueAt} WHERE op_id = ${opId}::uuid`;
  return opId;
}

test("CL-5: within one request an approved void, then an extension, goes before an expiry and a reminder that were due earlier", async () => {
  const tenant = await aWideTenant();
  const request = await aRequest(db, tenant);
  const kinds: OperationKind[] = ["remind", "expire", "extend", "void"];
  for (const kind of kinds) {
    const opId = await operationIn(db, tenant, request, "scheduled", { kind });
    if (kind === "remind" || kind === "expire") await due(opId, AGO);
  }
  const seen: string[] = [];
  for (const _ of kinds) {
    const [next] = await claim(5);
    if (!next) throw new Error("nothing was claimed");
    seen.push(next.kind);
    await db.$executeRaw`
      UPDATE operations SET state = 'obsolete', reason = 'already_so', lease_owner = NULL, lease_until = NULL,
        event_actor = 'worker:w1' WHERE op_id = ${next.opId}::uuid`;
  }
  expect(seen).toEqual(["void", "extend", "expire", "remind"]);
});

test("CL-5: an approved extension that is not due yet holds an automatic expiry, and no reminder", async () => {
  const tenant = await aWideTenant();
  const request = await aRequest(db, tenant);
  await due(await operationIn(db, tenant, request, "scheduled", { kind: "extend" }), AHEAD);
  await due(await operationIn(db, tenant, request, "scheduled", { kind: "expire" }), AGO);
  expect(await claim(5)).toEqual([]);
  const remind = await operationIn(db, tenant, request, "scheduled", { kind: "remind" });
  // The expiry is due and goes before the reminder, and waits itself.
  expect(await claim(5)).toEqual([]);
  await due(remind, AGO);
  const other = await aRequest(db, tenant);
  await due(await operationIn(db, tenant, other, "scheduled", { kind: "extend" }), AHEAD);
  const free = await operationIn(db, tenant, other, "scheduled", { kind: "remind" });
  expect((await claim(5)).map(({ opId }) => opId)).toEqual([free]);
});

test("ID-7: a replacement is not taken before its void is done, and may then start on a request that has ended", async () => {
  const tenant = await aWideTenant();
  const request = await aRequest(db, tenant, undefined, { mirrorTerminal: true });
  const voiding = await operationIn(db, tenant, request, "obsolete", { kind: "void" });
  const waiting = await operationIn(db, tenant, request, "scheduled", {
    kind: "send",
    columns: { waitsForOpId: voiding },
  });
  expect(await claim(5)).toEqual([]);
  const done = await operationIn(db, tenant, request, "done", { kind: "void" });
  await db.$executeRaw`UPDATE operations SET waits_for_op_id = ${done}::uuid WHERE op_id = ${waiting}::uuid`;
  const [held] = await claim(5);
  expect(held?.opId).toBe(waiting);
  const intents = await asTenant(workerDb, tenant.id, (tx) =>
    storeIntents(tx, tenant.id, W1, [{ opId: waiting, fence: held?.fence ?? 0, evidence: {} }]),
  );
  expect(intents).toEqual(new Set([waiting]));
});

test("RM-4: of the due reminders of one plan only the last is taken", async () => {
  const tenant = await aWideTenant();
  const request = await aRequest(db, tenant);
  const planId = randomUUID();
  const made: string[] = [];
  for (const occurrence of [1, 2, 3]) {
    const columns = { planId, occurrence };
    made.push(await operationIn(db, tenant, request, "scheduled", { kind: "remind", columns }));
  }
  const [first, second, third] = made as [string, string, string];
  await due(third, AHEAD);
  expect((await claim(5)).map(({ opId }) => opId)).toEqual([second]);
  await releaseClaims(db, W1.id, "w1");
  await due(first, AGO);
  expect((await claim(5)).map(({ opId }) => opId)).toEqual([second]);
});

// ---------------------------------------------------------------- CL-5: quotas

async function race(rounds: number, size: number): Promise<Claim[]> {
  const pools = [W1, W2, W1, W2].map((worker) => ({
    worker,
    pool: connect(database.url, { poolMax: 1 }),
  }));
  const taken: Claim[] = [];
  await Promise.all(
    pools.map(async ({ worker, pool }) => {
      for (let turn = 0; turn < rounds; turn += 1) taken.push(...(await claim(size, worker, pool)));
      await pool.$disconnect();
    }),
  );
  return taken;
}

test("CL-5: claimers at once never have more in flight than the connection or the tenant may, and what ends makes room", async () => {
  const narrow = await aTenant(db);
  await limit(narrow, { inFlightMax: 7 });
  await manyDue(narrow, 60);
  expect(await race(12, 3)).toHaveLength(7);
  const [one] = await db.operation.findMany({ where: { tenantId: narrow.id, state: "claimed" } });
  await db.$executeRaw`
    UPDATE operations SET state = 'obsolete', reason = 'already_so', lease_owner = NULL, lease_until = NULL,
      event_actor = 'worker:w1' WHERE op_id = ${one?.opId}::uuid`;
  expect(await race(6, 3)).toHaveLength(1);

  const whole = await aTenant(db);
  await limit(whole, {});
  await db.tenantLimit.update({ where: { tenantId: whole.id }, data: { inFlightMax: 5 } });
  await manyDue(whole, 30, "extend");
  await manyDue(whole, 30, "send");
  expect(countOf(await race(12, 4), whole)).toBe(5);
});

test("CL-5: claimers at once never start more in any minute than the quota, also when what they claimed is given back", async () => {
  const tenant = await aTenant(db);
  await limit(tenant, { callsPerMinute: 9 });
  await manyDue(tenant, 60);
  let taken = 0;
  for (let turn = 0; turn < 5; turn += 1) {
    taken += (await race(4, 2)).length;
    await releaseClaims(db, W1.id, "w1");
    await releaseClaims(db, W2.id, "w2");
  }
  expect(taken).toBe(9);
  const later = (seconds: number) =>
    connect(
      `${database.url}?options=${encodeURIComponent(`-c deadline.clock_offset=${seconds}\\ s`)}`,
      { poolMax: 1 },
    );
  const [soon, after] = [later(45), later(75)];
  expect(await claim(20, W1, soon)).toEqual([]);
  expect(await claim(20, W1, after)).toHaveLength(9);
  await Promise.all([soon.$disconnect(), after.$disconnect()]);
});

test("CL-5: one connection without room leaves the other connections of the tenant alone", async () => {
  const tenant = await aTenant(db);
  await limit(tenant, { inFlightMax: 1 });
  await manyDue(tenant, 5);
  const other = randomUUID();
  await db.$executeRaw`
    INSERT INTO connections (tenant_id, id, name, adapter, base_url, environment, api_key_sealed,
      webhook_secrets_sealed, descriptor, owner)
    SELECT tenant_id, ${other}::uuid, 'second', adapter, base_url, environment, 'x', 'x', descriptor, owner
    FROM connections WHERE tenant_id = ${tenant.id}::uuid`;
  await manyDue({ ...tenant, connectionId: other }, 3);
  const taken = [...(await claim(8)), ...(await claim(8))];
  const perConnection = (id: string) =>
    taken.filter(({ connectionId }) => connectionId === id).length;
  expect([perConnection(tenant.connectionId), perConnection(other)]).toEqual([1, 3]);
});

test("BL-6: a running ramp lets only so many start as it allows", async () => {
  const tenant = await aWideTenant();
  await manyDue(tenant, 10);
  await db.$executeRaw`
    INSERT INTO pauses (tenant_id, id, scope, paused_by, resumed_by, resumed_at, ramp_per_minute, ramp_limit, ramp_total)
    VALUES (${tenant.id}::uuid, gen_random_uuid(), 'tenant', 'user:x', 'user:y', ledger_now(), 1, 600, 10)`;
  expect(await claim(8)).toHaveLength(1);
  expect(await claim(8)).toEqual([]);
});

// ---------------------------------------------------------------- PL-7

/** Reads of a connection as their receipts show them, the first `agoMs` ago and each later one a second younger. */
async function reads(of: TestTenant, ref: string, count: number, agoMs: number): Promise<void> {
  await db.$executeRaw`
    INSERT INTO read_receipts (tenant_id, id, request_ref, connection_id, purpose, outcome, started_at, finished_at,
      matches, body, hash)
    SELECT ${of.id}::uuid, gen_random_uuid(), ${ref}, ${of.connectionId}::uuid, 'page', 'read', at, at, 1, '{}', 'x'
    FROM generate_series(1, ${count}::int) n
    CROSS JOIN LATERAL (SELECT ledger_now() - (${agoMs}::float8 - n * 1000) * interval '1 millisecond' AS at) t`;
}

const reserved = (use: ReadUse) => Math.round(100 * READ_SHARE[use]);

test("PL-7: sweeps stop before pages, pages before operations, and each is told when the next read is free", async () => {
  const tenant = await aTenant(db);
  await limit(tenant, {}, 100);
  const { ref } = await aRequest(db, tenant);
  const may = async () => {
    const answers = await Promise.all(
      (["sweep", "page", "operation"] as const).map((use) =>
        mayRead(db, tenant.id, tenant.connectionId, use),
      ),
    );
    return answers.map((answer) => answer.may);
  };
  expect(await may()).toEqual([true, true, true]);
  await reads(tenant, ref, reserved("sweep"), 59 * 60_000);
  expect(await may()).toEqual([false, true, true]);
  await reads(tenant, ref, reserved("page") - reserved("sweep"), 30 * 60_000);
  expect(await may()).toEqual([false, false, true]);
  await reads(tenant, ref, 100 - reserved("page"), 20 * 60_000);
  expect(await may()).toEqual([false, false, false]);
  const answer = await mayRead(db, tenant.id, tenant.connectionId, "operation");
  const freeInMs = answer.may ? 0 : answer.freeAt.getTime() - Date.now();
  // The oldest read is 59 minutes old.
  expect(Math.abs(freeInMs - 61_000)).toBeLessThan(10_000);
  const [forecast] = await readForecast(db, tenant.id);
  expect(forecast).toMatchObject({ used: 100, limit: 100, hourlyRate: 0 });
});

test("PL-7: reads that are an hour old are no longer counted, and a connection without a limit has none", async () => {
  const tenant = await aTenant(db);
  const { ref } = await aRequest(db, tenant);
  await reads(tenant, ref, 50, 30 * 60_000);
  expect(await mayRead(db, tenant.id, tenant.connectionId, "sweep")).toEqual({ may: true });
  const old = await aTenant(db);
  await limit(old, {}, 10);
  await reads(old, (await aRequest(db, old)).ref, 10, 61 * 60_000);
  expect(await mayRead(db, old.id, old.connectionId, "sweep")).toEqual({ may: true });
});

test("PL-7: the limit that the platform states holds until people set another", async () => {
  const tenant = await aTenant(db);
  const { ref } = await aRequest(db, tenant);
  await db.$executeRaw`
    UPDATE connections SET descriptor = replace(descriptor, '"readLimitPerHour":"unknown"', '"readLimitPerHour":10')
    WHERE id = ${tenant.connectionId}::uuid`;
  await reads(tenant, ref, 10, 30 * 60_000);
  expect(await mayRead(db, tenant.id, tenant.connectionId, "operation")).toMatchObject({
    may: false,
  });
  await limit(tenant, {}, 100);
  expect(await mayRead(db, tenant.id, tenant.connectionId, "operation")).toEqual({ may: true });
});

test("PL-7: claims leave as many reads as the operations in flight may still need; without reads nothing is claimed", async () => {
  const tenant = await aTenant(db);
  await limit(tenant, {}, 20);
  const { ref } = await aRequest(db, tenant);
  await reads(tenant, ref, 12, 30 * 60_000);
  await manyDue(tenant, 10);
  // Eight reads are left: two each for four operations.
  expect(await claim(10)).toHaveLength(4);
  expect(await claim(10)).toEqual([]);
});

// ---------------------------------------------------------------- where due work is

test("CL-1: what is scheduled while a claim settles the list is found as soon as it is committed", async () => {
  const tenant = await aWideTenant();
  await manyDue(tenant, 1);
  expect(await claim(5)).toHaveLength(1);
  const request = await aRequest(db, tenant);
  const opId = await operationIn(db, tenant, request, "proposed");
  await db.$transaction(async (tx) => {
    await tx.$executeRaw`
      UPDATE operations SET state = 'scheduled', reason = 'approved', approved_at = ledger_now(), due_at = ledger_now(),
        event_actor = 'user:y' WHERE op_id = ${opId}::uuid`;
    // Settles the list, which has nothing due that it can see.
    expect(await claim(5, W2)).toEqual([]);
    expect(await claim(5, W2)).toEqual([]);
  });
  expect((await claim(5, W2)).map((one) => one.opId)).toEqual([opId]);
  expect(await claim(5, W2)).toEqual([]);
  const marks = await db.$queryRaw`SELECT 1 FROM due_marks WHERE tenant_id = ${tenant.id}::uuid`;
  expect(marks).toEqual([]);
});

test("CL-1: work that becomes due later is found when it is due, earlier or later work of its list notwithstanding", async () => {
  const tenant = await aWideTenant();
  const at = async (ms: number) =>
    due(await operationIn(db, tenant, await aRequest(db, tenant), "scheduled"), {
      dueAt: new Date(Date.now() + ms),
    });
  const [late, soon] = [await at(120_000), await at(60_000)];
  expect(await claim(5)).toEqual([]);
  const later = (seconds: number) =>
    connect(
      `${database.url}?options=${encodeURIComponent(`-c deadline.clock_offset=${seconds}\\ s`)}`,
      { poolMax: 1 },
    );
  const [minute, hour] = [later(90), later(3_600)];
  expect((await claim(5, W1, minute)).map((one) => one.opId)).toEqual([soon]);
  expect(await claim(5, W1, minute)).toEqual([]);
  expect((await claim(5, W1, hour)).map((one) => one.opId)).toEqual([late]);
  await Promise.all([minute.$disconnect(), hour.$disconnect()]);
});

test("CL-3: a connection whose lease does not cover a call and its margin is refused", async () => {
  const { id: tenantId, connectionId: id } = await aTenant(db);
  const set = (leaseMs: number) =>
    db.$executeRaw`UPDATE connections SET lease_ms = ${leaseMs} WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid`;
  await expect(set(20_000)).rejects.toThrow(/does not cover a call/);
  expect(await set(20_001)).toBe(1);
});
