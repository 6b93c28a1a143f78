import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { clockAhead } from "@/lib/testing/decisions";
import {
  anApprovedExtension,
  aRealRequest,
  effectsOf,
  inDays,
  openWorkshop,
  type ShopTenant,
  type Workshop,
} from "@/lib/testing/workshop";
import { sweepDrift } from "./sweep-drift";
import type { WorkerContext } from "./worker-context";

let shop: Workshop;
let tenant: ShopTenant;
let worker: WorkerContext;

beforeAll(async () => {
  shop = await openWorkshop();
  tenant = await shop.tenant("exact");
  worker = await shop.worker();
});
afterAll(() => shop.close());

interface Real {
  readonly ref: string;
  readonly platformRef: string;
  readonly receiptId: string;
}

async function request(expiresAt = inDays(20)): Promise<Real> {
  return aRealRequest(shop, tenant, expiresAt);
}

/** Makes the request's mirror old enough to be swept, whatever its clocks, and its sweep due. */
function age({ ref }: Real, readAgo = "2 days") {
  return shop.ledger.owner.$executeRawUnsafe(
    `UPDATE requests SET next_sweep_at = ledger_now(), mirror_read_at = ledger_now() - interval '${readAgo}'
     WHERE tenant_id = '${tenant.tenantId}' AND ref = '${ref}'`,
  );
}

async function sweepUntilIdle(): Promise<void> {
  while ((await sweepDrift(worker)) > 0);
}

function itemsOf({ ref }: Real) {
  return shop.ledger.owner.reviewItem.findMany({
    where: { tenantId: tenant.tenantId, requestRef: ref },
    orderBy: { reason: "asc" },
  });
}

function rowOf({ ref }: Real) {
  const key = { tenantId: tenant.tenantId, ref };
  return shop.ledger.owner.request.findUniqueOrThrow({ where: { tenantId_ref: key } });
}

function sweepReceipts({ ref }: Real) {
  return shop.ledger.owner.readReceipt.findMany({
    where: { tenantId: tenant.tenantId, requestRef: ref, purpose: "sweep" },
  });
}

test("RC-7: an old mirror is read, agrees, and only its age changes", async () => {
  const one = await request();
  await age(one);
  const before = await effectsOf(shop, tenant, { requestId: one.platformRef });
  await sweepUntilIdle();
  expect(await itemsOf(one)).toEqual([]);
  expect(await sweepReceipts(one)).toMatchObject([
    { outcome: "read", opId: null, connectionId: tenant.connectionId },
  ]);
  const row = await rowOf(one);
  expect(Date.now() - (row.mirrorReadAt?.getTime() ?? 0)).toBeLessThan(60_000);
  expect(row.nextSweepAt.getTime() - Date.now()).toBeGreaterThan(11 * 3_600_000);
  expect(await effectsOf(shop, tenant, { requestId: one.platformRef })).toEqual(before);
});

test("TM-4: a sweep's read measures how far the platform's clock is from the database's", async () => {
  const one = await request();
  const { tenantId, connectionId } = tenant;
  const measured = async () => {
    await age(one);
    await sweepUntilIdle();
    const row = await shop.ledger.owner.connection.findUniqueOrThrow({
      where: { tenantId_id: { tenantId, id: connectionId } },
    });
    expect(row.clockSkewAt).not.toBeNull();
    return row.clockSkewMs ?? Number.NaN;
  };
  // A busy machine answers too late to measure anything; then nothing is kept, and the next read measures.
  const skewMs = await vi.waitFor(measured, { timeout: 30_000, interval: 100 });
  // Both clocks are this machine's: whole seconds, and at most a second of waiting on either side.
  expect(Math.abs(skewMs)).toBeLessThanOrEqual(2_500);
});

test("TM-4 RV-1: two measurements in a row that are far off ask the connection's owner, and one that agrees settles it", async () => {
  const one = await request();
  const { tenantId, connectionId } = tenant;
  const measured = async (context: WorkerContext) => {
    const where = { tenantId_id: { tenantId, id: connectionId } };
    await shop.ledger.owner.connection.update({ where, data: { clockSkewAt: null } });
    // A busy machine answers too late to measure anything; then the next read measures.
    await vi.waitFor(
      async () => {
        await age(one, "9 days");
        while ((await sweepDrift(context)) > 0);
        const connection = await shop.ledger.owner.connection.findUniqueOrThrow({ where });
        expect(connection.clockSkewAt).not.toBeNull();
      },
      { timeout: 30_000, interval: 100 },
    );
    return shop.ledger.owner.reviewItem.findMany({ where: { tenantId, reason: "clock_skew" } });
  };
  await measured(worker);
  const ahead = await clockAhead(shop, 60);
  expect(await measured(ahead.worker)).toEqual([]);
  const [item] = await measured(ahead.worker);
  expect(item).toMatchObject({ connectionId, requestRef: null, settledAt: null });
  expect(JSON.parse(item?.evidence ?? "{}").n).toBeGreaterThan(50);
  expect(await measured(ahead.worker)).toHaveLength(1);
  await ahead.close();
  expect(await measured(worker)).toMatchObject([{ id: item?.id, status: "settled" }]);
});

