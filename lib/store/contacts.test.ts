import { afterAll, beforeAll, expect, test } from "vitest";
import { aRequest, aTenant, operationIn, type TestTenant } from "@/lib/testing/factories";
import { type TestLedger, testLedger } from "@/lib/testing/tenants";
import { type NewContacts, newestContact, recordContacts } from "./contacts";
import { asTenant } from "./db";

let ledger: TestLedger;
let tenant: TestTenant;

beforeAll(async () => {
  ledger = await testLedger();
  tenant = await aTenant(ledger.owner);
});
afterAll(() => ledger.close());

const NINE = new Date("2027-03-01T09:00:00Z");
const TEN = new Date("2027-03-01T10:00:00Z");

function record(requestRef: string, changes: Partial<NewContacts>): Promise<number> {
  return asTenant(ledger.ctx.db, tenant.id, (tx) =>
    recordContacts(tx, tenant.id, {
      requestRef,
      subjectRefs: ["s_one"],
      source: "elsewhere",
      opId: null,
      at: NINE,
      certain: true,
      recordedBy: "system:test",
      ...changes,
    }),
  );
}

function newest(requestRef: string, subjectRefs: readonly string[]) {
  return asTenant(ledger.ctx.db, tenant.id, (tx) =>
    newestContact(tx, tenant.id, requestRef, subjectRefs),
  );
}

test("RM-2: the newest contact with any of the signers counts, whoever made it", async () => {
  const { ref } = await aRequest(ledger.owner, tenant);
  expect(await newest(ref, ["s_one", "s_two"])).toBeNull();
  await record(ref, { source: "platform", at: TEN });
  await record(ref, { subjectRefs: ["s_two"], source: "manual", at: NINE });
  expect(await newest(ref, ["s_one", "s_two"])).toEqual({ at: TEN, source: "platform" });
  expect(await newest(ref, ["s_two"])).toEqual({ at: NINE, source: "manual" });
});

test("RM-2: contacts about another request of the same person do not count", async () => {
  const [one, other] = [await aRequest(ledger.owner, tenant), await aRequest(ledger.owner, tenant)];
  await record(one.ref, {});
  expect(await newest(other.ref, ["s_one"])).toBeNull();
});

test("RM-2 RC-5: an operation counts once per signer, also when nobody knows whether it went out", async () => {
  const request = await aRequest(ledger.owner, tenant);
  const opId = await operationIn(ledger.owner, tenant, request, "done");
  const contact = { opId, subjectRefs: ["s_one", "s_two", "s_one"], certain: false } as const;
  expect(await record(request.ref, contact)).toBe(2);
  expect(await record(request.ref, { ...contact, at: TEN })).toBe(0);
  expect(await newest(request.ref, ["s_two"])).toEqual({ at: NINE, source: "elsewhere" });
});
