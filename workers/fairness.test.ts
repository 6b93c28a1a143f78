import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { approve } from "@/lib/flows/approve";
import { proposeVoid } from "@/lib/flows/propose-void";
import { listWorkers } from "@/lib/queries/workers";
import { inFlightOf, liftLimits, manyApprovedSends, slowPlatform } from "@/lib/testing/many-sends";
import { waitUntil } from "@/lib/testing/processes";
import {
  killWorker,
  startWorker,
  untilState,
  type WorkerProcess,
} from "@/lib/testing/worker-process";
import {
  aRealRequest,
  inDays,
  openWorkshop,
  operationOf,
  type ShopTenant,
  type Workshop,
} from "@/lib/testing/workshop";

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop.close());

const workers: WorkerProcess[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map(killWorker));
});

const CALL_MS = 200;
/** Two workers with eight hands each; the spare ones are not for a tenant that has work in flight. */
const CAPACITY = 16;

async function aSlowTenant(): Promise<ShopTenant> {
  const tenant = await shop.tenant("exact", { callTimeoutMs: 8_000, leaseMs: 30_000 });
  await liftLimits(shop, tenant);
  await slowPlatform(shop, tenant, CALL_MS);
  return tenant;
}

/** A void of a real request that one person proposed and another approved just now. */
async function anApprovedVoid(tenant: ShopTenant): Promise<string> {
  const request = await aRealRequest(shop, tenant, inDays(9));
  const { opId } = await proposeVoid(shop.ledger.ctx, tenant.proposer, {
    approvalId: randomUUID(),
    requestRef: request.ref,
    reason: "The contract is not wanted any more.",
  });
  const { version, payloadHash: hash } = await operationOf(shop, tenant, opId);
  const { receiptId } = request;
  await approve(shop.ledger.ctx, tenant.approver, { opId, version, hash, receiptId });
  return opId;
}

/** When the operation first came into the state, by its history. */
async function firstAt(opId: string, toState: string): Promise<Date> {
  const event = await shop.ledger.owner.operationEvent.findFirstOrThrow({
    where: { opId, toState },
    orderBy: { seq: "asc" },
  });
  return event.at;
}

test("CL-5 CL-6 C-08: among 10,000 due sends of another tenant a void starts within 5 s and before 60 more of them", async () => {
  const [bulk, small] = [await aSlowTenant(), await aSlowTenant()];
  await manyApprovedSends(shop, bulk, 10_000);
  workers.push(...(await Promise.all([startWorker(shop, "fair-1"), startWorker(shop, "fair-2")])));
  // Alone, the long list has every hand of both workers.
  await waitUntil(async () => (await inFlightOf(shop, bulk)) >= CAPACITY, {
    timeoutMs: 60_000,
    what: "every hand works for the long list",
  });

  const opId = await anApprovedVoid(small);
  await untilState(shop, small, opId, "done");

  const [due, claimed] = [await firstAt(opId, "scheduled"), await firstAt(opId, "claimed")];
  expect(claimed.getTime() - due.getTime()).toBeLessThan(5_000);
  const between = await shop.ledger.owner.operationEvent.count({
    where: { tenantId: bulk.tenantId, toState: "claimed", at: { gte: due, lte: claimed } },
  });
  expect(between).toBeLessThan(60);
  // A busy machine lets a beat come late now and then.
  await waitUntil(
    async () => {
      const workers = await listWorkers(shop.ledger.owner);
      const alive = workers.filter(({ state }) => state === "alive").map(({ name }) => name);
      return alive.sort().join() === "fair-1,fair-2";
    },
    { timeoutMs: 60_000, what: "both workers are alive" },
  );
});