test("PL-7: a mirror that somebody else refreshed is not read again", async () => {
  const one = await request();
  await age(one, "1 minute");
  await sweepUntilIdle();
  expect(await sweepReceipts(one)).toEqual([]);
  expect((await rowOf(one)).nextSweepAt.getTime()).toBeGreaterThan(Date.now() + 11 * 3_600_000);
});

test("RC-7: an expiry that somebody moved at the platform becomes one item with the request's owner, and the mirror follows", async () => {
  const one = await request();
  await shop.ledger.owner.request.update({
    where: { tenantId_ref: { tenantId: tenant.tenantId, ref: one.ref } },
    data: { ownerAccountId: tenant.proposer.id },
  });
  const moved = inDays(31);
  await shop.sandbox.control.act(tenant.account.id, one.platformRef, {
    change: "set_expiry",
    expires_at: moved,
  });
  await age(one);
  await sweepUntilIdle();
  const [item, ...more] = await itemsOf(one);
  expect(more).toEqual([]);
  expect(item).toMatchObject({
    reason: "drift_expiry",
    owner: `account:${tenant.proposer.id}`,
    opId: null,
    settledAt: null,
  });
  const [receipt] = await sweepReceipts(one);
  expect(JSON.parse(item?.evidence ?? "")).toMatchObject({ receipt: receipt?.id });
  expect((await rowOf(one)).mirrorExpiresAt).toEqual(new Date(moved));
  await age(one);
  await sweepUntilIdle();
  expect(await itemsOf(one)).toHaveLength(1);
});

test("RC-7 IN-6: a request that was voided elsewhere is told to its owner, and what waited on it ends", async () => {
  const one = await request();
  const opId = await anApprovedExtension(shop, tenant, one, inDays(25));
  await shop.sandbox.control.act(tenant.account.id, one.platformRef, { change: "void" });
  await age(one);
  await sweepUntilIdle();
  expect(await itemsOf(one)).toMatchObject([{ reason: "drift_status", settledAt: null }]);
  expect(await rowOf(one)).toMatchObject({ mirrorStatus: "voided", mirrorTerminal: true });
  const key = { tenantId: tenant.tenantId, opId };
  expect(
    await shop.ledger.owner.operation.findUniqueOrThrow({ where: { tenantId_opId: key } }),
  ).toMatchObject({ state: "obsolete", reason: "request_voided_first" });
});

test("RC-7: what the platform does not know is an item, and the mirror keeps what it last saw", async () => {
  const one = await request();
  await shop.ledger.owner.request.update({
    where: { tenantId_ref: { tenantId: tenant.tenantId, ref: one.ref } },
    data: { platformRef: `env_gone_${one.ref}` },
  });
  await age(one);
  await sweepUntilIdle();
  expect(await itemsOf(one)).toMatchObject([
    { reason: "drift_missing", owner: "team:account-managers" },
  ]);
  expect(await rowOf(one)).toMatchObject({ mirrorStatus: "sent", mirrorTerminal: false });
});

test("RC-7: while something of ours is unknown a difference is left to the reconciler, and the mirror still follows", async () => {
  const one = await request();
  const opId = await anApprovedExtension(shop, tenant, one, inDays(25));
  await shop.ledger.owner.$executeRaw`
    UPDATE operations SET state = 'claimed', lease_owner = ${worker.worker.id}::uuid, fence = fence + 1,
      lease_until = ledger_now() + interval '1 hour', event_actor = 'worker:test', event_evidence = '{}',
      reason = 'picked_up'
    WHERE tenant_id = ${tenant.tenantId}::uuid AND op_id = ${opId}::uuid`;
  const moved = inDays(31);
  const deed = { change: "set_expiry", expires_at: moved } as const;
  await shop.sandbox.control.act(tenant.account.id, one.platformRef, deed);
  await age(one);
  await sweepUntilIdle();
  expect(await itemsOf(one)).toEqual([]);
  expect((await rowOf(one)).mirrorExpiresAt).toEqual(new Date(moved));
});

