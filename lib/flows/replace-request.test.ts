import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { isFinal, type OperationState } from "@/lib/domain/operation";
import { refusalOf } from "@/lib/testing/refusals";
import { anApprovedSend } from "@/lib/testing/sends";
import { aSentRequest, setPolicy, timersOf, workUntil } from "@/lib/testing/timers";
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
import { approve } from "./approve";
import { claimDueWork } from "./claim-work";
import { executeClaim } from "./execute";
import { fulfilReads } from "./fulfil-reads";
import { orderRead } from "./order-read";
import { proposeExtension } from "./propose-extension";
import { proposeSend } from "./propose-send";
import type { ReplacementWish } from "./replaced-send";
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
});

const WHY = "The wrong person was named.";

function correct(ref: string, replaces: Omit<ReplacementWish, "reason">) {
  return proposeSend(shop.ledger.ctx, tenant.proposer, {
    approvalId: randomUUID(),
    requestRef: ref,
    connectionId: tenant.connectionId,
    documents: [{ digest: "e".repeat(64), version: 2 }],
    signers: [{ name: "Kim Example", email: "kim@sign.invalid", role: "signer", order: 1 }],
    title: "A corrected contract",
    ...wishOf(inDays(8)),
    reminders: { owner: "application", intervalDays: 3 },
    replaces: { ...replaces, reason: WHY },
  });
}

async function anApprovedCorrection(
  ref: string,
  supersedesOpId: string,
  changes: Partial<ReplacementWish> = {},
): Promise<string> {
  const { opId } = await correct(ref, { supersedesOpId, revision: 2, ...changes });
  await approveNow(shop, tenant, opId, null);
  return opId;
}

function requestOf(ref: string) {
  const key = { tenantId_ref: { tenantId: tenant.tenantId, ref } };
  return shop.ledger.owner.request.findUniqueOrThrow({ where: key });
}

function voidsOf(ref: string) {
  return shop.ledger.owner.operation.findMany({
    where: { tenantId: tenant.tenantId, requestRef: ref, kind: "void" },
  });
}

async function openTimers(ref: string) {
  const rows = await timersOf(shop, tenant.tenantId, ref);
  return rows.filter(({ state }) => !isFinal(state as OperationState));
}

async function effects(platformRef: string): Promise<string[]> {
  return (await effectsOf(shop, tenant, { requestId: platformRef })).map(({ kind }) => kind);
}

test("ID-7: a corrected send waits for the ledgered void of the old one, and then the request is the new one", async () => {
  await setPolicy(shop, tenant, "remind", { everyDays: 2 });
  const first = await aSentRequest(shop, tenant, worker, inDays(5));
  const { opId } = await correct(first.ref, { supersedesOpId: first.opId, revision: 2 });
  expect(await voidsOf(first.ref)).toEqual([]);
  await approveNow(shop, tenant, opId, null);
  const [voided] = await voidsOf(first.ref);
  expect(voided).toMatchObject({ state: "scheduled", approvedWithOpId: opId, attempts: 0 });
  expect(await operationOf(shop, tenant, first.opId)).toMatchObject({
    state: "done",
    successorOpId: opId,
  });
  expect(await operationOf(shop, tenant, opId)).toMatchObject({
    state: "scheduled",
    supersedesOpId: first.opId,
    waitsForOpId: voided?.opId,
  });
  expect(await openTimers(first.ref)).toEqual([]);

  const made = await workUntil(shop, tenant, worker, opId, "done");
  expect(await operationOf(shop, tenant, voided?.opId ?? "")).toMatchObject({ state: "done" });
  expect(await effects(first.platformRef)).toEqual(["sent", "voided"]);
  expect(await effects(made.platformRef ?? "")).toEqual(["sent"]);
  expect(await requestOf(first.ref)).toMatchObject({
    platformRef: made.platformRef,
    revision: 2,
    mirrorStatus: "sent",
    mirrorTerminal: false,
    timerPlanId: opId,
  });
  const signers = await shop.ledger.owner.requestSigner.findMany({
    where: { tenantId: tenant.tenantId, requestRef: first.ref },
  });
  expect(signers).toHaveLength(1);
  expect((await openTimers(first.ref)).map(({ planId }) => planId)).toEqual([opId, opId]);
});

test("ID-7 IN-6: what else was open on a replaced request ends with the approval of the replacement", async () => {
  const first = await aSentRequest(shop, tenant, worker, inDays(5));
  const { opId: pending } = await proposeExtension(shop.ledger.ctx, tenant.proposer, {
    approvalId: randomUUID(),
    requestRef: first.ref,
    ...wishOf(inDays(7)),
    reason: WHY,
  });
  await anApprovedCorrection(first.ref, first.opId);
  expect(await operationOf(shop, tenant, pending)).toMatchObject({
    state: "obsolete",
    reason: "request_replaced",
  });
});

