import { afterAll, beforeAll, expect, test } from "vitest";
import { aSubscriber, releasedEvents } from "@/lib/testing/outbox";
import { waitUntil } from "@/lib/testing/processes";
import { killWorker, startWorker } from "@/lib/testing/worker-process";
import { openWorkshop, type Workshop } from "@/lib/testing/workshop";

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop.close());

test("OB-1: a real worker that is killed between sending and hearing loses nothing: the next one sends the same id again, in order", async () => {
  const tenant = await shop.tenant("exact");
  const subscriber = await aSubscriber(shop, tenant);
  const { receiver, secret } = subscriber;
  const received = () => shop.sandbox.control.received(receiver);
  // Slow to answer, so that the first worker dies while it waits.
  await shop.sandbox.control.putReceiver(receiver, { secrets: [secret], delay_ms: 60_000 });
  const first = await startWorker(shop, "first");
  const { ids } = await releasedEvents(shop, tenant, ["request.expired", "request.completed"]);
  await waitUntil(async () => (await received()).length === 1, {
    timeoutMs: 20_000,
    what: "the first message has arrived",
  });
  await killWorker(first);
  await shop.sandbox.control.putReceiver(receiver, { secrets: [secret] });
  await shop.ledger.owner.outboxDelivery.updateMany({
    where: { tenantId: tenant.tenantId, leaseOwner: { not: null } },
    data: { leaseUntil: new Date(0) },
  });
  const second = await startWorker(shop, "second");
  try {
    await waitUntil(async () => (await received()).length === 3, {
      timeoutMs: 20_000,
      what: "everything has arrived",
    });
    expect((await received()).map((one) => one.webhook_id)).toEqual([ids[0], ...ids]);
    const log = await waitUntil(
      async () => {
        const rows = await shop.ledger.owner.deliveryAttempt.findMany({
          where: { tenantId: tenant.tenantId },
          orderBy: { beganAt: "asc" },
        });
        return rows.at(-1)?.outcome === "delivered" ? rows : null;
      },
      { timeoutMs: 20_000, what: "the last report is written" },
    );
    expect(log.map(({ worker, outcome }) => [worker, outcome])).toEqual([
      ["first", null],
      ["second", "delivered"],
      ["second", "delivered"],
    ]);
  } finally {
    await killWorker(second);
  }
});
