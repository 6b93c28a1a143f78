import { afterAll, beforeAll, expect, test } from "vitest";
import { OPERATION_STATES } from "@/lib/domain/operation";
import { aRequest, aTenant, operationIn, type TestTenant } from "@/lib/testing/factories";
import { type TestLedger, testLedger } from "@/lib/testing/tenants";
import { type OperationPage, operationPage } from "./operation-page";

let ledger: TestLedger;
let tenant: TestTenant;

beforeAll(async () => {
  ledger = await testLedger();
  tenant = await aTenant(ledger.owner);
});

afterAll(() => ledger.close());

async function page(opId: string, of = tenant, seesPayload = true): Promise<OperationPage> {
  const viewer = { accountId: of.approverId, seesPayload };
  const found = await operationPage(ledger.ctx.db, of.id, viewer, opId);
  if (found === null) throw new Error("the operation is not there");
  return found;
}

async function inState(state: (typeof OPERATION_STATES)[number]): Promise<string> {
  return operationIn(ledger.owner, tenant, await aRequest(ledger.owner, tenant), state);
}

test.each(OPERATION_STATES)(
  "SM-3 SM-4: the story of an operation in %s is whole and verified",
  async (state) => {
    const found = await page(await inState(state));
    expect(found.operation.state).toBe(state);
    expect(found.events.at(-1)?.to).toBe(state);
    expect(found.chain).toMatchObject({ verified: true, length: found.events.length });
    expect(found.payload.recomputed).toBe(found.operation.payloadHash);
    for (const { hash, recomputed } of found.receipts) expect(recomputed).toBe(hash);
    const holds = found.waiting.conditions.filter(({ status }) => status === "holds");
    expect(holds).toHaveLength(
      ["done", "obsolete", "superseded", "failed_terminal"].includes(state) ? 0 : 1,
    );
  },
);

test("PL-4: a confirmed operation shows the read before, what was asked, and the read after", async () => {
  const found = await page(await inState("done"));
  expect(found.receipts.map(({ purpose }) => purpose)).toEqual(["before", "after"]);
  expect(found.receipts[1]?.expiresAt).toBe(new Date(found.asked?.expiresAt ?? "").toISOString());
  expect(found.attempts).toMatchObject([{ outcome: "accepted", late: false }]);
  expect(found.approvals).toMatchObject([{ by: `user:${tenant.approverId}`, decision: "approve" }]);
  expect(found.persons[`user:${tenant.approverId}`]).toMatchObject({ you: true });
});

test("ID-7: a replacement says that it waits for the void of what it replaces, until that is confirmed", async () => {
  const of = async (state: "scheduled" | "done") => {
    const request = await aRequest(ledger.owner, tenant);
    const columns = { dueAt: new Date(Date.now() + 3_600_000) };
    const first = await operationIn(ledger.owner, tenant, request, state, { columns });
    const second = await operationIn(ledger.owner, tenant, request, "scheduled", {
      columns: { waitsForOpId: first },
    });
    const { conditions } = (await page(second)).waiting;
    return [first, conditions.find(({ name }) => name === "request_free")] as const;
  };
  const [waited, holding] = await of("scheduled");
  expect(holding).toMatchObject({ status: "holds", about: { opId: waited, state: "scheduled" } });
  const [, free] = await of("done");
  expect(free).toMatchObject({ about: null });
});

test("CL-4: a later operation of the request waits for the first, and the first says what it holds", async () => {
  const request = await aRequest(ledger.owner, tenant);
  const first = await operationIn(ledger.owner, tenant, request, "needs_reconcile");
  const second = await operationIn(ledger.owner, tenant, request, "scheduled");
  const waits = (await page(second)).waiting.conditions.find(({ status }) => status === "holds");
  expect(waits).toMatchObject({ name: "request_free", about: { opId: first } });
  expect((await page(first)).waiting.holdsBack).toMatchObject([{ opId: second }]);
});

test("CL-4: what a person decides holds the request too, but not the operation proposed to resolve it", async () => {
  const request = await aRequest(ledger.owner, tenant);
  const held = await operationIn(ledger.owner, tenant, request, "quarantined");
  const other = await operationIn(ledger.owner, tenant, request, "scheduled");
  const resolution = await operationIn(ledger.owner, tenant, request, "scheduled", {
    columns: { supersedesOpId: held },
  });
  const names = async (opId: string) =>
    (await page(opId)).waiting.conditions.find(({ status }) => status === "holds")?.name;
  expect(await names(other)).toBe("request_free");
  expect(await names(resolution)).toBe("platform");
});

test("BL-6: a pause of the connection is named, and does not hold what has started", async () => {
  const paused = await aTenant(ledger.owner);
  const request = await aRequest(ledger.owner, paused);
  const waiting = await operationIn(ledger.owner, paused, request, "scheduled");
  await ledger.owner.connection.updateMany({
    where: { tenantId: paused.id },
    data: { pausedAt: new Date(), pausedReason: "5xx storm" },
  });
  const found = await page(waiting, paused);
  expect(found.waiting.conditions.find(({ status }) => status === "holds")?.sentence).toContain(
    `Paused: connection ${paused.connectionName}`,
  );
});

test("SM-4: an entry changed behind the triggers is found and named", async () => {
  const opId = await inState("done");
  await ledger.owner.$transaction(async (tx) => {
    await tx.$executeRaw`ALTER TABLE operation_events DISABLE TRIGGER USER`;
    await tx.$executeRaw`UPDATE operation_events SET actor = 'worker:w9'
      WHERE op_id = ${opId}::uuid AND seq = 3`;
    await tx.$executeRaw`ALTER TABLE operation_events ENABLE TRIGGER USER`;
  });
  expect((await page(opId)).chain).toMatchObject({ verified: false, seq: 3, fault: "changed" });
});

test("PV-2: another tenant's operation and one that does not exist are the same nothing", async () => {
  const other = await aTenant(ledger.owner);
  const opId = await inState("needs_reconcile");
  const viewer = { accountId: other.approverId, seesPayload: true };
  expect(await operationPage(ledger.ctx.db, other.id, viewer, opId)).toBeNull();
  expect(await operationPage(ledger.ctx.db, tenant.id, viewer, "nothing")).toBeNull();
});

test("a payload is not given to those who may not see it; its hash is", async () => {
  const found = await page(await inState("proposed"), tenant, false);
  expect(found.payload.text).toBeNull();
  expect(found.payload.recomputed).toBe(found.operation.payloadHash);
});
