import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { eventBody, mirrorOf, signedDelivery } from "@/lib/testing/deliveries";
import { waitUntil } from "@/lib/testing/processes";
import { aSentRequest, makeDue, setPolicy, timersOf, workUntil } from "@/lib/testing/timers";
import { killWorker, startWorker, type WorkerProcess } from "@/lib/testing/worker-process";
import {
  anApprovedExtension,
  effectsOf,
  inDays,
  oneRound,
  openWorkshop,
  operationOf,
  type ShopTenant,
  type Workshop,
  wishOf,
} from "@/lib/testing/workshop";
import { approve } from "./approve";
import { proposeExtension } from "./propose-extension";
import { receiveEvent } from "./receive-event";
import type { WorkerContext } from "./worker-context";

let shop: Workshop;
let processes: WorkerProcess[] = [];

beforeAll(async () => {
  shop = await openWorkshop();
});
afterEach(async () => {
  await Promise.all(processes.map(killWorker));
  processes = [];
});
afterAll(() => shop.close());

/** A request that closes by itself at its deadline, and the expiry that is planned for it. */
async function aClosingRequest(worker: WorkerContext) {
  const tenant = await shop.tenant("exact");
  await setPolicy(shop, tenant, "expire", { automatic: true });
  const sent = await aSentRequest(shop, tenant, worker, inDays(4));
  const [expiry] = await timersOf(shop, tenant.tenantId, sent.ref);
  if (expiry?.kind !== "expire") throw new Error("an expiry is planned");
  return { tenant, ...sent, expiryId: expiry.opId };
}

/** The business deadline is now; the platform still keeps the request open. */
async function midnight(tenant: ShopTenant, ref: string, expiryId: string) {
  await shop.ledger.owner.$executeRaw`
    UPDATE requests SET business_deadline_at = ledger_now() WHERE ref = ${ref}`;
  await makeDue(shop, tenant.tenantId, [expiryId]);
}

async function effects(tenant: ShopTenant, platformRef: string): Promise<string[]> {
  return (await effectsOf(shop, tenant, { requestId: platformRef })).map(({ kind }) => kind);
}

/** The types of everything that subscribers were or will be told about the tenant's requests. */
async function told({ tenantId }: ShopTenant): Promise<string[]> {
  const rows = await shop.ledger.owner.outboxEvent.findMany({ where: { tenantId } });
  return rows.map(({ type }) => type);
}

test("scenario: false expiry; signed at the last second, the webhook delayed, two expiry jobs at midnight: nothing becomes expired", async () => {
  const worker = await shop.worker();
  const { tenant, ref, platformRef, expiryId } = await aClosingRequest(worker);
  await shop.sandbox.control.act(tenant.account.id, platformRef, { change: "complete" });
  const signedAt = new Date().toISOString();
  expect((await mirrorOf(shop, tenant, ref)).mirrorStatus).toBe("sent");
  await midnight(tenant, ref, expiryId);
  processes = await Promise.all([startWorker(shop, "midnight-1"), startWorker(shop, "midnight-2")]);
  await waitUntil(async () => (await operationOf(shop, tenant, expiryId)).state === "obsolete", {
    timeoutMs: 40_000,
    what: "the expiry has ended",
  });
  expect(await operationOf(shop, tenant, expiryId)).toMatchObject({
    reason: "request_completed_first",
    attempts: 0,
  });
  expect(await mirrorOf(shop, tenant, ref)).toMatchObject({
    mirrorStatus: "completed",
    mirrorTerminal: true,
  });
  const body = eventBody("evt_late", platformRef, "completed", { at: signedAt });
  expect(await receiveEvent(shop.ledger.ctx, signedDelivery(tenant, "evt_late", body))).not.toBe(
    "refused",
  );
  await oneRound(worker);
  expect((await mirrorOf(shop, tenant, ref)).mirrorStatus).toBe("completed");
  expect(await effects(tenant, platformRef)).toEqual(["sent", "signed", "completed"]);
  expect(await told(tenant)).not.toContain("request.expired");
  const late = await shop.ledger.owner.reviewItem.count({
    where: { tenantId: tenant.tenantId, reason: "signed_after_deadline" },
  });
  expect(late).toBe(0);
});