test("ID-7: the old request completes before its void; the replacement goes to a person and nothing is sent", async () => {
  const first = await aSentRequest(shop, tenant, worker, inDays(5));
  const opId = await anApprovedCorrection(first.ref, first.opId);
  await shop.sandbox.control.act(tenant.account.id, first.platformRef, { change: "complete" });
  const row = await workUntil(shop, tenant, worker, opId, "needs_review");
  expect(row).toMatchObject({ reason: "completed_before_replacement", attempts: 0 });
  expect(row.owner).toBe(`account:${tenant.proposer.id}`);
  const [voided] = await voidsOf(first.ref);
  expect(voided?.state).toBe("obsolete");
  expect(await effects(first.platformRef)).not.toContain("voided");
});

test("IN-6 ID-7: a read that shows the completion moves the replacement to a person in its own transaction, and leaves the void to its own read", async () => {
  const first = await aSentRequest(shop, tenant, worker, inDays(5));
  const opId = await anApprovedCorrection(first.ref, first.opId);
  await shop.sandbox.control.act(tenant.account.id, first.platformRef, { change: "complete" });
  await orderRead(shop.ledger.ctx, tenant.proposer, first.ref);
  await fulfilReads(worker);
  expect(await operationOf(shop, tenant, opId)).toMatchObject({
    state: "needs_review",
    reason: "completed_before_replacement",
  });
  expect((await voidsOf(first.ref)).map(({ state }) => state)).toEqual(["scheduled"]);
});

test("ID-7: somebody else voids the old request first; the replacement needs no void of ours any more", async () => {
  const first = await aSentRequest(shop, tenant, worker, inDays(5));
  const opId = await anApprovedCorrection(first.ref, first.opId);
  await shop.sandbox.control.act(tenant.account.id, first.platformRef, { change: "void" });
  const made = await workUntil(shop, tenant, worker, opId, "done");
  expect(made.waitsForOpId).toBe(first.opId);
  expect(await requestOf(first.ref)).toMatchObject({ platformRef: made.platformRef });
});

test("ID-7: where the approval says so the replacement starts at once, and the void still reaches the old one only", async () => {
  const first = await aSentRequest(shop, tenant, worker, inDays(5));
  const opId = await anApprovedCorrection(first.ref, first.opId, { startAtOnce: true });
  const [voided] = await voidsOf(first.ref);
  await shop.ledger.owner.$executeRaw`
    UPDATE operations SET due_at = 'infinity' WHERE op_id = ${voided?.opId}::uuid`;
  const made = await workUntil(shop, tenant, worker, opId, "done");
  expect(await effects(first.platformRef)).toEqual(["sent"]);
  await shop.ledger.owner.$executeRaw`
    UPDATE operations SET due_at = ledger_now() WHERE op_id = ${voided?.opId}::uuid`;
  await workUntil(shop, tenant, worker, voided?.opId ?? "", "done");
  expect(await effects(first.platformRef)).toEqual(["sent", "voided"]);
  expect(await effects(made.platformRef ?? "")).toEqual(["sent"]);
  expect(await requestOf(first.ref)).toMatchObject({
    platformRef: made.platformRef,
    mirrorStatus: "sent",
    mirrorTerminal: false,
  });
});

test("ID-7: also a replacement that may start at once is not sent when the old request was completed first", async () => {
  const first = await aSentRequest(shop, tenant, worker, inDays(5));
  const opId = await anApprovedCorrection(first.ref, first.opId, { startAtOnce: true });
  const [voided] = await voidsOf(first.ref);
  await shop.ledger.owner.$executeRaw`
    UPDATE operations SET due_at = 'infinity' WHERE op_id = ${voided?.opId}::uuid`;
  const hands = await claimDueWork(worker, 8);
  expect(hands.map(({ claim }) => claim.opId)).toEqual([opId]);
  await shop.ledger.owner.$executeRaw`
    UPDATE requests SET mirror_status = 'completed', mirror_terminal = true WHERE ref = ${first.ref}`;
  await Promise.all(hands.map((hand) => executeClaim(worker, hand)));
  const row = await workUntil(shop, tenant, worker, opId, "needs_review");
  expect(row).toMatchObject({ reason: "completed_before_replacement", attempts: 0 });
  expect(await effectsOf(shop, tenant, { kind: "sent" })).toHaveLength(1);
});

test("SM-5 ID-7: a send that never reached the platform is superseded at once, and there is nothing to void", async () => {
  const { ref, opId: first } = await anApprovedSend(shop, tenant, inDays(5));
  const opId = await anApprovedCorrection(ref, first);
  expect(await operationOf(shop, tenant, first)).toMatchObject({
    state: "superseded",
    successorOpId: opId,
  });
  expect(await voidsOf(ref)).toEqual([]);
  await workUntil(shop, tenant, worker, opId, "done");
  expect(await effectsOf(shop, tenant, { kind: "sent" })).toHaveLength(1);
});

