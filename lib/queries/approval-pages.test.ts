import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Role } from "@/lib/domain/role";
import {
  anAccount,
  aRequest,
  aTenant,
  operationIn,
  type TestTenant,
} from "@/lib/testing/factories";
import { type TestLedger, testLedger } from "@/lib/testing/tenants";
import { type ApprovalTab, approvalsPage } from "./approvals-page";
import { approvePage } from "./approve-page";

const HOUR = 3_600_000;
let ledger: TestLedger;
let tenant: TestTenant;

beforeAll(async () => {
  ledger = await testLedger();
  tenant = await aTenant(ledger.owner);
});

afterAll(() => ledger.close());

interface Person {
  readonly accountId: string;
  readonly role: Role;
}

const proposer = (of: TestTenant): Person => ({
  accountId: of.proposerId,
  role: "account_manager",
});
const approver = (of: TestTenant): Person => ({
  accountId: of.approverId,
  role: "account_manager",
});

function list(of: TestTenant, viewer: Person, tab: ApprovalTab, more: object = {}) {
  return approvalsPage(ledger.ctx.db, of.id, viewer, { tab, size: 50, ...more });
}

async function proposed(of: TestTenant, hours: number, mirror = {}): Promise<string> {
  const request = await aRequest(ledger.owner, of, undefined, mirror);
  const approvalExpiresAt = new Date(Date.now() + hours * HOUR);
  return operationIn(ledger.owner, of, request, "proposed", { columns: { approvalExpiresAt } });
}

const ids = (page: { rows: readonly { opId: string }[] }) => page.rows.map(({ opId }) => opId);

test("AP-5: a proposal waits for the other account manager and is the proposer's own", async () => {
  const own = await aTenant(ledger.owner);
  const opId = await proposed(own, 10);
  const compliance: Person = {
    accountId: await anAccount(ledger.owner, own.id, "compliance"),
    role: "compliance",
  };
  expect(ids(await list(own, approver(own), "mine"))).toEqual([opId]);
  expect(ids(await list(own, proposer(own), "mine"))).toEqual([]);
  expect(ids(await list(own, proposer(own), "proposed_by_me"))).toEqual([opId]);
  expect(ids(await list(own, compliance, "mine"))).toEqual([]);
  expect(ids(await list(own, compliance, "others"))).toEqual([opId]);
  const { counts } = await list(own, approver(own), "mine");
  expect(counts).toEqual({ mine: 1, others: 0, proposed_by_me: 0, decided: 0 });
});

test("AP-2: what an agent key proposed does not wait for the person who made the key", async () => {
  const own = await aTenant(ledger.owner);
  const id = randomUUID();
  await ledger.owner.$executeRaw`
    INSERT INTO api_keys (tenant_id, id, name, key_hash, scopes, created_by)
    VALUES (${own.id}::uuid, ${id}::uuid, 'agent', ${id}, '{propose}', ${own.approverId}::uuid)`;
  const request = await aRequest(ledger.owner, own);
  const columns = { proposedBy: `key:${id}` };
  const opId = await operationIn(ledger.owner, own, request, "proposed", { columns });
  expect(ids(await list(own, approver(own), "mine"))).toEqual([]);
  expect(ids(await list(own, approver(own), "proposed_by_me"))).toEqual([opId]);
  const view = await approvePage(ledger.ctx.db, own.id, approver(own), opId);
  expect(view?.may).toEqual({ approve: false, withdraw: true, why: "same_person" });
  expect(view?.proposedBy).toMatchObject({ mark: "agent", you: false });
});

test("waiting approvals come in the order in which something is lost, page after page", async () => {
  const own = await aTenant(ledger.owner);
  const late = await proposed(own, 90);
  const soon = await proposed(own, 5);
  const platform = await proposed(own, 80, { mirrorExpiresAt: new Date(Date.now() + 20 * HOUR) });
  const wanted = [soon, platform, late];
  expect(ids(await list(own, approver(own), "mine"))).toEqual(wanted);
  const first = await list(own, approver(own), "mine", { size: 2 });
  expect([ids(first), first.older]).toEqual([wanted.slice(0, 2), platform]);
  const second = await list(own, approver(own), "mine", { size: 2, after: platform });
  expect([ids(second), second.older]).toEqual([[late], null]);
});

