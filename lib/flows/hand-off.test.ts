import { afterAll, beforeAll, expect, test } from "vitest";
import type { OutboxType } from "@/lib/domain/outbox";
import { asTenant } from "@/lib/store/db";
import { writeOutbox } from "@/lib/store/outbox";
import {
  aRealRequest,
  inDays,
  openWorkshop,
  type ShopTenant,
  type Workshop,
} from "@/lib/testing/workshop";
import { fulfilReads } from "./fulfil-reads";
import { orderRead } from "./order-read";
import type { WorkerContext } from "./worker-context";

let shop: Workshop;
let worker: WorkerContext;
beforeAll(async () => {
  shop = await openWorkshop();
  worker = await shop.worker();
});
afterAll(() => shop.close());

/** What an event's intake does with an end that it claims. */
function claimEnd({ tenantId }: ShopTenant, requestRef: string, type: OutboxType): Promise<void> {
  return asTenant(shop.ledger.ctx.db, tenantId, (tx) =>
    writeOutbox(tx, tenantId, { requestRef, type, cause: { inbox: "in_1" }, released: false }),
  );
}

async function readNow(tenant: ShopTenant, ref: string): Promise<void> {
  await orderRead(shop.ledger.ctx, tenant.proposer, ref);
  await fulfilReads(worker);
}

const outboxOf = ({ tenantId }: ShopTenant) =>
  shop.ledger.owner.outboxEvent.findMany({ where: { tenantId }, orderBy: { createdAt: "asc" } });

const reviewsOf = ({ tenantId }: ShopTenant) =>
  shop.ledger.owner.reviewItem.findMany({ where: { tenantId, settledAt: null } });

/** Makes the claims older than the time after which every read of this platform shows them. */
async function letTheLagPass({ tenantId }: ShopTenant): Promise<void> {
  await shop.ledger.owner.$executeRaw`
    UPDATE outbox_events SET created_at = created_at - interval '1 hour' WHERE tenant_id = ${tenantId}::uuid`;
}

test("IN-9: an end that an event claims is held, and the first read that shows it releases it once", async () => {
  const tenant = await shop.tenant("exact");
  const { ref, platformRef } = await aRealRequest(shop, tenant, inDays(9));
  await shop.sandbox.control.act(tenant.account.id, platformRef, { change: "complete" });
  await claimEnd(tenant, ref, "request.completed");
  await claimEnd(tenant, ref, "request.completed");
  const [held, ...others] = await outboxOf(tenant);
  expect(others).toEqual([]);
  expect(held).toMatchObject({ heldReason: "awaiting_read", releasedAt: null, body: null });

  await readNow(tenant, ref);
  await readNow(tenant, ref);
  await claimEnd(tenant, ref, "request.completed");
  const [released, ...more] = await outboxOf(tenant);
  expect(more).toEqual([]);
  expect(released).toMatchObject({ id: held?.id, heldReason: null });
  expect(released?.releasedAt).not.toBeNull();
  expect(JSON.parse(released?.body ?? "")).toEqual({
    type: "request.completed",
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    data: { request_ref: ref, revision: 1, receipt_id: released?.receiptId },
  });
  expect(await reviewsOf(tenant)).toEqual([]);
});

test("IN-9: an end that no read shows stays held, and somebody is asked, once the platform had time to show it", async () => {
  const tenant = await shop.tenant("exact");
  const { ref } = await aRealRequest(shop, tenant, inDays(9));
  await claimEnd(tenant, ref, "request.declined");
  // A read that starts before the platform shows everything says nothing about the claim.
  await readNow(tenant, ref);
  expect(await outboxOf(tenant)).toMatchObject([{ heldReason: "awaiting_read" }]);
  expect(await reviewsOf(tenant)).toEqual([]);

  await letTheLagPass(tenant);
  await readNow(tenant, ref);
  await readNow(tenant, ref);
  expect(await outboxOf(tenant)).toMatchObject([
    { type: "request.declined", heldReason: "read_disagrees", releasedAt: null, body: null },
  ]);
  expect(await reviewsOf(tenant)).toMatchObject([{ reason: "drift_status", requestRef: ref }]);
});

test("IN-9 IN-5: of two final ends only the one that the read shows leaves; the other opens a review item", async () => {
  const tenant = await shop.tenant("exact");
  const { ref, platformRef } = await aRealRequest(shop, tenant, inDays(9));
  await shop.sandbox.control.act(tenant.account.id, platformRef, { change: "void" });
  await claimEnd(tenant, ref, "request.completed");
  await letTheLagPass(tenant);
  await readNow(tenant, ref);
  const rows = await outboxOf(tenant);
  expect(rows.map(({ type, releasedAt }) => [type, releasedAt !== null])).toEqual([
    ["request.completed", false],
    ["request.voided", true],
  ]);
  expect(await reviewsOf(tenant)).toMatchObject([{ reason: "contradicting_end", requestRef: ref }]);
});

test("OB-1: an end that nobody reported is written and released with the read that shows it, once", async () => {
  const tenant = await shop.tenant("exact");
  const { ref, platformRef } = await aRealRequest(shop, tenant, inDays(9));
  await readNow(tenant, ref);
  expect(await outboxOf(tenant)).toEqual([]);
  await shop.sandbox.control.act(tenant.account.id, platformRef, { change: "expire" });
  await readNow(tenant, ref);
  await readNow(tenant, ref);
  expect(await outboxOf(tenant)).toMatchObject([{ type: "request.expired", heldReason: null }]);
});

test("OB-1: a released event never changes its bytes and is never taken back", async () => {
  const tenant = await shop.tenant("exact");
  const { ref, platformRef } = await aRealRequest(shop, tenant, inDays(9));
  await shop.sandbox.control.act(tenant.account.id, platformRef, { change: "complete" });
  await readNow(tenant, ref);
  const where = { tenantId: tenant.tenantId };
  for (const data of [{ body: "{}" }, { releasedAt: null }, { cause: "{}" }]) {
    await expect(shop.ledger.owner.outboxEvent.updateMany({ where, data })).rejects.toThrow();
  }
});
