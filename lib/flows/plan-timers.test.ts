import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { isFinal, type OperationState } from "@/lib/domain/operation";
import { parsePayload } from "@/lib/domain/payload";
import { approvalStillHolds } from "@/lib/store/approvals";
import { asTenant } from "@/lib/store/db";
import { aSentRequest, setPolicy, timersOf, workUntil } from "@/lib/testing/timers";
import {
  anApprovedExtension,
  inDays,
  openWorkshop,
  type ShopTenant,
  type Workshop,
  wishOf,
} from "@/lib/testing/workshop";
import { fulfilReads } from "./fulfil-reads";
import { orderRead } from "./order-read";
import { planTimers } from "./plan-timers";
import { proposeExtension } from "./propose-extension";
import { reject } from "./reject";
import { sweep } from "./sweep";
import { withdraw } from "./withdraw";
import type { WorkerContext } from "./worker-context";

let shop: Workshop;
let tenant: ShopTenant;
let worker: WorkerContext;

beforeAll(async () => {
  shop = await openWorkshop();
  worker = await shop.worker();
});
afterAll(() => shop.close());

beforeEach(async () => {
  tenant = await shop.tenant("exact");
  await setPolicy(shop, tenant, "remind", { everyDays: 2 });
  await setPolicy(shop, tenant, "expire", { automatic: true });
});

function open(ref: string) {
  return timersOf(shop, tenant.tenantId, ref).then((rows) =>
    rows.filter(({ state }) => !isFinal(state as OperationState)),
  );
}

function requestOf(ref: string) {
  const key = { tenantId_ref: { tenantId: tenant.tenantId, ref } };
  return shop.ledger.owner.request.findUniqueOrThrow({ where: key });
}

function holds(opId: string): Promise<boolean> {
  const { tenantId } = tenant;
  return asTenant(shop.ledger.ctx.db, tenantId, (tx) => approvalStillHolds(tx, tenantId, opId));
}

/** An extension by three days that waits for a worker, on the newest read. */
async function extend(ref: string, target: string, supersedesOpId: string | null = null) {
  const { mirrorReceiptId } = await requestOf(ref);
  const request = { ref, receiptId: mirrorReceiptId ?? "" };
  return anApprovedExtension(shop, tenant, request, target, supersedesOpId);
}

const WHY = "The board meets later.";

test("TM-3 C-26: a confirmed send plans the approved reminders and the expiry as operations of one plan", async () => {
  const deadline = inDays(5);
  const { ref, opId } = await aSentRequest(shop, tenant, worker, deadline);
  const send = await shop.ledger.owner.operation.findFirstOrThrow({ where: { opId } });
  const payload = parsePayload(send.canonicalText);
  const listed = payload.kind === "send" ? payload.timers : undefined;
  expect(listed).toMatchObject({ closes_at_deadline: true, policies: { remind: 2, expire: 2 } });
  expect(listed?.reminders).toHaveLength(2);
  const timers = await timersOf(shop, tenant.tenantId, ref);
  expect(timers.map(({ kind, dueAt }) => [kind, dueAt.getTime()])).toEqual([
    ...(listed?.reminders ?? []).map((at) => ["remind", Date.parse(at)]),
    ["expire", Date.parse(deadline)],
  ]);
  for (const { opKey, kind, occurrence, ...timer } of timers) {
    expect(opKey).toBe(`${ref}/${kind}/${opId}/${occurrence}`);
    expect(timer).toMatchObject({ state: "scheduled", reason: "approved_by_policy", planId: opId });
    expect(timer.proposedBy).toBe(`policy:${kind}-v2`);
    expect(parsePayload(timer.canonicalText)).toMatchObject({ kind, request_ref: ref });
    expect(await holds(timer.opId)).toBe(true);
  }
  expect((await requestOf(ref)).timerPlanId).toBe(opId);
});

