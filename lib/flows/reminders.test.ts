import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { letters } from "@/lib/testing/tenants";
import { aSentRequest, makeDue, setPolicy, timersOf, workUntil } from "@/lib/testing/timers";
import {
  approveNow,
  effectsOf,
  inDays,
  oneRound,
  openWorkshop,
  operationOf,
  type ShopTenant,
  type Workshop,
  wishOf,
} from "@/lib/testing/workshop";
import { claimDueWork } from "./claim-work";
import { executeClaim } from "./execute";
import { fulfilReads } from "./fulfil-reads";
import { orderRead } from "./order-read";
import { proposeReminder } from "./propose-remind";
import { proposeSend } from "./propose-send";
import { sweep } from "./sweep";
import type { WorkerContext } from "./worker-context";

let shop: Workshop;
let tenant: ShopTenant;
let workers: readonly WorkerContext[];

beforeAll(async () => {
  shop = await openWorkshop();
  workers = await Promise.all([shop.worker(), shop.worker()]);
});
afterAll(() => shop.close());

beforeEach(async () => {
  tenant = await shop.tenant("exact");
  await setPolicy(shop, tenant, "remind", { everyDays: 1, minIntervalHours: 0 });
});

/** A sent request whose next reminder is due now, and that reminder. */
async function aDueReminder(minIntervalHours = 0) {
  await setPolicy(shop, tenant, "remind", { everyDays: 1, minIntervalHours });
  const sent = await aSentRequest(shop, tenant, worker(), inDays(4));
  const [reminder] = await timersOf(shop, tenant.tenantId, sent.ref);
  if (!reminder) throw new Error("a reminder is planned");
  await makeDue(shop, tenant.tenantId, [reminder.opId]);
  return { ...sent, reminderId: reminder.opId };
}

function worker(): WorkerContext {
  const [first] = workers;
  if (!first) throw new Error("a worker");
  return first;
}

async function reminded(platformRef: string): Promise<number> {
  return (await effectsOf(shop, tenant, { requestId: platformRef, kind: "reminded" })).length;
}

function requestOf(ref: string) {
  const key = { tenantId_ref: { tenantId: tenant.tenantId, ref } };
  return shop.ledger.owner.request.findUniqueOrThrow({ where: key });
}

async function receiptOf(opId: string): Promise<string | undefined> {
  const event = await shop.ledger.owner.operationEvent.findFirst({
    where: { opId },
    orderBy: { seq: "desc" },
  });
  return JSON.parse(event?.body ?? "{}").evidence?.receipt;
}

test("C-25 a: two schedulers that tick together send one reminder, and it counts as a contact", async () => {
  const { ref, reminderId, platformRef } = await aDueReminder();
  const hands = await Promise.all(workers.map((one) => claimDueWork(one, 8)));
  expect(hands.flat()).toHaveLength(1);
  await Promise.all(
    hands.map((own, place) =>
      Promise.all(own.map((hand) => executeClaim(workers[place] ?? worker(), hand))),
    ),
  );
  expect(await operationOf(shop, tenant, reminderId)).toMatchObject({
    state: "done",
    reason: "effect_confirmed",
  });
  expect(await reminded(platformRef)).toBe(1);
  const contacts = await shop.ledger.owner.signerContact.findMany({
    where: { tenantId: tenant.tenantId, requestRef: ref, opId: reminderId },
  });
  expect(contacts).toMatchObject([{ source: "automatic", certain: true }]);
});

test("C-25 b RM-3: the signer has signed and nobody told us yet; the reminder is skipped on the read", async () => {
  const { platformRef, reminderId } = await aDueReminder();
  await shop.sandbox.control.act(tenant.account.id, platformRef, { change: "complete" });
  await oneRound(worker());
  const row = await operationOf(shop, tenant, reminderId);
  expect(row).toMatchObject({ state: "obsolete", attempts: 0 });
  expect(["skipped_signed", "request_completed_first"]).toContain(row.reason);
  expect(await receiptOf(reminderId)).toMatch(/^[0-9a-f-]{36}$/);
  expect(await reminded(platformRef)).toBe(0);
});

