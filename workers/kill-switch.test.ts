import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { endWorkers, extensions, throwKillSwitch, untilAtRest } from "@/lib/testing/kill-switch";
import { waitUntil } from "@/lib/testing/processes";
import { previewNow, resumeNow, twoOnCall } from "@/lib/testing/switches";
import type { WorkerProcess } from "@/lib/testing/worker-process";
import { openWorkshop, type Workshop } from "@/lib/testing/workshop";

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop.close());

let workers: readonly WorkerProcess[] = [];
afterEach(async () => {
  await endWorkers(workers);
  workers = [];
});

const OPERATIONS = 160;

test("BL-6: with four workers at full speed no call leaves later than 1 s after the switch, nothing is lost, and resuming does what it said", async () => {
  const run = await throwKillSwitch(shop, { workers: 4, operations: OPERATIONS });
  workers = run.workers;
  const { tenant } = run;
  const { owner } = shop.ledger;
  const { tenantId } = tenant;
  expect(run.killSwitchMs).toBeLessThan(1_000);

  const states = await statesOf(tenantId);
  const made = await extensions(shop, tenant);
  // The switch met the middle of the run: calls under way finished and are recorded, the rest waits unharmed.
  expect(Object.keys(states).sort()).toEqual(["done", "scheduled"]);
  expect((states.done ?? 0) + (states.scheduled ?? 0)).toBe(OPERATIONS);
  expect(made).toHaveLength(states.done ?? 0);
  expect(await owner.attempt.count({ where: { tenantId, reportedAt: null } })).toBe(0);
  await everyWorkerConfirms(run.pauseId, tenantId);

  const onCall = await twoOnCall(shop, tenant);
  const preview = await previewNow(shop, onCall.first, run.pauseId);
  const start = preview.groups.find(({ group }) => group === "start");
  expect([start?.count, preview.seal.count]).toEqual([states.scheduled, states.scheduled]);
  await resumeNow(shop, onCall, run.pauseId, 60_000);
  await waitUntil(async () => (await statesOf(tenantId)).done === OPERATIONS, {
    timeoutMs: 60_000,
    what: "everything that was held is done",
  });
  await untilAtRest(shop, tenant);
  const all = await extensions(shop, tenant);
  expect(all).toHaveLength(OPERATIONS);
  expect(new Set(all.map(({ request_id }) => request_id)).size).toBe(OPERATIONS);
});

async function statesOf(tenantId: string): Promise<Record<string, number>> {
  const rows = await shop.ledger.owner.operation.groupBy({
    by: ["state"],
    where: { tenantId },
    _count: true,
  });
  return Object.fromEntries(rows.map(({ state, _count }) => [state, _count]));
}

/** Each worker says in its own row that it has seen the switch. */
async function everyWorkerConfirms(pauseId: string, tenantId: string): Promise<void> {
  await waitUntil(
    async () => {
      const { pausedAt } = await shop.ledger.owner.pause.findUniqueOrThrow({
        where: { tenantId_id: { tenantId, id: pauseId } },
      });
      const seen = await shop.ledger.owner.worker.count({
        where: { name: { startsWith: "kill-" }, controlsSeenAt: { gte: pausedAt } },
      });
      return seen === 4;
    },
    { timeoutMs: 60_000, what: "every worker has seen the switch" },
  );
}
