import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { DEFAULT_POLICY, type Policy } from "@/lib/domain/policy";
import { policyPage } from "@/lib/queries/policy-page";
import { presentPolicy } from "@/lib/store/policies";
import { refusalOf } from "@/lib/testing/refusals";
import {
  aMember,
  aRequest,
  aTenant,
  type TestLedger,
  type TestTenant,
  testLedger,
} from "@/lib/testing/tenants";
import { approve } from "./approve";
import type { Actor } from "./context";
import { proposeExtension } from "./propose-extension";
import { savePolicy } from "./save-policy";

let ledger: TestLedger;
let tenant: TestTenant;
let admin: Actor;

beforeAll(async () => {
  ledger = await testLedger();
});
afterAll(() => ledger.close());
beforeEach(async () => {
  tenant = await aTenant(ledger.owner);
  admin = await aMember(ledger.owner, tenant.tenantId, "admin");
});

function save(editedVersion: number, changes: Partial<Policy>, actor: Actor = admin) {
  const policy = { ...DEFAULT_POLICY, ...changes };
  return savePolicy(ledger.ctx, actor, { kind: "extend", editedVersion, policy });
}

async function proposed(proposer: Actor): Promise<string> {
  const request = await aRequest(ledger.owner, tenant);
  const { opId } = await proposeExtension(ledger.ctx, proposer, {
    approvalId: randomUUID(),
    requestRef: request.ref,
    date: "2027-07-01",
    time: "17:00",
    zone: "UTC",
    reason: "The board meets later.",
  });
  return opId;
}

async function approveAs(actor: Actor, opId: string) {
  const row = await ledger.owner.operation.findFirstOrThrow({ where: { opId } });
  const wish = { opId, version: row.version, hash: row.payloadHash, receiptId: null };
  return approve(ledger.ctx, actor, wish);
}

test("AP-2: an admin writes the next version; earlier ones stay, and the record of controls says what changed", async () => {
  expect(await save(1, { quorum: 2 })).toEqual({ kind: "extend", version: 2 });
  expect(await save(2, { quorum: 3 })).toEqual({ kind: "extend", version: 3 });
  const { tenantId } = tenant;
  const page = await policyPage(ledger.ctx.db, tenantId, admin.id, "extend");
  expect(page.versions.map(({ version, policy, by }) => [version, policy.quorum, by?.you])).toEqual(
    [
      [3, 3, true],
      [2, 2, true],
      [1, 1, undefined],
    ],
  );
  const events = await ledger.owner.controlEvent.findMany({
    where: { tenantId },
    orderBy: { at: "asc" },
  });
  expect(
    events.map(({ kind, about, actor, body }) => [kind, about, actor, JSON.parse(body)]),
  ).toEqual([
    ["policy_saved", "policy:extend", `user:${admin.id}`, { version: 2, changed: ["quorum"] }],
    ["policy_saved", "policy:extend", `user:${admin.id}`, { version: 3, changed: ["quorum"] }],
  ]);
});

test("AP-2: of two admins who edited the same version one is told that it is not the present one any more", async () => {
  const other = await aMember(ledger.owner, tenant.tenantId, "admin");
  const both = [save(1, { quorum: 2 }), save(1, { validityHours: 48 }, other)];
  const results = await Promise.allSettled(both);
  expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const refused = results.find((one) => one.status === "rejected");
  expect(refused?.reason).toMatchObject({ code: "policy_changed", status: 409 });
  expect((await presentPolicy(ledger.owner, tenant.tenantId, "extend")).version).toBe(2);
});

test("AP-2: nobody but an admin writes a policy, and none that nobody could meet is written", async () => {
  const manager = await aMember(ledger.owner, tenant.tenantId);
  expect((await refusalOf(save(1, { quorum: 2 }, manager))).code).toBe("not_permitted");
  const refused = await refusalOf(save(1, { approverRoles: ["compliance"] }));
  expect(refused.fields.map(({ path }) => path)).toEqual(["policy.approverRoles"]);
  expect((await refusalOf(save(7, { quorum: 2 }))).code).toBe("policy_changed");
  expect(await save(1, {})).toEqual({ kind: "extend", version: 1 });
  expect(await ledger.owner.policy.count({ where: { tenantId: tenant.tenantId } })).toBe(0);
});

test("AP-2: what is pending keeps the version that it was proposed under; new proposals get the new one", async () => {
  const [proposer, one, two] = await Promise.all(
    [1, 2, 3].map(() => aMember(ledger.owner, tenant.tenantId)),
  );
  if (!proposer || !one || !two) throw new Error("three members");
  const before = await proposed(proposer);
  await save(1, { quorum: 2 });
  const page = await policyPage(ledger.ctx.db, tenant.tenantId, admin.id, "extend");
  expect(page).toMatchObject({ pending: [{ version: 1, count: 1 }], underWay: 0 });
  expect(await approveAs(one, before)).toMatchObject({ state: "scheduled" });
  const after = await proposed(proposer);
  expect(await approveAs(one, after)).toMatchObject({ state: "proposed" });
  expect(await approveAs(two, after)).toMatchObject({ state: "scheduled" });
});