test("RM-1 RM-2: a confirmed send writes who reminds as a version, and counts as a contact with its signers", async () => {
  const { ref, opId } = await aSentRequest(shop, tenant, worker, inDays(5));
  const { tenantId } = tenant;
  const owners = await shop.ledger.owner.reminderOwner.findMany({
    where: { tenantId, requestRef: ref },
  });
  expect(owners).toMatchObject([{ version: 1, owner: "application", opId }]);
  const contacts = await shop.ledger.owner.signerContact.findMany({
    where: { tenantId, requestRef: ref },
  });
  expect(contacts).toMatchObject([{ source: "manual", opId, certain: true }]);
});

test("ID-1 race: Deploy or failover replays the scheduler; every timer meets its own key and nothing is added", async () => {
  const { ref, opId } = await aSentRequest(shop, tenant, worker, inDays(5));
  const before = await timersOf(shop, tenant.tenantId, ref);
  const wanted = before.map(({ kind, occurrence, dueAt }) => ({
    kind: kind as "remind" | "expire",
    occurrence: occurrence ?? 0,
    dueAt: dueAt.toISOString(),
    policyVersion: 2,
    deadline: null,
  }));
  const plan = { requestRef: ref, planId: opId, approvedWithOpId: opId };
  const replays = await Promise.all(
    [1, 2, 3].map(() =>
      asTenant(worker.db, tenant.tenantId, (tx) => planTimers(tx, tenant.tenantId, plan, wanted)),
    ),
  );
  expect(replays).toEqual([0, 0, 0]);
  expect(await timersOf(shop, tenant.tenantId, ref)).toEqual(before);
});

test("AP-3: a timer loses its approval with the person who approved its plan", async () => {
  const { ref } = await aSentRequest(shop, tenant, worker, inDays(5));
  const [timer] = await timersOf(shop, tenant.tenantId, ref);
  await shop.ledger.owner.membership.updateMany({
    where: { tenantId: tenant.tenantId, accountId: tenant.approver.id },
    data: { removedAt: new Date() },
  });
  expect(await holds(timer?.opId ?? "")).toBe(false);
});

test("TM-3: approving an extension ends the open timers at once, and its end plans the approved list", async () => {
  const { ref, opId } = await aSentRequest(shop, tenant, worker, inDays(5));
  const target = inDays(9);
  const extension = await extend(ref, target);
  const old = await timersOf(shop, tenant.tenantId, ref);
  expect(old.map(({ state, successorOpId }) => [state, successorOpId])).toEqual(
    old.map(() => ["superseded", extension]),
  );
  expect(old.every(({ planId }) => planId === opId)).toBe(true);
  await workUntil(shop, tenant, worker, extension, "done");
  const now = await open(ref);
  expect(now.map(({ kind }) => kind)).toEqual(["remind", "remind", "remind", "remind", "expire"]);
  expect(now.at(-1)?.dueAt).toEqual(new Date(target));
  expect(now.every(({ planId }) => planId === extension)).toBe(true);
  expect(await holds(now[0]?.opId ?? "")).toBe(true);
});

test("TM-3: an approved extension that is withdrawn gives the old plan back, under the approval that it had", async () => {
  const deadline = inDays(5);
  const { ref, opId } = await aSentRequest(shop, tenant, worker, deadline);
  const before = await open(ref);
  const extension = await extend(ref, inDays(9));
  expect(await open(ref)).toEqual([]);
  await withdraw(shop.ledger.ctx, tenant.proposer, { opId: extension, reason: WHY });
  expect((await requestOf(ref)).businessDeadlineAt).toEqual(new Date(deadline));
  const restored = await open(ref);
  expect(restored.map(({ kind, dueAt }) => [kind, dueAt])).toEqual(
    before.map(({ kind, dueAt }) => [kind, dueAt]),
  );
  for (const timer of restored) {
    expect(timer).toMatchObject({ planId: extension, approvedWithOpId: opId });
    expect(await holds(timer.opId)).toBe(true);
  }
});

