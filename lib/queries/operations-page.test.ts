import { afterAll, beforeAll, expect, test } from "vitest";
import { OPERATION_STATES } from "@/lib/domain/operation";
import {
  aRequest,
  aTenant,
  manyFinished,
  operationIn,
  type TestTenant,
} from "@/lib/testing/factories";
import { type TestLedger, testLedger } from "@/lib/testing/tenants";
import { type OperationsPage, operationsPage } from "./operations-page";
import { OperationsQuerySchema } from "./operations-query";

let ledger: TestLedger;
let tenant: TestTenant;
let other: TestTenant;
const ids = new Map<string, string>();

beforeAll(async () => {
  ledger = await testLedger();
  tenant = await aTenant(ledger.owner);
  other = await aTenant(ledger.owner);
  for (const state of OPERATION_STATES) {
    const request = await aRequest(ledger.owner, tenant);
    ids.set(state, await operationIn(ledger.owner, tenant, request, state, { ageMs: 60_000 }));
  }
  await operationIn(ledger.owner, other, await aRequest(ledger.owner, other), "needs_reconcile");
  await manyFinished(
    ledger.owner,
    tenant,
    await aRequest(ledger.owner, tenant, "req_bulk"),
    10_100,
  );
  await ledger.owner.$executeRaw`ANALYZE`;
});

afterAll(() => ledger.close());

function page(query: Record<string, string> = {}, of = tenant): Promise<OperationsPage> {
  return operationsPage(ledger.ctx.db, of.id, OperationsQuerySchema.parse(query));
}

function states({ rows }: OperationsPage): readonly string[] {
  return rows.map(({ state }) => state);
}

test("unknown operations and those that a person decides stand before everything else", async () => {
  const first = await page();
  expect(first.sort).toBe("risk");
  expect(new Set(states(first).slice(0, 4))).toEqual(
    new Set(["needs_reconcile", "reconciling", "quarantined", "needs_review"]),
  );
  expect(new Set(states(first).slice(4, 6))).toEqual(new Set(["claimed", "submitting"]));
  expect(new Set(states(first).slice(6, 8))).toEqual(new Set(["proposed", "scheduled"]));
  expect(first.rows).toHaveLength(50);
});

test("what has ended comes after it by time, and alone it is sorted by time", async () => {
  const ended = await page({ state: "done,obsolete" });
  expect(ended.sort).toBe("-changed");
  const times = ended.rows.map(({ changedAt }) => changedAt);
  expect(times).toEqual([...times].sort().reverse());
});

test.each([
  ["risk", {}],
  ["risk of open states", { state: "proposed,scheduled,claimed,needs_reconcile,needs_review" }],
  ["oldest first", { sort: "changed", state: "obsolete" }],
  ["newest first", { sort: "-changed" }],
] as const)("keyset pages by %s meet every row once, forwards and back", async (_name, query) => {
  const forwards: string[][] = [];
  let at: OperationsPage = await page({ ...query });
  expect(at.newer).toBeNull();
  for (let count = 1; count <= 4; count += 1) {
    forwards.push(at.rows.map(({ opId }) => opId));
    if (at.older === null || count === 4) break;
    at = await page({ ...query, after: at.older });
  }
  expect(new Set(forwards.flat()).size).toBe(forwards.flat().length);
  for (const expected of forwards.slice(0, -1).reverse()) {
    at = await page({ ...query, before: at.newer ?? "" });
    expect(at.rows.map(({ opId }) => opId)).toEqual(expected);
    expect(at.older).not.toBeNull();
  }
  expect(at.newer).toBeNull();
});

test("counts are exact up to 10 000 and say when there are more", async () => {
  const first = await page();
  expect(first).toMatchObject({ count: 10_000, more: true });
  expect(first.states.find(({ state }) => state === "obsolete")).toMatchObject({ more: true });
  expect(first.states.find(({ state }) => state === "needs_reconcile")).toEqual({
    state: "needs_reconcile",
    count: 1,
    more: false,
  });
  expect(await page({ state: "done" })).toMatchObject({ count: 1, more: false });
  expect(first.oldestUnknownSince).not.toBeNull();
});

test("each filter narrows, and a search finds an id by its beginning, a reference and a key", async () => {
  const unknown = ids.get("needs_reconcile") ?? "";
  const row = (await page({ state: "needs_reconcile" })).rows[0];
  expect(row?.opId).toBe(unknown);
  for (const query of [
    { q: unknown.slice(0, 8) },
    { q: unknown },
    { q: row?.requestRef ?? "" },
    { request: row?.requestRef ?? "" },
    { reason: "call_timed_out" },
    { connection: tenant.connectionName, state: "needs_reconcile", kind: "extend" },
    { age: ">30s", state: "needs_reconcile" },
  ]) {
    expect(
      (await page(query)).rows.map(({ opId }) => opId),
      JSON.stringify(query),
    ).toEqual([unknown]);
  }
  expect((await page({ q: "zzz" })).rows).toEqual([]);
  expect((await page({ connection: "zzz" })).rows).toEqual([]);
  expect((await page({ age: ">1h", state: "needs_reconcile" })).rows).toEqual([]);
});

test("PV-2: another tenant's operations are neither listed, counted, searched nor fetched by id", async () => {
  const theirs = await page({}, other);
  expect(theirs).toMatchObject({ count: 1, more: false });
  const asked = await page({ also: theirs.rows[0]?.opId ?? "", state: "done" });
  expect(asked.also).toEqual([]);
  expect((await page({ q: theirs.rows[0]?.opId ?? "" })).rows).toEqual([]);
});

test("rows that left the page are given with their present state when they are asked for", async () => {
  const done = ids.get("done") ?? "";
  const { also, rows } = await page({ state: "needs_reconcile", also: done });
  expect(rows).toHaveLength(1);
  expect(also.map(({ opId, state }) => [opId, state])).toEqual([[done, "done"]]);
});

test("C-10: neither the first page nor the counts read the whole history", async () => {
  const plans = await ledger.owner.$transaction(async (tx) => {
    const explain = async (query: string) =>
      (await tx.$queryRawUnsafe<{ "QUERY PLAN": string }[]>(`EXPLAIN ${query}`))
        .map((line) => line["QUERY PLAN"])
        .join("\n");
    const where = `o.tenant_id = '${tenant.id}'::uuid`;
    return {
      open: await explain(`SELECT 1 FROM operations o WHERE ${where}
        AND o.state = ANY(ARRAY['needs_reconcile', 'scheduled'])`),
      ended: await explain(`SELECT 1 FROM operations o WHERE ${where}
        AND o.state = ANY(ARRAY['done', 'obsolete', 'superseded', 'failed_terminal'])
        ORDER BY o.changed_at DESC, o.op_id DESC LIMIT 51`),
      count: await explain(
        `SELECT 1 FROM operations o WHERE ${where} AND o.state = 'done' LIMIT 10001`,
      ),
      ofKind: await explain(
        `SELECT 1 FROM operations o WHERE ${where} AND o.kind = 'remind' AND o.state = 'done' LIMIT 10001`,
      ),
    };
  });
  expect(plans.open).toContain("operations_by_state");
  expect(plans.ended).toMatch(/operations_by_(change|state)/);
  expect(plans.count).toContain("operations_by_state");
  expect(plans.ofKind).toContain("operations_by_kind");
  for (const plan of Object.values(plans)) expect(plan).not.toContain("Seq Scan");
});
