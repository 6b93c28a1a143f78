import { afterAll, beforeAll, expect, test } from "vitest";
import { recordContacts } from "@/lib/store/contacts";
import {
  aMember,
  aRequest,
  aTenant,
  type TestLedger,
  type TestRequest,
  type TestTenant,
  testLedger,
} from "@/lib/testing/tenants";
import { newSendPage } from "./new-send-page";
import { proposePage } from "./propose-page";
import { requestPage } from "./request-page";

const HOUR = 3_600_000;
let ledger: TestLedger;
let tenant: TestTenant;
let accountId: string;

beforeAll(async () => {
  ledger = await testLedger();
  tenant = await aTenant(ledger.owner);
  accountId = (await aMember(ledger.owner, tenant.tenantId)).id;
});
afterAll(() => ledger.close());

function formOf({ ref }: TestRequest, kind: "remind" | "void" = "remind") {
  return proposePage(ledger.ctx.db, tenant.tenantId, accountId, ref, kind);
}

async function contacted({ ref }: TestRequest, subjectRef: string, at: Date): Promise<void> {
  await ledger.owner.$transaction((tx) =>
    recordContacts(tx, tenant.tenantId, {
      requestRef: ref,
      subjectRefs: [subjectRef],
      source: "manual",
      opId: null,
      at,
      certain: true,
      recordedBy: "test",
    }),
  );
}

test("RM-2: each signer has the last contact of that request, by whom, and the moment of the next", async () => {
  const request = await aRequest(ledger.owner, tenant);
  const other = await aRequest(ledger.owner, tenant);
  const [first, second] = (await formOf(request))?.signers ?? [];
  const at = new Date(Date.now() - 3 * HOUR);
  await contacted(request, first?.subjectRef ?? "", new Date(at.getTime() - HOUR));
  await contacted(request, first?.subjectRef ?? "", at);
  await contacted(other, second?.subjectRef ?? "", at);
  const view = await formOf(request);
  expect(view?.signers).toMatchObject([
    {
      signed: false,
      last: { at: at.toISOString(), by: "manual" },
      possibleAt: new Date(at.getTime() + 24 * HOUR).toISOString(),
    },
    { signed: false, last: null, possibleAt: null },
  ]);
  const page = await requestPage(ledger.ctx.db, tenant.tenantId, accountId, request.ref);
  expect(page?.signers).toEqual(view?.signers);
  expect(page?.reminding).toMatchObject({ minIntervalHours: 24, everyDays: null });
});

test("RM-2: a reminder that the platform shows counts for every signer", async () => {
  const request = await aRequest(ledger.owner, tenant);
  const at = new Date(Date.now() - 2 * HOUR);
  const where = { tenantId_ref: { tenantId: tenant.tenantId, ref: request.ref } };
  await ledger.owner.request.update({ where, data: { mirrorLastReminderAt: at } });
  const last = { at: at.toISOString(), by: "platform" };
  expect((await formOf(request))?.signers).toMatchObject([{ last }, { last }]);
});

test("GO-1: a form says in which mode its kind is, and a new send what it may go through", async () => {
  const { tenantId, connectionId } = tenant;
  const request = await aRequest(ledger.owner, tenant);
  const where = { tenantId_kind: { tenantId, kind: "void" } };
  await ledger.owner.kindMode.update({ where, data: { mode: "shadow" } });
  expect((await formOf(request, "void"))?.mode).toBe("shadow");
  expect((await formOf(request))?.mode).toBe("live");
  const send = await newSendPage(ledger.ctx.db, tenantId);
  expect(send).toMatchObject({ mode: "live", rule: { quorum: 1 } });
  expect(send.connections).toMatchObject([{ id: connectionId, sandbox: true }]);
  expect(JSON.stringify(send)).not.toMatch(/sealed|secret|base_?url/i);
});