test("C-25 c RM-3: a reminder whose deadline has passed is skipped on the read", async () => {
  const { ref, platformRef, reminderId } = await aDueReminder();
  await shop.ledger.owner.$executeRaw`
    UPDATE requests SET business_deadline_at = ledger_now() - interval '1 second' WHERE ref = ${ref}`;
  await oneRound(worker());
  expect(await operationOf(shop, tenant, reminderId)).toMatchObject({
    state: "obsolete",
    reason: "skipped_past_deadline",
    attempts: 0,
  });
  expect(await receiptOf(reminderId)).toMatch(/^[0-9a-f-]{36}$/);
  expect(await reminded(platformRef)).toBe(0);
});

test("RM-2: the send itself was a contact; a reminder within the interval is skipped", async () => {
  const { platformRef, reminderId } = await aDueReminder(24);
  await oneRound(worker());
  expect(await operationOf(shop, tenant, reminderId)).toMatchObject({
    state: "obsolete",
    reason: "skipped_too_soon",
  });
  expect(await reminded(platformRef)).toBe(0);
});

test("RM-4: of the reminders that were missed in a pause one is sent, the newest, and the others say into which they were joined", async () => {
  const { ref, platformRef } = await aSentRequest(shop, tenant, worker(), inDays(6));
  const planned = await timersOf(shop, tenant.tenantId, ref);
  const missed = planned.slice(0, 4).map(({ opId }) => opId);
  await makeDue(shop, tenant.tenantId, missed);
  await sweep(worker());
  const rows = await Promise.all(missed.map((opId) => operationOf(shop, tenant, opId)));
  expect(rows.map(({ state, reason }) => [state, reason])).toEqual([
    ["obsolete", "collapsed_after_pause"],
    ["obsolete", "collapsed_after_pause"],
    ["obsolete", "collapsed_after_pause"],
    ["scheduled", "approved_by_policy"],
  ]);
  const newest = missed.at(-1) ?? "";
  await workUntil(shop, tenant, worker(), newest, "done");
  expect(await reminded(platformRef)).toBe(1);
  expect(
    (await timersOf(shop, tenant.tenantId, ref)).filter(({ state }) => state === "scheduled"),
  ).toHaveLength(planned.length - 4);
});

test("RM-4: a claim takes no reminder of which a later one is due, also before anybody has swept", async () => {
  const { ref } = await aSentRequest(shop, tenant, worker(), inDays(6));
  const [first, second] = await timersOf(shop, tenant.tenantId, ref);
  await makeDue(shop, tenant.tenantId, [first?.opId ?? "", second?.opId ?? ""]);
  const hands = await claimDueWork(worker(), 8);
  expect(hands.map(({ claim }) => claim.opId)).toEqual([second?.opId]);
  await Promise.all(hands.map((hand) => executeClaim(worker(), hand)));
});

test("RM-1: the send turns the platform's reminders off, and a read that shows them on tells the request's owner once", async () => {
  const { ref, platformRef } = await aSentRequest(shop, tenant, worker(), inDays(4));
  expect((await requestOf(ref)).mirrorPlatformReminders).toBe(false);
  await shop.sandbox.control.act(tenant.account.id, platformRef, {
    change: "set_reminders",
    on: true,
  });
  for (const _read of [1, 2]) {
    await orderRead(shop.ledger.ctx, tenant.proposer, ref);
    await fulfilReads(worker());
  }
  const items = await shop.ledger.owner.reviewItem.findMany({
    where: { tenantId: tenant.tenantId, requestRef: ref },
  });
  expect(items).toMatchObject([
    { reason: "platform_also_reminds", owner: `account:${tenant.proposer.id}` },
  ]);
  expect((await requestOf(ref)).mirrorPlatformReminders).toBe(true);
});

