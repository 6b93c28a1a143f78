import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ExportedEntry, HistoryFilterSchema } from "@/lib/domain/history-export";
import { newSubjectRef } from "@/lib/domain/identity";
import { asTenant } from "@/lib/store/db";
import { resolveContact, storeContact } from "@/lib/store/vault";
import { aRequest, aTenant, operationIn, type TestTenant } from "@/lib/testing/factories";
import { aMember, type TestLedger, testLedger } from "@/lib/testing/tenants";
import type { Actor } from "./context";
import { type ExportFormat, exportHistory } from "./export-history";

let ledger: TestLedger;
let tenant: TestTenant;
let officer: Actor;

beforeAll(async () => {
  ledger = await testLedger();
  tenant = await aTenant(ledger.owner);
  officer = await aMember(ledger.owner, tenant.id, "compliance");
  await operationIn(ledger.owner, tenant, await aRequest(ledger.owner, tenant, "one"), "done");
  await operationIn(ledger.owner, tenant, await aRequest(ledger.owner, tenant, "two"), "proposed");
  const other = await aTenant(ledger.owner);
  await operationIn(ledger.owner, other, await aRequest(ledger.owner, other), "done");
});
afterAll(() => ledger.close());

async function exported(format: ExportFormat, filter: object): Promise<string> {
  const wish = { format, filter: HistoryFilterSchema.parse(filter) };
  const { content } = await exportHistory(ledger.ctx, officer, wish);
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}

const lines = async (filter: object) =>
  (await exported("jsonl", filter))
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as ExportedEntry);

test("PV-2 PV-6: an export holds the entries of the own tenant, oldest first, and what operators did", async () => {
  const all = await lines({});
  expect(all.map(({ source }) => source)).toEqual([...Array(6).fill("operation"), "operator"]);
  const times = all.slice(0, 6).map(({ at }) => at);
  expect(times).toEqual([...times].sort());
  // The export itself stands in what it exports.
  expect(all.at(-1)).toMatchObject({ what: "history_exported", who: `user:${officer.id}` });
});

test("an export is narrowed by request, kind, state, action, person, time and source", async () => {
  const operations = (filter: object) => lines({ source: "operations", ...filter });
  expect(await operations({ request: "one" })).toHaveLength(5);
  expect(await operations({ request: "one", state: "done" })).toHaveLength(1);
  expect(await operations({ kind: "void" })).toEqual([]);
  expect(await operations({ action: "awaiting_approval" })).toHaveLength(2);
  expect(await operations({ who: `user:${tenant.approverId}` })).toHaveLength(1);
  expect(await operations({ to: "2020-01-01T00:00:00Z" })).toEqual([]);
  expect(await lines({ source: "operators", request: "one" })).toEqual([]);
});

test("SM-6 PV-4: an export holds every act of an operator that the list shows, with readings of the vault and sign-ins", async () => {
  const { id } = await ledger.owner.session.create({
    data: { id: randomUUID(), accountId: officer.id, expiresAt: new Date(Date.now() + 60_000) },
  });
  const scope = { tenantId: tenant.id, vaultKey: ledger.ctx.vaultKey };
  const subject = newSubjectRef(randomBytes(10));
  await asTenant(ledger.owner, tenant.id, async (tx) => {
    await storeContact(tx, scope, subject, { name: "Pat Example", email: "pat@sign.invalid" });
    await resolveContact(tx, scope, subject, "asked", `user:${officer.id}`);
  });
  const acts = await lines({ source: "operators", who: `user:${officer.id}` });
  expect(acts).toContainEqual(
    expect.objectContaining({ what: "signed_in", to: `account:${officer.id}` }),
  );
  expect(await lines({ action: "contact_revealed" })).toMatchObject([
    { what: "contact_revealed", to: `subject:${subject}`, reason: "asked" },
  ]);
  await ledger.owner.session.delete({ where: { id } });
});

test("PV-6: CSV has a head line and one line for each entry", async () => {
  const text = await exported("csv", { source: "operations", request: "two" });
  const rows = text.trimEnd().split("\r\n");
  expect(rows).toHaveLength(2);
  expect(rows[0]).toBe("at,source,who,what,kind,request,op,entry,from,to,reason,hash");
  expect(rows[1]).toContain(",two,");
});

test("SM-6: an account manager exports nothing", async () => {
  const manager = await aMember(ledger.owner, tenant.id, "account_manager");
  const wish = { format: "csv", filter: HistoryFilterSchema.parse({}) } as const;
  await expect(exportHistory(ledger.ctx, manager, wish)).rejects.toMatchObject({
    code: "not_permitted",
  });
});
