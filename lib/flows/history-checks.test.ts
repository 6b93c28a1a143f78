import { afterAll, beforeAll, expect, test } from "vitest";
import { timestampAuthority } from "@/lib/providers/timestamp";
import { connect, type Database } from "@/lib/store/db";
import { aRequest, aTenant, operationIn, type TestTenant } from "@/lib/testing/factories";
import { sealNow, tamper } from "@/lib/testing/history";
import { type TestSandbox, testSandbox } from "@/lib/testing/sandbox";
import { aMember, type TestLedger, testLedger } from "@/lib/testing/tenants";
import { askCheck } from "./ask-check";
import { runChecks } from "./run-checks";
import type { SealContext } from "./seal-chains";
import { sealChains } from "./seal-chains";
import { stampSeals } from "./stamp-seals";

let ledger: TestLedger;
let sandbox: TestSandbox;
let worker: SealContext;
let db: Database;
let tenant: TestTenant;
let opId: string;

beforeAll(async () => {
  [ledger, sandbox] = await Promise.all([testLedger(), testSandbox()]);
  db = connect(ledger.url, { role: "deadline_worker", poolMax: 3 });
  worker = { owner: ledger.owner, db, log: ledger.ctx.log };
  tenant = await aTenant(ledger.owner);
  opId = await operationIn(ledger.owner, tenant, await aRequest(ledger.owner, tenant), "done");
  await sealChains(worker);
});
afterAll(async () => {
  await db.$disconnect();
  await Promise.all([ledger.close(), sandbox.close()]);
});

test("SM-4: a seal is made once an hour, and sooner only while chains wait", async () => {
  await operationIn(ledger.owner, tenant, await aRequest(ledger.owner, tenant), "proposed");
  expect(await sealChains(worker)).toBe(0);
  expect(await sealChains(worker, { everyMs: 0, leavesMax: 100 })).toBe(1);
});

test("SM-4: a seal is stamped once, after an authority that was away or wrong was asked again", async () => {
  const root = await (await fetch(`${sandbox.url}/tsa/root.pem`)).text();
  const authority = (path: string) => timestampAuthority(`${sandbox.url}${path}`, root);
  expect(await stampSeals(worker, timestampAuthority("http://127.0.0.1:1/tsa", root))).toBe(0);
  expect(await stampSeals(worker, authority("/tsa?fault=wrong_nonce"))).toBe(0);
  expect(await ledger.owner.sealStamp.count()).toBe(0);
  expect(await stampSeals(worker, authority("/tsa"))).toBe(1);
  expect(await stampSeals(worker, authority("/tsa"))).toBe(0);
  expect(await ledger.owner.sealStamp.findMany()).toMatchObject([
    { tenantId: tenant.id, sealSeq: 2, authority: "127.0.0.1" },
  ]);
});

test("SM-4: a finding of a check is kept and goes to compliance, once", async () => {
  const officer = await aMember(ledger.owner, tenant.id, "compliance");
  const clean = await askCheck(ledger.ctx, officer, { kind: "all" });
  expect(await runChecks(worker)).toBe(1);
  expect(await runChecks(worker)).toBe(0);
  const check = (id: string) => ledger.owner.historyCheck.findFirstOrThrow({ where: { id } });
  const whole = { state: "done", chains: 2n, entries: 6n, seals: 2 };
  expect(await check(clean.id)).toMatchObject({ ...whole, findings: 0 });
  await tamper(
    ledger.owner,
    "UPDATE operation_events SET actor = 'user:x' WHERE op_id = $1::uuid AND seq = 4",
    opId,
  );
  for (let round = 0; round < 2; round += 1) {
    const { id } = await askCheck(ledger.ctx, officer, { kind: "all" });
    await runChecks(worker);
    expect(await check(id)).toMatchObject({ ...whole, findings: 1 });
    expect(await ledger.owner.historyFinding.findMany({ where: { checkId: id } })).toMatchObject([
      { opId, entry: 4, fault: "changed" },
    ]);
  }
  const items = await ledger.owner.reviewItem.findMany({ where: { tenantId: tenant.id } });
  expect(items).toMatchObject([{ opId, reason: "history_changed", owner: "team:compliance" }]);
});

test("SM-4: every history is checked once a day by itself", async () => {
  await tamper(ledger.owner, "UPDATE seals SET made_at = made_at - interval '2 days'");
  await tamper(ledger.owner, "UPDATE history_checks SET asked_at = asked_at - interval '2 days'");
  expect(await runChecks(worker)).toBe(1);
  expect(await runChecks(worker)).toBe(0);
  const made = await ledger.owner.historyCheck.findMany({ where: { askedBy: "system:daily" } });
  // The seal's own date was moved, which a check does not overlook.
  expect(made).toMatchObject([{ tenantId: tenant.id, state: "done" }]);
  expect(made[0]?.findings).toBeGreaterThan(1);
});

test("SM-4: an account manager does not have the history checked", async () => {
  const manager = await aMember(ledger.owner, tenant.id, "account_manager");
  await expect(askCheck(ledger.ctx, manager, { kind: "all" })).rejects.toMatchObject({
    code: "not_permitted",
  });
});

test("SM-4: seals of nobody else's tenant are made by a check or a stamp", async () => {
  const other = await aTenant(ledger.owner);
  await operationIn(ledger.owner, other, await aRequest(ledger.owner, other), "done");
  expect(await sealNow(ledger)).toBe(1);
  expect(await ledger.owner.seal.count({ where: { tenantId: tenant.id } })).toBe(2);
});
