import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import type { Database } from "@/lib/store/db";
import {
  aKnownRequest,
  eventBody,
  receivePatiently,
  signedDelivery,
} from "@/lib/testing/deliveries";
import { openWorkshop, type ShopTenant, type Workshop } from "@/lib/testing/workshop";
import type { LogEntry } from "./context";
import { deliveryWaitMs, noteDelivery } from "./limit-deliveries";

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop.close());
afterEach(() => {
  vi.restoreAllMocks();
});

/** A process of its own, whose steady clock the test moves. */
function aProcess() {
  let nowMs = 0;
  vi.spyOn(performance, "now").mockImplementation(() => nowMs);
  const ctx = { db: {} as Database };
  return {
    ctx,
    passes: (ms: number) => {
      nowMs += ms;
    },
  };
}

const HERE = { connectionId: "c1", source: "203.0.113.7" };

test("PV-6: 500 authentic deliveries a second are never refused, and a backlog of 10,000 comes through at once", () => {
  const { ctx, passes } = aProcess();
  const waits = new Set<number>();
  for (let one = 0; one < 500 * 120; one += 1) {
    waits.add(deliveryWaitMs(ctx, HERE));
    noteDelivery(ctx, HERE, "applied");
    passes(2);
  }
  for (let one = 0; one < 10_000; one += 1) {
    waits.add(deliveryWaitMs(ctx, HERE));
    noteDelivery(ctx, HERE, "duplicate");
  }
  expect([...waits]).toEqual([0]);
});

test("PV-6: what one connection sends without end is limited, and no other connection is", () => {
  const { ctx } = aProcess();
  let heard = 0;
  while (deliveryWaitMs(ctx, HERE) === 0 && heard < 100_000) {
    noteDelivery(ctx, HERE, "applied");
    heard += 1;
  }
  expect(heard).toBe(20_000);
  expect(deliveryWaitMs(ctx, { ...HERE, connectionId: "c2" })).toBe(0);
});

test("PV-6: failed authentications limit their source at their connection, until an authentic one clears it", () => {
  const { ctx, passes } = aProcess();
  for (let one = 0; one < 100; one += 1) noteDelivery(ctx, HERE, "refused");
  expect(deliveryWaitMs(ctx, HERE)).toBe(1_000);
  expect(deliveryWaitMs(ctx, { ...HERE, source: "203.0.113.8" })).toBe(0);
  passes(1_000);
  expect(deliveryWaitMs(ctx, HERE)).toBe(0);
  noteDelivery(ctx, HERE, "applied");
  for (let one = 0; one < 99; one += 1) noteDelivery(ctx, HERE, "refused");
  expect(deliveryWaitMs(ctx, HERE)).toBe(0);
});

test("PV-6: who asks for connections that are none is limited whichever they are", () => {
  const { ctx } = aProcess();
  for (let one = 0; one < 100; one += 1) {
    noteDelivery(ctx, { ...HERE, connectionId: `none-${one}` }, "refused");
  }
  expect(deliveryWaitMs(ctx, { ...HERE, connectionId: "none-another" })).toBeGreaterThan(0);
});

const questions = ({ tenantId }: ShopTenant) =>
  shop.ledger.owner.reviewItem.findMany({
    where: { tenantId, reason: "authentication_failures" },
  });

test("PV-6 RV-1: many failures within an hour are one question to the connection's owner, and no log holds what came", async () => {
  const tenant = await shop.tenant("exact");
  await aKnownRequest(shop, tenant, "req_canary");
  const lines: LogEntry[] = [];
  const keep = (entry: LogEntry) => lines.push(entry);
  const log = { debug: keep, info: keep, warn: keep, error: keep };
  const ctx = { ...shop.ledger.ctx, log };
  const wrong = (id: string) =>
    signedDelivery(tenant, id, eventBody(id, "req_canary", "completed"), "whsec_d3Jvbmc=");
  const fail = async (count: number) => {
    for (let one = 0; one < count; one += 1) {
      expect(await receivePatiently(ctx, wrong(`msg_canary_${one}`))).toBe("refused");
    }
  };
  await fail(19);
  expect(await questions(tenant)).toEqual([]);
  await fail(1);
  const { tenantId, connectionId } = tenant;
  const connection = await shop.ledger.owner.connection.findUniqueOrThrow({
    where: { tenantId_id: { tenantId, id: connectionId } },
  });
  expect(await questions(tenant)).toMatchObject([{ connectionId, owner: connection.owner }]);
  await Promise.all(
    Array.from({ length: 30 }, (_, one) => receivePatiently(ctx, wrong(`msg_canary_${100 + one}`))),
  );
  expect(await questions(tenant)).toHaveLength(1);
  expect(JSON.parse((await questions(tenant))[0]?.evidence ?? "{}")).toMatchObject({ n: 20 });
  expect(await shop.ledger.owner.inboxEvent.count({ where: { tenantId } })).toBe(0);
  expect(lines.map(({ event }) => event)).toContain("webhook_refused");
  expect(JSON.stringify(lines)).not.toMatch(/canary|req_|v1,|whsec/);
});
