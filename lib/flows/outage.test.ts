import { afterAll, beforeAll, expect, test } from "vitest";
import { anOnCall, clockAhead, decideNow, executeDue, WHY } from "@/lib/testing/decisions";
import { liftLimits, manyApprovedSends } from "@/lib/testing/many-sends";
import { refusalOf } from "@/lib/testing/refusals";
import { effectsOf, openWorkshop, type ShopTenant, type Workshop } from "@/lib/testing/workshop";
import { alertPass } from "./alert-pass";
import { bulkDecide } from "./bulk-decide";
import { claimDueLooks } from "./claim-work";
import type { ConsoleContext } from "./context";
import { freezeSelection } from "./freeze-selection";
import { reconcileClaim } from "./reconcile";
import { settleByRead } from "./settle-by-read";
import { settleDecisions } from "./settle-decisions";
import type { WorkerContext } from "./worker-context";

const UNKNOWN = 500;
/** Of which the platform carried out this many before it broke down. */
const CARRIED_OUT = 250;
const READS_PER_HOUR = 400;
const HOUR_S = 3_600;

let shop: Workshop;
let tenant: ShopTenant;
beforeAll(async () => {
  shop = await openWorkshop();
  tenant = await shop.tenant("exact", { callTimeoutMs: 5_000, leaseMs: 60_000 });
});
afterAll(() => shop.close());

async function states(): Promise<Record<string, number>> {
  const rows = await shop.ledger.owner.operation.groupBy({
    by: ["state"],
    where: { tenantId: tenant.tenantId, kind: "send" },
    _count: { opId: true },
  });
  return Object.fromEntries(rows.map(({ state, _count }) => [state, _count.opId]));
}

function receiptCount(purpose?: string): Promise<number> {
  const { tenantId } = tenant;
  return shop.ledger.owner.readReceipt.count({
    where: purpose === undefined ? { tenantId } : { tenantId, purpose },
  });
}

async function lookAtAll(worker: WorkerContext): Promise<void> {
  for (;;) {
    const hands = await claimDueLooks(worker, 8);
    if (hands.length === 0) return;
    await Promise.all(hands.map((hand) => reconcileClaim(worker, hand)));
  }
}

/** What a call may take until it lands, as the connection says: half an hour (RC-8). */
async function callsTravelLong(): Promise<void> {
  const { tenantId, connectionId: id, account } = tenant;
  const times = { pauseMs: 200, processingMs: 1_800_000, visibilityMs: 400 };
  const descriptor = { ...account.descriptor, times: { send: times, extend: times, other: times } };
  await shop.ledger.owner.connection.update({
    where: { tenantId_id: { tenantId, id } },
    data: { descriptor: JSON.stringify(descriptor) },
  });
}

/** 500 sends at a platform that carries out some, answers none, and cannot be searched afterwards. */
async function outage(): Promise<void> {
  const { control } = shop.sandbox;
  const { id } = tenant.account;
  await liftLimits(shop, tenant);
  await callsTravelLong();
  await manyApprovedSends(shop, tenant, UNKNOWN - 1);
  await control.addFault(id, {
    fault: "error_after",
    operation: "send",
    occurs: { kind: "first", times: CARRIED_OUT },
  });
  await control.addFault(id, {
    fault: "error_before",
    operation: "send",
    occurs: { kind: "always" },
  });
  const worker = await shop.worker();
  await executeDue(worker);
  expect(await states()).toEqual({ needs_reconcile: UNKNOWN });
  await control.addFault(id, {
    fault: "read_error",
    operation: "find",
    occurs: { kind: "always" },
  });
  const bounds = { ...worker.bounds, looksMax: 0 };
  await ahead(60, (impatient) => lookAtAll({ ...impatient, bounds }));
  expect(await states()).toEqual({ needs_review: UNKNOWN });
  await control.removeFaults(id);
}

async function ahead<T>(
  seconds: number,
  work: (worker: WorkerContext, ctx: ConsoleContext) => Promise<T>,
): Promise<T> {
  const { worker, ctx, close } = await clockAhead(shop, seconds);
  try {
    return await work(worker, ctx);
  } finally {
    await close();
  }
}

async function inTheQueue(): Promise<readonly string[]> {
  const rows = await shop.ledger.owner.reviewItem.findMany({
    where: { tenantId: tenant.tenantId, settledAt: null },
    orderBy: { id: "asc" },
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}

test("GO-3 RC-8 PL-7: an outage that leaves 500 unknown sends ends with every one explained and none sent twice", async () => {
  const { ledger } = shop;
  const { tenantId, connectionId } = tenant;
  const onCall = await anOnCall(shop, tenant);
  await outage();

  // One alert, and not five hundred.
  await ahead(90, async ({ owner }) => {
    while ((await alertPass({ owner })) > 0);
  });
  const notices = await ledger.owner.$queryRaw<{ count: number }[]>`
    SELECT count FROM notices WHERE tenant_id = ${tenantId}::uuid AND kind = 'review_opened'`;
  expect(notices).toEqual([{ count: UNKNOWN }]);

  // Before RC-8 allows it nobody can have one sent again.
  const [firstItem = ""] = await inTheQueue();
  const early = await refusalOf(decideNow(ledger, onCall, firstItem, "schedule_again"));
  expect(early.code).toBe("decision_absence_open");

  // The platform is back: what it has is found, hour by hour, within the reads that are left for sweeps.
  await ledger.owner.connectionLimit.updateMany({
    where: { tenantId, connectionId },
    data: { readsPerHour: READS_PER_HOUR },
  });
  for (const hour of [2, 4]) {
    const before = await receiptCount("decision");
    await ahead(hour * HOUR_S, async (worker) => {
      while ((await settleByRead(worker)) > 0);
    });
    // Eight are asked for together, each of which may be let through as the last one.
    expect((await receiptCount("decision")) - before).toBeLessThanOrEqual(READS_PER_HOUR * 0.7 + 8);
  }
  expect(await states()).toEqual({ done: CARRIED_OUT, needs_review: UNKNOWN - CARRIED_OUT });
  const settled = await ledger.owner.reviewItem.count({
    where: { tenantId, status: "settled", closedAt: null },
  });
  expect(settled).toBe(CARRIED_OUT);

  // What the platform does not have is scheduled again by one decision, each on its own proof of absence.
  const { id } = await freezeSelection(ledger.ctx, onCall, await inTheQueue());
  const wish = { selectionId: id, option: "schedule_again", reason: WHY } as const;
  const decided = await ahead(6 * HOUR_S, (_worker, ctx) => bulkDecide(ctx, onCall, wish));
  expect(decided).toEqual({ selectionId: id, started: UNKNOWN - CARRIED_OUT, left: 0 });
  await ahead(6 * HOUR_S, async (worker) => {
    while ((await settleDecisions(worker)) > 0);
  });
  expect(await states()).toEqual({ done: CARRIED_OUT, scheduled: UNKNOWN - CARRIED_OUT });
  await ledger.owner.connectionLimit.updateMany({
    where: { tenantId, connectionId },
    data: { readsPerHour: null },
  });
  await ahead(6 * HOUR_S, executeDue);

  expect(await states()).toEqual({ done: UNKNOWN });
  expect(await inTheQueue()).toEqual([]);
  const sent = await effectsOf(shop, tenant, { kind: "sent" });
  expect(sent).toHaveLength(UNKNOWN);
  expect(new Set(sent.map((effect) => effect.client_reference)).size).toBe(UNKNOWN);
}, 600_000);
