import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { refusalOf } from "@/lib/testing/refusals";
import {
  aMember,
  aRequest,
  aTenant,
  type TestLedger,
  type TestTenant,
  testLedger,
} from "@/lib/testing/tenants";
import { type ApprovalWish, approve } from "./approve";
import { checkNow } from "./check-now";
import type { Actor } from "./context";
import { editProposal } from "./edit-proposal";
import { expireProposals } from "./expire-proposals";
import { proposeExtension } from "./propose-extension";
import { reject } from "./reject";
import { withdraw } from "./withdraw";
import { withdrawApproval } from "./withdraw-approval";

let ledger: TestLedger;
let tenant: TestTenant;
let proposer: Actor;
let approver: Actor;

beforeAll(async () => {
  ledger = await testLedger();
  tenant = await aTenant(ledger.owner);
  proposer = await aMember(ledger.owner, tenant.tenantId);
  approver = await aMember(ledger.owner, tenant.tenantId);
});
afterAll(() => ledger.close());

const WORDS = {
  date: "2027-06-30",
  time: "10:00",
  zone: "Europe/Berlin",
  reason: "Board meets late.",
};

async function aProposal(): Promise<ApprovalWish> {
  const request = await aRequest(ledger.owner, tenant);
  const wish = { ...WORDS, approvalId: randomUUID(), requestRef: request.ref };
  const { opId } = await proposeExtension(ledger.ctx, proposer, wish);
  const { version, payloadHash } = await operation(opId);
  return { opId, version, hash: payloadHash, receiptId: request.receiptId };
}

async function anApproved(): Promise<ApprovalWish> {
  const shown = await aProposal();
  await approve(ledger.ctx, approver, shown);
  return shown;
}

function operation(opId: string) {
  return ledger.owner.operation.findFirstOrThrow({ where: { opId } });
}

function eventsOf(opId: string) {
  return ledger.owner.operationEvent.findMany({ where: { opId }, orderBy: { seq: "asc" } });
}

/** The worker's moves until nobody knows whether the call had an effect. */
async function becomesUnknown(opId: string): Promise<void> {
  for (const state of ["claimed", "submitting", "needs_reconcile"]) {
    await ledger.owner.$executeRaw`
      UPDATE operations SET state = ${state}, reason = 'test', event_actor = 'worker:test',
        lease_owner = CASE WHEN ${state} <> 'needs_reconcile' THEN ${randomUUID()}::uuid END,
        lease_until = CASE WHEN ${state} <> 'needs_reconcile' THEN ledger_now() + interval '1 minute' END,
        attempts = 1, first_intent_at = ledger_now(),
        next_look_at = CASE WHEN ${state} = 'needs_reconcile' THEN ledger_now() + interval '1 hour' END
      WHERE op_id = ${opId}::uuid`;
  }
}

test("AP-1: a rejection ends the proposal, keeps its reason in the vault, and a second click tells the same", async () => {
  const { opId, version, hash } = await aProposal();
  const rejection = { opId, version, hash, reason: "Canary-Finch says no." };
  const first = await reject(ledger.ctx, approver, rejection);
  expect(first).toEqual({ opId, state: "obsolete" });
  expect(await reject(ledger.ctx, approver, rejection)).toEqual(first);
  expect(await operation(opId)).toMatchObject({ state: "obsolete", reason: "rejected" });
  const events = await eventsOf(opId);
  expect(events).toHaveLength(2);
  expect(JSON.stringify(events)).not.toContain("Canary-Finch");
  const colleague = await aMember(ledger.owner, tenant.tenantId);
  const late = { opId, version, hash, receiptId: null };
  expect(await refusalOf(approve(ledger.ctx, colleague, late))).toMatchObject({
    code: "already_decided",
    status: 409,
  });
});

test("AP-1 AP-2: neither the proposer, nor on a version that is gone, nor without a reason can anybody reject", async () => {
  const { opId, version, hash } = await aProposal();
  const rejection = { opId, version, hash, reason: "No longer wanted." };
  const tries: [Actor, Partial<typeof rejection>, string][] = [
    [proposer, {}, "same_person"],
    [approver, { version: 2 }, "approval_stale"],
    [approver, { hash: "0".repeat(64) }, "approval_stale"],
    [approver, { reason: " " }, "reason_empty"],
    [await aMember(ledger.owner, tenant.tenantId, "compliance"), {}, "not_permitted"],
  ];
  for (const [actor, change, code] of tries) {
    const refusal = await refusalOf(reject(ledger.ctx, actor, { ...rejection, ...change }));
    expect(refusal.code).toBe(code);
  }
  expect((await operation(opId)).state).toBe("proposed");
});

test("RC-8: the proposer takes a proposal or an approved operation back while no call left, and nobody else does", async () => {
  for (const make of [aProposal, anApproved]) {
    const { opId } = await make();
    const withdrawal = { opId, reason: "Not needed any more." };
    expect(await refusalOf(withdraw(ledger.ctx, approver, withdrawal))).toMatchObject({
      code: "not_permitted",
    });
    const first = await withdraw(ledger.ctx, proposer, withdrawal);
    expect(await withdraw(ledger.ctx, proposer, withdrawal)).toEqual(first);
    expect(await operation(opId)).toMatchObject({ state: "obsolete", reason: "withdrawn" });
  }
  const { opId } = await anApproved();
  await becomesUnknown(opId);
  const late = await refusalOf(
    withdraw(ledger.ctx, proposer, { opId, reason: "Too late for that." }),
  );
  expect(late).toMatchObject({ code: "operation_moved_on", status: 409 });
  expect((await operation(opId)).state).toBe("needs_reconcile");
});