test("TM-3: an extension that the platform refuses gives the old plan back in the same transaction", async () => {
  const { ref } = await aSentRequest(shop, tenant, worker, inDays(5));
  const before = (await open(ref)).length;
  const extension = await extend(ref, inDays(9));
  await shop.sandbox.control.addFault(tenant.account.id, {
    fault: "payload_refused",
    operation: "extend",
  });
  const { state } = await workUntil(shop, tenant, worker, extension, "failed_terminal");
  expect(state).toBe("failed_terminal");
  expect(await open(ref)).toHaveLength(before);
});

test("TM-3: timers that were replaced along a chain come back when its last extension ends without effect", async () => {
  const { ref } = await aSentRequest(shop, tenant, worker, inDays(5));
  const before = (await open(ref)).length;
  const first = await extend(ref, inDays(9));
  const second = await extend(ref, inDays(12), first);
  expect(await open(ref)).toEqual([]);
  await withdraw(shop.ledger.ctx, tenant.proposer, { opId: second, reason: WHY });
  const restored = await open(ref);
  expect(restored).toHaveLength(before);
  expect(new Set(restored.map(({ planId }) => planId))).toEqual(new Set([second]));
});

test("TM-3: timers that no pass has given back are found by the sweep, once", async () => {
  const { ref } = await aSentRequest(shop, tenant, worker, inDays(5));
  const before = (await open(ref)).length;
  const extension = await extend(ref, inDays(9));
  await shop.ledger.owner.$executeRaw`
    UPDATE operations SET state = 'obsolete', reason = 'withdrawn', event_actor = 'system:test', event_evidence = '{}'
    WHERE op_id = ${extension}::uuid`;
  expect(await open(ref)).toEqual([]);
  await sweep(worker);
  await sweep(worker);
  expect(await open(ref)).toHaveLength(before);
});

test("TM-3: a rejected proposal never touched the plan", async () => {
  const { ref } = await aSentRequest(shop, tenant, worker, inDays(5));
  const before = await open(ref);
  const { opId } = await proposeExtension(shop.ledger.ctx, tenant.proposer, {
    approvalId: randomUUID(),
    requestRef: ref,
    ...wishOf(inDays(9)),
    reason: WHY,
  });
  const { payloadHash } = await shop.ledger.owner.operation.findFirstOrThrow({ where: { opId } });
  const decision = { opId, version: 1, hash: payloadHash, reason: WHY };
  await reject(shop.ledger.ctx, tenant.approver, decision);
  expect(await open(ref)).toEqual(before);
});

test("GO-1: timers of a kind in shadow mode are recorded and never become operations", async () => {
  const { tenantId } = tenant;
  await shop.ledger.owner.kindMode.update({
    where: { tenantId_kind: { tenantId, kind: "remind" } },
    data: { mode: "shadow" },
  });
  const { ref, opId } = await aSentRequest(shop, tenant, worker, inDays(5));
  expect((await open(ref)).map(({ kind }) => kind)).toEqual(["expire"]);
  const records = await shop.ledger.owner.shadowRecord.findMany({ where: { tenantId } });
  for (const record of records) {
    expect(record).toMatchObject({ kind: "remind", planId: opId, approvedOpId: opId });
    expect(record.plannedBy).toBe("policy:remind-v2");
  }
  expect(records).toHaveLength(2);
});

test("IN-6 race: Reminder queued, signer then signs; the read that shows it ends every reminder with the receipt", async () => {
  const { ref, platformRef } = await aSentRequest(shop, tenant, worker, inDays(5));
  await shop.sandbox.control.act(tenant.account.id, platformRef, { change: "complete" });
  await orderRead(shop.ledger.ctx, tenant.proposer, ref);
  await fulfilReads(worker);
  expect(await open(ref)).toEqual([]);
  const { mirrorReceiptId } = await requestOf(ref);
  for (const { opId, reason } of await timersOf(shop, tenant.tenantId, ref)) {
    expect(reason).toBe("request_completed_first");
    const events = await shop.ledger.owner.operationEvent.findMany({
      where: { opId },
      orderBy: { seq: "desc" },
      take: 1,
    });
    expect(JSON.parse(events[0]?.body ?? "{}").evidence).toEqual({ receipt: mirrorReceiptId });
  }
});
