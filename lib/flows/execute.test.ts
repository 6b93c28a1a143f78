import { afterAll, beforeAll, expect, test } from "vitest";
import { waitUntil } from "@/lib/testing/processes";
import {
  anApprovedExtension,
  aRealRequest,
  effectsOf,
  inDays,
  oneRound,
  openWorkshop,
  operationOf,
  type Workshop,
} from "@/lib/testing/workshop";

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop.close());

test("PL-4 PL-6: an approved extension is done when a read after the call shows the target", async () => {
  const tenant = await shop.tenant("exact");
  const request = await aRealRequest(shop, tenant, inDays(3));
  const target = inDays(10);
  const opId = await anApprovedExtension(shop, tenant, request, target);
  const worker = await shop.worker();

  await oneRound(worker);

  const operation = await operationOf(shop, tenant, opId);
  expect(operation).toMatchObject({ state: "done", reason: "effect_confirmed", attempts: 1 });
  const effects = await effectsOf(shop, tenant, { requestId: request.platformRef });
  expect(effects.map((effect) => effect.kind)).toEqual(["sent", "extended"]);
  const receipts = await shop.ledger.owner.readReceipt.findMany({
    where: { tenantId: tenant.tenantId, opId },
    orderBy: { startedAt: "asc" },
  });
  expect(receipts.map((receipt) => receipt.purpose)).toEqual(["before", "after"]);
  expect(receipts[1]?.expiresAt?.toISOString()).toBe(new Date(target).toISOString());
});

test("RC-1 C-11: a time-out after the platform accepted is unknown, then found, with one effect", async () => {
  const tenant = await shop.tenant("exact");
  const request = await aRealRequest(shop, tenant, inDays(3));
  const opId = await anApprovedExtension(shop, tenant, request, inDays(10));
  await shop.sandbox.control.addFault(tenant.account.id, {
    fault: "answer_delayed",
    operation: "extend",
  });
  const worker = await shop.worker();
  const seen = new Set<string>();

  await waitUntil(
    async () => {
      await oneRound(worker);
      const { state, reason } = await operationOf(shop, tenant, opId);
      seen.add(`${state} ${reason}`);
      return state === "done";
    },
    { what: "the operation is done" },
  );

  expect(seen).toContain("done effect_confirmed");
  const events = await shop.ledger.owner.operationEvent.findMany({
    where: { tenantId: tenant.tenantId, opId },
    orderBy: { seq: "asc" },
  });
  expect(events.map((event) => event.reason)).toContain("call_timed_out");
  const extended = await effectsOf(shop, tenant, {
    requestId: request.platformRef,
    kind: "extended",
  });
  expect(extended).toHaveLength(1);
});