test("AP-3: taking one's approval back sends an operation that waits to review, with an owner and both entries", async () => {
  const { opId } = await anApproved();
  const withdrawal = { opId, reason: "Read the wrong contract." };
  const answer = await withdrawApproval(ledger.ctx, approver, withdrawal);
  expect(answer).toEqual({ opId, state: "needs_review" });
  expect(await operation(opId)).toMatchObject({
    state: "needs_review",
    reason: "authorization_lost",
    owner: "team:account-managers",
  });
  const items = await ledger.owner.reviewItem.findMany({ where: { opId } });
  expect(items).toMatchObject([{ reason: "authorization_lost", owner: "team:account-managers" }]);
  expect((await eventsOf(opId)).map(({ kind }) => kind)).toEqual([
    "proposed",
    "transition",
    "approval_withdrawn",
    "transition",
  ]);
});

test("AP-3: an approval is not taken back by others, nor once a worker has the operation", async () => {
  const { opId } = await anApproved();
  const withdrawal = { opId, reason: "Read the wrong contract." };
  const colleague = await aMember(ledger.owner, tenant.tenantId);
  expect(await refusalOf(withdrawApproval(ledger.ctx, colleague, withdrawal))).toMatchObject({
    code: "not_found",
  });
  await becomesUnknown(opId);
  expect(await refusalOf(withdrawApproval(ledger.ctx, approver, withdrawal))).toMatchObject({
    code: "operation_moved_on",
  });
});

test("AP-1: of two edits of one version the first wins, and a decided proposal is not edited", async () => {
  const { opId, version, hash } = await aProposal();
  const edits = await Promise.allSettled(
    ["2027-07-01", "2027-07-02"].map((date) =>
      editProposal(ledger.ctx, proposer, { ...WORDS, date, opId, version }),
    ),
  );
  expect(edits.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(edits.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { code: "approval_stale" },
  });
  const now = await operation(opId);
  expect(now).toMatchObject({ version: 2, state: "proposed", editedBy: `user:${proposer.id}` });
  expect(now.payloadHash).not.toBe(hash);
  expect(await ledger.owner.operationVersion.count({ where: { opId } })).toBe(2);
  await approve(ledger.ctx, approver, { opId, version: 2, hash: now.payloadHash, receiptId: null });
  const late = editProposal(ledger.ctx, proposer, {
    ...WORDS,
    date: "2027-07-03",
    opId,
    version: 2,
  });
  expect(await refusalOf(late)).toMatchObject({ code: "operation_moved_on" });
});

test("AP-2: proposals that nobody approved in time end as expired, in one tenant as in another, and no others", async () => {
  const other = await aTenant(ledger.owner);
  const stranger = await aMember(ledger.owner, other.tenantId);
  const foreign = await aRequest(ledger.owner, other);
  const wish = { ...WORDS, approvalId: randomUUID(), requestRef: foreign.ref };
  const late = [await aProposal(), await proposeExtension(ledger.ctx, stranger, wish)];
  const [fresh, approved] = [await aProposal(), await anApproved()];
  await ledger.owner.operation.updateMany({
    where: { opId: { in: [...late, approved].map(({ opId }) => opId) } },
    data: { approvalExpiresAt: new Date(Date.now() - 1000) },
  });
  expect(await expireProposals(ledger.owner)).toBe(2);
  expect(await expireProposals(ledger.owner)).toBe(0);
  for (const { opId } of late) {
    expect(await operation(opId)).toMatchObject({ state: "obsolete", reason: "approval_expired" });
  }
  expect((await operation(fresh.opId)).state).toBe("proposed");
  expect((await operation(approved.opId)).state).toBe("scheduled");
});

test("RC-1: a look is asked for once a minute, only for what is unknown, and is recorded", async () => {
  const { opId } = await anApproved();
  expect(await refusalOf(checkNow(ledger.ctx, approver, opId))).toMatchObject({
    code: "operation_moved_on",
  });
  await becomesUnknown(opId);
  expect(await checkNow(ledger.ctx, approver, opId)).toEqual({ opId, asked: true });
  const { nextLookAt } = await operation(opId);
  expect(nextLookAt?.getTime()).toBeLessThanOrEqual(Date.now());
  await ledger.owner.operation.updateMany({
    where: { opId },
    data: { nextLookAt: new Date(Date.now() + 3_600_000) },
  });
  const again = await refusalOf(checkNow(ledger.ctx, approver, opId));
  expect(again).toMatchObject({ code: "too_many_tries", status: 429 });
  expect(again.message).toMatch(/^Too many tries\. Again in [1-6]?\d s\.$/);
  const asked = (await eventsOf(opId)).filter(({ kind }) => kind === "check_asked");
  expect(asked).toMatchObject([{ actor: `user:${approver.id}`, toState: "needs_reconcile" }]);
});