test("TM-1: clocks further apart than the policy tolerates are an item, unless the new deadline is still on its way", async () => {
  const one = await request();
  const business = new Date(Date.parse(inDays(20)) - 2 * 86_400_000);
  const where = { tenantId_ref: { tenantId: tenant.tenantId, ref: one.ref } };
  await shop.ledger.owner.request.update({ where, data: { businessDeadlineAt: business } });
  await age(one);
  await sweepUntilIdle();
  const [item] = await itemsOf(one);
  expect(item).toMatchObject({ reason: "clocks_disagree" });
  expect(JSON.parse(item?.evidence ?? "")).toMatchObject({
    apart_ms: 2 * 86_400_000,
    tolerance_minutes: 1440,
  });
  const two = await request();
  await anApprovedExtension(shop, tenant, two, inDays(25));
  await age(two);
  await sweepUntilIdle();
  expect(await itemsOf(two)).toEqual([]);
});

test("TM-1: clocks apart are found in a mirror that others keep fresh, without a read", async () => {
  const one = await request();
  const business = new Date(Date.parse(inDays(20)) - 2 * 86_400_000);
  const where = { tenantId_ref: { tenantId: tenant.tenantId, ref: one.ref } };
  await shop.ledger.owner.request.update({ where, data: { businessDeadlineAt: business } });
  await age(one, "1 minute");
  await sweepUntilIdle();
  expect(await sweepReceipts(one)).toEqual([]);
  expect(await itemsOf(one)).toMatchObject([{ reason: "clocks_disagree", settledAt: null }]);
});

test("PL-7: an unanswered read is kept, compared with nothing, and tried again later", async () => {
  const one = await request();
  await shop.sandbox.control.addFault(tenant.account.id, {
    fault: "reset_before",
    operation: "read",
  });
  await age(one);
  await sweepUntilIdle();
  await shop.sandbox.control.removeFaults(tenant.account.id);
  expect(await sweepReceipts(one)).toMatchObject([{ outcome: "unreadable" }]);
  expect(await itemsOf(one)).toEqual([]);
  const wait = (await rowOf(one)).nextSweepAt.getTime() - Date.now();
  expect(wait).toBeGreaterThan(20_000);
  expect(wait).toBeLessThan(61_000);
});

test("PL-7: when the reads of the hour are used up the sweep waits for the next free one", async () => {
  const frugal = await shop.tenant("exact");
  const { tenantId, connectionId } = frugal;
  await shop.ledger.owner.$executeRaw`
    INSERT INTO connection_limits (tenant_id, connection_id, reads_per_hour, changed_by)
    VALUES (${tenantId}::uuid, ${connectionId}::uuid, 1, 'user:test')`;
  const { ref } = await aRealRequest(shop, frugal, inDays(20));
  await shop.ledger.owner.$executeRaw`
    UPDATE requests SET next_sweep_at = ledger_now(), mirror_read_at = ledger_now() - interval '2 days'
    WHERE tenant_id = ${tenantId}::uuid`;
  await sweepUntilIdle();
  const where = { tenantId, requestRef: ref, purpose: "sweep" };
  expect(await shop.ledger.owner.readReceipt.count({ where })).toBe(0);
  const row = await shop.ledger.owner.request.findFirstOrThrow({ where: { tenantId } });
  const wait = row.nextSweepAt.getTime() - Date.now();
  expect(wait).toBeGreaterThan(50 * 60_000);
  expect(wait).toBeLessThan(61 * 60_000);
});

test("CL-1: of two workers that sweep at once each request is read by one", async () => {
  const all = await Promise.all(Array.from({ length: 6 }, () => request()));
  for (const one of all) await age(one);
  const other = await shop.worker();
  await Promise.all([sweepDrift(worker), sweepDrift(other)]);
  for (const one of all) expect(await sweepReceipts(one)).toHaveLength(1);
});

test("C-10: due sweeps are found by an index of open requests, not among ended ones", async () => {
  const plan = await shop.ledger.owner.$queryRawUnsafe<{ "QUERY PLAN": string }[]>(
    `EXPLAIN SELECT tenant_id, ref FROM requests
     WHERE NOT mirror_terminal AND platform_ref IS NOT NULL AND next_sweep_at <= ledger_now()
     ORDER BY next_sweep_at, tenant_id, ref LIMIT 8`,
  );
  expect(plan.map((line) => line["QUERY PLAN"]).join("\n")).toContain("requests_next_sweep");
});