test("race: Signature arrives as the expiry job runs; the platform's refusal is final and is not overwritten", async () => {
  const worker = await shop.worker();
  const { tenant, ref, platformRef, expiryId } = await aClosingRequest(worker);
  await shop.sandbox.control.addFault(tenant.account.id, {
    fault: "completed_by_person",
    operation: "expire",
  });
  await midnight(tenant, ref, expiryId);
  await workUntil(shop, tenant, worker, expiryId, "obsolete");
  expect(await operationOf(shop, tenant, expiryId)).toMatchObject({
    reason: "platform_refused_completed",
    attempts: 1,
  });
  expect((await mirrorOf(shop, tenant, ref)).mirrorStatus).toBe("completed");
  expect(await effects(tenant, platformRef)).toEqual(["sent", "signed", "completed"]);
  expect(await told(tenant)).not.toContain("request.expired");
});

test("race: Extension call times out, user clicks again; both clicks are one operation, which is read before anything else", async () => {
  const worker = await shop.worker();
  const tenant = await shop.tenant("exact");
  const { ref, platformRef } = await aSentRequest(shop, tenant, worker, inDays(4));
  const { mirrorReceiptId: receiptId } = await mirrorOf(shop, tenant, ref);
  const wish = {
    approvalId: randomUUID(),
    requestRef: ref,
    ...wishOf(inDays(9)),
    reason: "The counterparty needs more time.",
    supersedesOpId: null,
  };
  const click = async () => {
    const { opId } = await proposeExtension(shop.ledger.ctx, tenant.proposer, wish);
    const { version, payloadHash: hash } = await operationOf(shop, tenant, opId);
    const approved = await approve(shop.ledger.ctx, tenant.approver, {
      opId,
      version,
      hash,
      receiptId,
    });
    return { opId, already: approved.already };
  };
  await shop.sandbox.control.addFault(tenant.account.id, {
    fault: "reset_after",
    operation: "extend",
  });
  const first = await click();
  expect(first.already).toBe(false);
  await workUntil(shop, tenant, worker, first.opId, "needs_reconcile");
  expect(await click()).toEqual({ opId: first.opId, already: true });
  await workUntil(shop, tenant, worker, first.opId, "done");
  expect(await click()).toEqual({ opId: first.opId, already: true });
  expect(await operationOf(shop, tenant, first.opId)).toMatchObject({ attempts: 1 });
  expect(await effects(tenant, platformRef)).toEqual(["sent", "extended"]);
});

test("TM-4 race: Clock skew between your host and the platform; an expiry is done only when the platform shows it", async () => {
  const worker = await shop.worker();
  const { tenant, ref, platformRef, expiryId } = await aClosingRequest(worker);
  await shop.sandbox.control.moveClock(tenant.account.id, { offset_ms: -600_000 });
  await midnight(tenant, ref, expiryId);
  await workUntil(shop, tenant, worker, expiryId, "done");
  expect(await mirrorOf(shop, tenant, ref)).toMatchObject({ mirrorStatus: "expired" });
  expect(await effects(tenant, platformRef)).toEqual(["sent", "expired"]);
});

test("CL-5 TM-3: an approved extension that waits at midnight goes before the automatic expiry, which then is a later one", async () => {
  const worker = await shop.worker();
  const { tenant, ref, platformRef, expiryId } = await aClosingRequest(worker);
  const { mirrorReceiptId: receiptId } = await mirrorOf(shop, tenant, ref);
  const target = inDays(9);
  const extension = await anApprovedExtension(
    shop,
    tenant,
    { ref, receiptId: receiptId ?? "" },
    target,
  );
  await makeDue(shop, tenant.tenantId, [expiryId]);
  await workUntil(shop, tenant, worker, extension, "done");
  expect(await operationOf(shop, tenant, expiryId)).toMatchObject({ state: "superseded" });
  const open = (await timersOf(shop, tenant.tenantId, ref)).filter(
    ({ state }) => state === "scheduled",
  );
  expect(open.map(({ kind, dueAt }) => [kind, dueAt])).toEqual([["expire", new Date(target)]]);
  expect(await effects(tenant, platformRef)).toEqual(["sent", "extended"]);
});