test("IN-6: a signer's own signature ends that signer's reminders and leaves those of the others", async () => {
  const { ctx, owner } = shop.ledger;
  const { opId, requestRef: ref } = await sentToTwo();
  const [one, two] = await owner.requestSigner.findMany({
    where: { tenantId: tenant.tenantId, requestRef: ref },
    orderBy: { signingOrder: "asc" },
  });
  const { platformRef } = await operationOf(shop, tenant, opId);
  const { mirrorReceiptId } = await requestOf(ref);
  const pending = await proposeReminder(ctx, tenant.proposer, {
    approvalId: randomUUID(),
    requestRef: ref,
    reason: "Only the first signer is missing.",
    subjectRefs: [one?.subjectRef ?? ""],
  });
  await shop.sandbox.control.act(tenant.account.id, platformRef ?? "", {
    change: "sign",
    signer: one?.subjectRef ?? "",
  });
  await orderRead(ctx, tenant.proposer, ref);
  await fulfilReads(worker());
  expect((await requestOf(ref)).mirrorReceiptId).not.toBe(mirrorReceiptId);
  expect(await operationOf(shop, tenant, pending.opId)).toMatchObject({
    state: "obsolete",
    reason: "skipped_signed",
  });
  const planned = await timersOf(shop, tenant.tenantId, ref);
  expect(planned.every(({ state }) => state === "scheduled")).toBe(true);
  await shop.sandbox.control.act(tenant.account.id, platformRef ?? "", {
    change: "sign",
    signer: two?.subjectRef ?? "",
  });
  await orderRead(ctx, tenant.proposer, ref);
  await fulfilReads(worker());
  const ended = await timersOf(shop, tenant.tenantId, ref);
  expect(ended.map(({ state }) => state)).toEqual(ended.map(() => "obsolete"));
});

async function sentToTwo() {
  const requestRef = `req_${letters()}`;
  const { opId } = await proposeSend(shop.ledger.ctx, tenant.proposer, {
    approvalId: randomUUID(),
    requestRef,
    connectionId: tenant.connectionId,
    documents: [{ digest: "d".repeat(64), version: 1 }],
    signers: [
      { name: "Pat Example", email: "pat@sign.invalid", role: "tenant", order: 1 },
      { name: "Kim Example", email: "kim@sign.invalid", role: "landlord", order: 2 },
    ],
    title: "A contract",
    ...wishOf(inDays(4)),
    reminders: {},
  });
  await approveNow(shop, tenant, opId, null);
  await workUntil(shop, tenant, worker(), opId, "done");
  return { opId, requestRef };
}

test("IN-5 AP-2: a completion after the business deadline opens one item that states the gap and the policy", async () => {
  await setPolicy(shop, tenant, "send", { lateSignature: "refuse" });
  const { ref, platformRef } = await aSentRequest(shop, tenant, worker(), inDays(4));
  await shop.ledger.owner.$executeRaw`
    UPDATE requests SET business_deadline_at = ledger_now() - interval '2 hours' WHERE ref = ${ref}`;
  await shop.sandbox.control.act(tenant.account.id, platformRef, { change: "complete" });
  for (const _read of [1, 2]) {
    await orderRead(shop.ledger.ctx, tenant.proposer, ref);
    await fulfilReads(worker());
  }
  const items = await shop.ledger.owner.reviewItem.findMany({
    where: { tenantId: tenant.tenantId, requestRef: ref, reason: "signed_after_deadline" },
  });
  expect(items).toHaveLength(1);
  expect(JSON.parse(items[0]?.evidence ?? "{}")).toMatchObject({
    gap: "2 h",
    policy: "late signatures are refused",
    policy_version: 2,
  });
  expect((await requestOf(ref)).mirrorStatus).toBe("completed");
});

test("IN-5: a signature before the deadline that is only read after it is not late", async () => {
  const { ref, platformRef } = await aSentRequest(shop, tenant, worker(), inDays(4));
  await shop.sandbox.control.act(tenant.account.id, platformRef, { change: "complete" });
  await shop.ledger.owner.$executeRaw`
    UPDATE requests SET business_deadline_at = ledger_now() WHERE ref = ${ref}`;
  await orderRead(shop.ledger.ctx, tenant.proposer, ref);
  await fulfilReads(worker());
  const late = await shop.ledger.owner.reviewItem.count({
    where: { tenantId: tenant.tenantId, requestRef: ref, reason: "signed_after_deadline" },
  });
  expect(late).toBe(0);
});
