import { afterAll, beforeAll, expect, test } from "vitest";
import type { Observation, RequestStatus } from "@/lib/domain/observation";
import {
  aKnownRequest,
  eventBody,
  mirrorOf,
  receivePatiently,
  signedDelivery,
  workerSeeing,
} from "@/lib/testing/deliveries";
import { openWorkshop, type ShopTenant, type Workshop } from "@/lib/testing/workshop";
import { fulfilReads } from "./fulfil-reads";
import { orderRead, readOrder } from "./order-read";
import type { WorkerContext } from "./worker-context";

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop.close());

const ordersOf = ({ tenantId }: ShopTenant) =>
  shop.ledger.owner.readOrder.findMany({ where: { tenantId }, orderBy: { orderedAt: "asc" } });

const limitReads = ({ tenantId, connectionId }: ShopTenant, readsPerHour: number) =>
  shop.ledger.owner.connectionLimit.create({
    data: { tenantId, connectionId, readsPerHour, changedBy: "user:test" },
  });

/** As if an hour had passed: what was read before no longer counts, and what waits is due. */
async function afterAnHour({ tenantId }: ShopTenant): Promise<void> {
  await shop.ledger.owner.$executeRaw`
    UPDATE read_orders SET due_at = due_at - interval '61 minutes' WHERE tenant_id = ${tenantId}::uuid`;
  await shop.ledger.owner.$transaction([
    shop.ledger.owner.$executeRaw`SET LOCAL session_replication_role = replica`,
    shop.ledger.owner.$executeRaw`
      UPDATE read_receipts SET started_at = started_at - interval '61 minutes' WHERE tenant_id = ${tenantId}::uuid`,
  ]);
}

/** As if the worker that took these reads had died a while ago. */
const comeDue = ({ tenantId }: ShopTenant) =>
  shop.ledger.owner.readOrder.updateMany({ where: { tenantId }, data: { dueAt: new Date(0) } });

const tell = (tenant: ShopTenant, ref: string, status: RequestStatus) =>
  receivePatiently(
    shop.ledger.ctx,
    signedDelivery(tenant, `${ref}_${status}`, eventBody(`${ref}_${status}`, ref, status)),
  );

test("PL-7: reads that events and pages order stop before the budget is used up, say when they fit, and none is lost", async () => {
  const tenant = await shop.tenant("exact");
  await limitReads(tenant, 4);
  const refs = ["req_b1", "req_b2", "req_b3", "req_b4", "req_b5"];
  const shown = new Map(refs.map((ref): [string, RequestStatus] => [ref, "completed"]));
  const { worker, reads } = await workerSeeing(shop, shown);
  const known = await Promise.all(refs.map((ref) => aKnownRequest(shop, tenant, ref)));
  for (const ref of refs) await tell(tenant, ref, "completed");
  const orderId = await orderRead(shop.ledger.ctx, tenant.proposer, known[4] ?? "");

  await fulfilReads(worker);
  // Of four an hour nine tenths may go to pages and events: three.
  expect(reads).toHaveLength(3);
  const waiting = (await ordersOf(tenant)).filter(({ receiptId }) => receiptId === null);
  expect(waiting).toHaveLength(2);
  for (const { takenAt, dueAt } of waiting) {
    expect(takenAt).toBeNull();
    expect(dueAt.getTime()).toBeGreaterThan(Date.now() + 1_800_000);
  }
  const said = await readOrder(shop.ledger.ctx, tenant.proposer, orderId);
  expect(said).toMatchObject({ takenAt: null, receiptId: null });
  expect(said.possibleAt).toBe(waiting.find(({ id }) => id === orderId)?.dueAt.toISOString());
  expect(await fulfilReads(worker)).toBe(0);

  // A page that asks for what waits already joins it.
  expect(await orderRead(shop.ledger.ctx, tenant.proposer, known[4] ?? "")).toBe(orderId);
  await afterAnHour(tenant);
  await fulfilReads(worker);
  expect(new Set(reads)).toEqual(new Set(refs));
  expect((await ordersOf(tenant)).every(({ receiptId }) => receiptId !== null)).toBe(true);
  for (const ref of known) {
    expect((await mirrorOf(shop, tenant, ref)).mirrorReadAt).not.toBeNull();
  }
});

test("PL-7: one connection that has used its reads keeps no other from reading", async () => {
  const [spent, free] = [await shop.tenant("exact"), await shop.tenant("exact")];
  await limitReads(spent, 1);
  const shown = new Map<string, RequestStatus>(
    ["req_s1", "req_s2", "req_f1"].map((ref) => [ref, "sent"]),
  );
  const { worker, reads } = await workerSeeing(shop, shown);
  for (const ref of ["req_s1", "req_s2"]) {
    const known = await aKnownRequest(shop, spent, ref);
    await orderRead(shop.ledger.ctx, spent.proposer, known);
  }
  const known = await aKnownRequest(shop, free, "req_f1");
  await orderRead(shop.ledger.ctx, free.proposer, known);
  await fulfilReads(worker);
  expect(reads.sort()).toEqual(["req_f1", "req_s1"]);
});

test("RC-6: a read that a worker took and never reported is made by the next one", async () => {
  const tenant = await shop.tenant("exact");
  const ref = await aKnownRequest(shop, tenant, "req_died");
  const { worker, reads } = await workerSeeing(shop, new Map([["req_died", "viewed"]]));
  const dying: WorkerContext = {
    ...worker,
    providerOf: () => {
      throw new Error("the worker dies before it reads");
    },
  };
  await tell(tenant, "req_died", "viewed");
  await expect(fulfilReads(dying)).rejects.toThrow("dies");
  // While the first one may still be at it, nobody else reads.
  expect(await fulfilReads(worker)).toBe(0);
  await comeDue(tenant);
  expect(await fulfilReads(worker)).toBe(1);
  expect(reads).toEqual(["req_died"]);
  expect(await ordersOf(tenant)).toMatchObject([
    { requestRef: ref, receiptId: expect.any(String) },
  ]);
});

test("RC-6: a read for an event that the platform does not answer is tried again a bounded number of times, a person's is answered", async () => {
  const tenant = await shop.tenant("exact");
  const ref = await aKnownRequest(shop, tenant, "req_away");
  const away: Observation = { kind: "declined", retryAfterMs: 90_000 };
  const real = await shop.worker();
  const worker: WorkerContext = {
    ...real,
    providerOf: (connection) => ({
      ...real.providerOf(connection),
      readRequest: async () => away,
    }),
  };
  await tell(tenant, "req_away", "viewed");
  await fulfilReads(worker);
  const [first] = await ordersOf(tenant);
  expect(first).toMatchObject({ receiptId: null, takenAt: null, tries: 1 });
  expect(first?.dueAt.getTime()).toBeGreaterThan(Date.now() + 60_000);
  for (let round = 2; round <= 5; round += 1) {
    await comeDue(tenant);
    await fulfilReads(worker);
  }
  expect(await ordersOf(tenant)).toMatchObject([{ tries: 4, receiptId: expect.any(String) }]);

  const orderId = await orderRead(shop.ledger.ctx, tenant.proposer, ref);
  await fulfilReads(worker);
  const said = await readOrder(shop.ledger.ctx, tenant.proposer, orderId);
  expect(said).toMatchObject({ outcome: "declined" });
});
