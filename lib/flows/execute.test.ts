import { afterAll, beforeAll, expect, test } from "vitest";
import { waitUntil } from "@/lib/testing/processes";
import { setPolicy } from "@/lib/testing/timers";
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
import type { SleepCountingClock } from "./worker-context";

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

test("PL-5: where the policy wants the approved status, progress at the platform stops an extension before the call", async () => {
  const tenant = await shop.tenant("exact");
  await setPolicy(shop, tenant, "extend", { sameStatus: true });
  const request = await aRealRequest(shop, tenant, inDays(3));
  const opId = await anApprovedExtension(shop, tenant, request, inDays(10));
  const viewed = { change: "view", signer: "s_one" } as const;
  await shop.sandbox.control.act(tenant.account.id, request.platformRef, viewed);

  await oneRound(await shop.worker());

  expect(await operationOf(shop, tenant, opId)).toMatchObject({
    state: "quarantined",
    reason: "status_changed_since_approval",
    attempts: 0,
  });
  const effects = await effectsOf(shop, tenant, { requestId: request.platformRef });
  expect(effects.map((effect) => effect.kind)).not.toContain("extended");
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

test("BL-6: a worker that was held up after its intent lets no call leave and asks again", async () => {
  const tenant = await shop.tenant("exact");
  const request = await aRealRequest(shop, tenant, inDays(3));
  const opId = await anApprovedExtension(shop, tenant, request, inDays(10));
  const worker = await shop.worker();
  // Each look at the clock is 400 ms after the one before: two lie between asking for the intent and the call.
  const heldUp = { ...worker, clock: steppingClock(worker.clock, 400) };

  await oneRound(heldUp);

  const operation = await operationOf(shop, tenant, opId);
  expect(operation).toMatchObject({ state: "scheduled", reason: "released", attempts: 0 });
  expect(await effectsOf(shop, tenant, { kind: "extended" })).toHaveLength(0);

  await waitUntil(
    async () => {
      await oneRound(worker);
      return (await operationOf(shop, tenant, opId)).state === "done";
    },
    { what: "the operation is done without the delay" },
  );
  expect(await effectsOf(shop, tenant, { kind: "extended" })).toHaveLength(1);
});

test("BL-6 CL-3: a worker that is always held up brings the operation to a person, and nothing was sent", async () => {
  const tenant = await shop.tenant("exact");
  const request = await aRealRequest(shop, tenant, inDays(3));
  const opId = await anApprovedExtension(shop, tenant, request, inDays(10));
  const worker = await shop.worker();
  const bounds = { ...worker.bounds, declinesMax: 2 };
  const heldUp = { ...worker, bounds, clock: steppingClock(worker.clock, 400) };

  await waitUntil(
    async () => {
      await oneRound(heldUp);
      return (await operationOf(shop, tenant, opId)).state === "needs_review";
    },
    { what: "a person is asked" },
  );

  const operation = await operationOf(shop, tenant, opId);
  expect(operation).toMatchObject({ reason: "lapsed_too_often", attempts: 0, declines: 3 });
  expect(await effectsOf(shop, tenant, { kind: "extended" })).toHaveLength(0);
});

function steppingClock(real: SleepCountingClock, stepMs: number): SleepCountingClock {
  let steps = 0;
  return {
    elapsedMs: () => {
      steps += 1;
      return real.elapsedMs() + steps * stepMs;
    },
  };
}