test("an expired proposal waits for nobody, and decided ones are listed with their state", async () => {
  const own = await aTenant(ledger.owner);
  await proposed(own, -1);
  const done = await operationIn(ledger.owner, own, await aRequest(ledger.owner, own), "done");
  const gone = await operationIn(ledger.owner, own, await aRequest(ledger.owner, own), "obsolete");
  expect(ids(await list(own, approver(own), "mine"))).toEqual([]);
  expect(ids(await list(own, approver(own), "decided"))).toEqual(
    expect.arrayContaining([done, gone]),
  );
});

test("AP-1: the page holds payload, hash, basis, rule and what this person may do", async () => {
  const opId = await proposed(tenant, 10);
  const view = await approvePage(ledger.ctx.db, tenant.id, approver(tenant), opId);
  expect(view).toMatchObject({
    version: 1,
    hashFits: true,
    have: 0,
    rule: { quorum: 1, fourEyes: true },
    may: { approve: true, withdraw: false, why: null },
    asked: { kind: "extend" },
  });
  expect(view?.plain?.sentence).toMatch(/^Extend the deadline of /);
  const own = await approvePage(ledger.ctx.db, tenant.id, proposer(tenant), opId);
  expect(own?.may).toEqual({ approve: false, withdraw: true, why: "same_person" });
});

test("AP-4: after the decision the page says by whom and when, and offers nothing", async () => {
  const request = await aRequest(ledger.owner, tenant);
  const opId = await operationIn(ledger.owner, tenant, request, "scheduled");
  const mine = await approvePage(ledger.ctx.db, tenant.id, approver(tenant), opId);
  expect(mine?.may).toEqual({ approve: false, withdraw: false, why: null });
  expect(mine?.decisions).toMatchObject([{ decision: "approve", by: { you: true }, version: 1 }]);
  const theirs = await approvePage(ledger.ctx.db, tenant.id, proposer(tenant), opId);
  expect(theirs?.decisions).toMatchObject([{ by: { you: false, role: "account_manager" } }]);
});

test("the next one that waits leaves out the present one and counts the rest", async () => {
  const own = await aTenant(ledger.owner);
  const [first, second] = [await proposed(own, 5), await proposed(own, 9)];
  const view = await approvePage(ledger.ctx.db, own.id, approver(own), first);
  expect(view?.next).toEqual({ opId: second, count: 1 });
});

test("D3: the race window is measured from the read before a call to the platform's answer", async () => {
  const own = await aTenant(ledger.owner);
  const waiting = await proposed(own, 5);
  const window = async () =>
    (await approvePage(ledger.ctx.db, own.id, approver(own), waiting))?.raceWindow;
  expect(await window()).toBeNull();
  const request = await aRequest(ledger.owner, own);
  const opId = await operationIn(ledger.owner, own, request, "scheduled");
  for (const [fence, tookMs] of [
    [11, 400],
    [12, 2000],
  ] as const) {
    const read = new Date(Date.now() - 60_000);
    const { id: tenantId } = own;
    await ledger.owner.readReceipt.create({
      data: {
        ...{ tenantId, id: randomUUID(), requestRef: request.ref, opId, fence },
        ...{ purpose: "before", outcome: "read", startedAt: read, finishedAt: read },
        ...{ matches: 1, body: "{}", hash: "0" },
      },
    });
    const reportedAt = new Date(read.getTime() + tookMs);
    const worker = { workerId: randomUUID(), intentAt: read, leaseUntil: reportedAt };
    await ledger.owner.attempt.create({
      data: { tenantId, opId, fence, ...worker, reportedAt, outcome: "accepted" },
    });
  }
  expect(await window()).toEqual({ medianMs: 1200, worstMs: 2000 });
});

test.each(["nothing", "7c1e4b09", randomUUID()])(
  "PV-2: an id that names nothing here has no page: %s",
  async (opId) => {
    expect(await approvePage(ledger.ctx.db, tenant.id, approver(tenant), opId)).toBeNull();
  },
);

test("PV-2: another tenant's operation has no page here", async () => {
  const other = await aTenant(ledger.owner);
  const opId = await proposed(other, 5);
  expect(await approvePage(ledger.ctx.db, tenant.id, approver(tenant), opId)).toBeNull();
});