test("ID-7 RC-3: an unknown send is found after its replacement was approved; it is voided first", async () => {
  const { ref, opId: first } = await anApprovedSend(shop, tenant, inDays(5));
  await shop.sandbox.control.addFault(tenant.account.id, {
    fault: "reset_after",
    operation: "send",
  });
  await workUntil(shop, tenant, worker, first, "needs_reconcile");
  await shop.ledger.owner.$executeRaw`
    UPDATE operations SET next_look_at = 'infinity' WHERE op_id = ${first}::uuid`;
  const opId = await anApprovedCorrection(ref, first);
  await oneRound(worker);
  expect(await operationOf(shop, tenant, first)).toMatchObject({ state: "needs_reconcile" });
  expect(await operationOf(shop, tenant, opId)).toMatchObject({ state: "scheduled" });
  await shop.ledger.owner.$executeRaw`
    UPDATE operations SET next_look_at = ledger_now() WHERE op_id = ${first}::uuid`;
  const made = await workUntil(shop, tenant, worker, opId, "done");
  const found = await operationOf(shop, tenant, first);
  expect(found.state).toBe("done");
  expect(await effects(found.platformRef ?? "")).toEqual(["sent", "voided"]);
  expect(await effects(made.platformRef ?? "")).toEqual(["sent"]);
});

test("ID-7: a replacement of a replacement ends both that were never sent, and one void is enough", async () => {
  const first = await aSentRequest(shop, tenant, worker, inDays(5));
  const second = await anApprovedCorrection(first.ref, first.opId);
  const third = await anApprovedCorrection(first.ref, second, { revision: 3 });
  expect(await operationOf(shop, tenant, second)).toMatchObject({
    state: "superseded",
    successorOpId: third,
  });
  const voids = await voidsOf(first.ref);
  expect(voids).toHaveLength(1);
  expect(await operationOf(shop, tenant, third)).toMatchObject({ waitsForOpId: voids[0]?.opId });
  const made = await workUntil(shop, tenant, worker, third, "done");
  expect(await effects(first.platformRef)).toEqual(["sent", "voided"]);
  expect(await requestOf(first.ref)).toMatchObject({ platformRef: made.platformRef, revision: 3 });
});

test("ID-7 TM-3: a withdrawn replacement takes its void with it and gives the old timers back", async () => {
  await setPolicy(shop, tenant, "remind", { everyDays: 2 });
  const first = await aSentRequest(shop, tenant, worker, inDays(5));
  const before = await openTimers(first.ref);
  const opId = await anApprovedCorrection(first.ref, first.opId);
  await withdraw(shop.ledger.ctx, tenant.proposer, { opId, reason: WHY });
  expect((await voidsOf(first.ref)).map(({ state, reason }) => [state, reason])).toEqual([
    ["obsolete", "withdrawn"],
  ]);
  expect((await openTimers(first.ref)).map(({ dueAt }) => dueAt)).toEqual(
    before.map(({ dueAt }) => dueAt),
  );
  await oneRound(worker);
  expect(await effects(first.platformRef)).toEqual(["sent"]);
});

test("AP-2 ID-7: the approval of a replacement has to meet the policy for voids too", async () => {
  await setPolicy(shop, tenant, "void", { approverRoles: ["on_call"] });
  const first = await aSentRequest(shop, tenant, worker, inDays(5));
  const { opId } = await correct(first.ref, { supersedesOpId: first.opId, revision: 2 });
  const { payloadHash: hash } = await operationOf(shop, tenant, opId);
  const wish = { opId, version: 1, hash, receiptId: null };
  const refused = await refusalOf(approve(shop.ledger.ctx, tenant.approver, wish));
  expect(refused.code).toBe("not_permitted");
});

test("AP-1: a request that changed since the correction was proposed is not voided by its approval", async () => {
  const first = await aSentRequest(shop, tenant, worker, inDays(5));
  const { opId } = await correct(first.ref, { supersedesOpId: first.opId, revision: 2 });
  await shop.sandbox.control.act(tenant.account.id, first.platformRef, { change: "complete" });
  await orderRead(shop.ledger.ctx, tenant.proposer, first.ref);
  await fulfilReads(worker);
  const { payloadHash: hash, state } = await operationOf(shop, tenant, opId);
  expect(state).toBe("obsolete");
  const wish = { opId, version: 1, hash, receiptId: null };
  const refused = await refusalOf(approve(shop.ledger.ctx, tenant.approver, wish));
  expect(refused.code).toBe("operation_moved_on");
  expect(await voidsOf(first.ref)).toEqual([]);
});

test("ID-1 ID-7: a correction names a send of its request, the next revision and the same connection", async () => {
  const first = await aSentRequest(shop, tenant, worker, inDays(5));
  const other = await aSentRequest(shop, tenant, worker, inDays(5));
  const refused = async (replaces: Omit<ReplacementWish, "reason">) =>
    (await refusalOf(correct(first.ref, replaces))).code;
  expect(await refused({ supersedesOpId: first.opId, revision: 3 })).toBe("fields_unusable");
  expect(await refused({ supersedesOpId: other.opId, revision: 2 })).toBe("not_found");
  await shop.ledger.owner.kindMode.update({
    where: { tenantId_kind: { tenantId: tenant.tenantId, kind: "void" } },
    data: { mode: "off" },
  });
  expect(await refused({ supersedesOpId: first.opId, revision: 2 })).toBe("mode_off");
});
