import { afterAll, beforeAll, expect, test } from "vitest";
import { DEADLINE_ORDERS } from "@/lib/domain/deadline-order";
import {
  aRequest,
  aTenant,
  operationIn,
  type TestRequest,
  type TestTenant,
} from "@/lib/testing/factories";
import { type TestLedger, testLedger } from "@/lib/testing/tenants";
import { deadlinesMonth } from "./deadlines-month";
import { type DeadlinesPage, deadlinesPage } from "./deadlines-page";
import { DeadlinesQuerySchema } from "./deadlines-query";

const HOUR = 3_600_000;
let ledger: TestLedger;
let tenant: TestTenant;
let other: TestTenant;
/** Has so many open requests that only an index in the right order finds a page of them. */
let crowded: TestTenant;

beforeAll(async () => {
  ledger = await testLedger();
  tenant = await aTenant(ledger.owner);
  other = await aTenant(ledger.owner);
  await manyRequests(tenant, "end", 4_000, true);
  await manyRequests(tenant, "far", 60, false);
  crowded = await aTenant(ledger.owner);
  await manyRequests(crowded, "far", 3_000, false);
});
afterAll(() => ledger.close());

/** Requests at once: `far` ones end in 100 days and later, every seventh has no business deadline. */
async function manyRequests(of: TestTenant, name: string, count: number, ended: boolean) {
  await ledger.owner.$executeRaw`
    INSERT INTO requests (tenant_id, ref, connection_id, platform_ref, zone, business_deadline_at, mirror_status,
      mirror_expires_at, mirror_read_at, mirror_terminal)
    SELECT ${of.id}::uuid, ${name} || '_' || lpad(n::text, 5, '0'), ${of.connectionId}::uuid, ${name} || n, 'UTC',
      CASE WHEN n % 7 <> 0 THEN at END, ${ended ? "completed" : "sent"}, CASE WHEN n % 11 <> 0 THEN at END,
      ledger_now(), ${ended}
    FROM (SELECT n, date_trunc('hour', ledger_now()) + make_interval(days => 100 + n / 3) AS at
      FROM generate_series(1, ${count}::int) n) numbers`;
  await ledger.owner.$executeRaw`ANALYZE requests`;
}

interface Clocks {
  readonly business?: number | null;
  readonly platform?: number | null;
  readonly ownerAccountId?: string;
}

/** A request whose clocks are so many hours from now. */
function request(
  { business = null, platform = null, ...rest }: Clocks,
  of = tenant,
): Promise<TestRequest> {
  const at = (hours: number | null) =>
    hours === null ? null : new Date(Date.now() + hours * HOUR);
  return aRequest(ledger.owner, of, undefined, {
    businessDeadlineAt: at(business),
    mirrorExpiresAt: at(platform),
    ...rest,
  });
}

const VIEWER = { accountId: "00000000-0000-0000-0000-000000000001", role: null };

function page(query: Record<string, string> = {}, of = tenant): Promise<DeadlinesPage> {
  return deadlinesPage(ledger.ctx.db, of.id, VIEWER, DeadlinesQuerySchema.parse(query));
}

function refs({ rows }: DeadlinesPage): readonly string[] {
  return rows.map(({ ref }) => ref);
}

function scheduled(on: TestRequest, kind: "remind" | "expire", inHours: number, of = tenant) {
  const columns = { dueAt: new Date(Date.now() + inHours * HOUR) };
  return operationIn(ledger.owner, of, on, "scheduled", { kind, columns });
}

test("TM-1: the earliest clock orders, whosever it is, and requests without a clock come last", async () => {
  const own = await aTenant(ledger.owner);
  const platformFirst = await request({ business: 30, platform: 20 }, own);
  const businessFirst = await request({ business: 10, platform: 60 }, own);
  const none = await request({}, own);
  const passed = await request({ business: -5, platform: 90 }, own);
  expect(refs(await page({}, own))).toEqual([
    passed.ref,
    businessFirst.ref,
    platformFirst.ref,
    none.ref,
  ]);
  expect(refs(await page({ by: "platform" }, own))).toEqual([
    platformFirst.ref,
    businessFirst.ref,
    passed.ref,
    none.ref,
  ]);
  const byBusiness = await page({ by: "business" }, own);
  expect(refs(byBusiness)[2]).toBe(platformFirst.ref);
  expect(byBusiness.rows.at(-1)).toMatchObject({ ref: none.ref, placeAt: null });
});

test("RM-1: by the next timer each request stands once, at its first timer, and those without follow", async () => {
  const own = await aTenant(ledger.owner);
  const late = await request({ business: 200, platform: 200 }, own);
  const soon = await request({ business: 300, platform: 300 }, own);
  const never = await request({ business: 100, platform: 100 }, own);
  await scheduled(late, "remind", 50, own);
  const first = await scheduled(soon, "remind", 20, own);
  await scheduled(soon, "expire", 30, own);
  const found = await page({ by: "timer" }, own);
  expect(refs(found)).toEqual([soon.ref, late.ref, never.ref]);
  expect(found.rows[0]?.timers.map(({ kind }) => kind)).toEqual(["remind", "expire"]);
  expect(found.rows[0]?.timers[0]).toMatchObject({ opId: first });
  expect(found.rows[0]?.placeAt).toBe(found.rows[0]?.timers[0]?.at);
});

test.each(DEADLINE_ORDERS)(
  "keyset pages by %s meet every open request once, forwards and back",
  async (by) => {
    const one = await request({ business: 400, platform: 400 });
    await scheduled(one, "remind", 390);
    const forwards: (readonly string[])[] = [];
    let at = await page({ by });
    expect(at.newer).toBeNull();
    for (;;) {
      forwards.push(refs(at));
      if (at.older === null) break;
      at = await page({ by, after: at.older });
    }
    const all = forwards.flat();
    expect(new Set(all).size).toBe(all.length);
    expect(all).toHaveLength(at.count);
    for (const expected of forwards.slice(0, -1).reverse()) {
      at = await page({ by, before: at.newer ?? "" });
      expect(refs(at)).toEqual(expected);
    }
    expect(at.newer).toBeNull();
    expect(refs(await page({ by, after: "nonsense" }))).toEqual(forwards[0]);
  },
);

test("screens 3.9: built-in views count and list the same requests", async () => {
  const own = await aTenant(ledger.owner);
  const due = await request({ business: 40, platform: 40 }, own);
  const passed = await request({ business: -3, platform: 70 }, own);
  const unknown = await request({ business: 90, platform: 90 }, own);
  await operationIn(ledger.owner, own, unknown, "needs_reconcile");
  const waiting = await request({ business: 95, platform: 95 }, own);
  await operationIn(ledger.owner, own, waiting, "proposed");
  const ended = await request({ business: 1, platform: 1 }, own);
  await ledger.owner.request.update({
    where: { tenantId_ref: { tenantId: own.id, ref: ended.ref } },
    data: { mirrorTerminal: true, mirrorStatus: "completed" },
  });
  const viewer = { accountId: own.approverId, role: "account_manager" as const };
  const asked = (query: Record<string, string>) =>
    deadlinesPage(ledger.ctx.db, own.id, viewer, DeadlinesQuerySchema.parse(query));
  const all = await asked({});
  expect(all.views).toEqual({ due: 1, waiting: 1, unknown: 1, drift: 1, passed: 1 });
  expect(all).toMatchObject({ count: 4, more: false, connections: [own.connectionName] });
  expect(refs(await asked({ due: "48h" }))).toEqual([due.ref]);
  expect(refs(await asked({ waiting: "me" }))).toEqual([waiting.ref]);
  expect(refs(await asked({ unknown: "yes" }))).toEqual([unknown.ref]);
  expect(refs(await asked({ drift: "yes" }))).toEqual([passed.ref]);
  expect(refs(await asked({ passed: "yes" }))).toEqual([passed.ref]);
  expect((await asked({ unknown: "yes" })).rows[0]).toMatchObject({ unknown: true });
  expect(refs(await asked({ kind: "extend" }))).toHaveLength(2);
  expect(refs(await asked({ q: due.ref.slice(4) }))).toEqual([due.ref]);
  expect(refs(await asked({ status: "sent" }))).toEqual([]);
  expect(refs(await asked({ connection: own.connectionName }))).toHaveLength(4);
  expect(refs(await asked({ owner: "me" }))).toEqual([]);
});

test("TM-1: drift is signed, and an open item about the clocks marks its request", async () => {
  const own = await aTenant(ledger.owner);
  const later = await request({ business: 10, platform: 82 }, own);
  const sooner = await request({ business: 50, platform: 47 }, own);
  await ledger.owner.reviewItem.create({
    data: {
      tenantId: own.id,
      id: own.id,
      requestRef: sooner.ref,
      reason: "clocks_disagree",
      owner: "team:account-managers",
      evidence: "{}",
    },
  });
  const { rows } = await page({}, own);
  expect(rows.map(({ ref, driftMs }) => [ref, Math.round((driftMs ?? 0) / HOUR)])).toEqual([
    [later.ref, 72],
    [sooner.ref, -3],
  ]);
  const marked = await page({ clock_conflict: "yes" }, own);
  expect(marked.rows).toMatchObject([{ ref: sooner.ref, conflict: "clocks_disagree" }]);
});

test("rows that left the page are given with their present state when they are asked for", async () => {
  const one = await request({ business: 5, platform: 5 });
  const asked = await page({ passed: "yes", also: `${one.ref},req_unknown` });
  expect(asked.also.map(({ ref }) => ref)).toEqual([one.ref]);
});

test("PV-2: another tenant's deadlines are neither listed, counted nor fetched by reference", async () => {
  const theirs = await request({ business: 5, platform: 5 }, other);
  const asked = await page({ also: theirs.ref, q: theirs.ref });
  expect(asked).toMatchObject({ rows: [], also: [], count: 0 });
  expect((await page({}, other)).count).toBe(1);
});

test("TM-1: a month holds each clock and timer that may fall into it in some zone", async () => {
  const own = await aTenant(ledger.owner);
  const on = (text: string) => ({ businessDeadlineAt: new Date(text), mirrorExpiresAt: null });
  const inside = await aRequest(ledger.owner, own, undefined, on("2027-07-01T02:30:00Z"));
  const before = await aRequest(ledger.owner, own, undefined, on("2027-06-30T10:30:00Z"));
  await aRequest(ledger.owner, own, undefined, on("2027-06-29T10:30:00Z"));
  const after = await aRequest(ledger.owner, own, undefined, on("2027-08-01T11:00:00Z"));
  const columns = { dueAt: new Date("2027-07-10T07:00:00Z") };
  await operationIn(ledger.owner, own, inside, "scheduled", { kind: "remind", columns });
  const { entries, more } = await deadlinesMonth(ledger.ctx.db, own.id, "2027-07");
  expect(more).toBe(false);
  expect(entries.map(({ ref, mark }) => [ref, mark])).toEqual([
    [before.ref, "business"],
    [inside.ref, "business"],
    [inside.ref, "remind"],
    [after.ref, "business"],
  ]);
  expect(entries.every(({ zone }) => zone === "Europe/Berlin")).toBe(true);
});

test("C-10: no order, count or month of deadlines reads ended requests", async () => {
  const t = `r.tenant_id = '${crowded.id}'::uuid AND NOT r.mirror_terminal`;
  const never = "'9999-01-01Z'::timestamptz";
  const earliest = `coalesce(least(r.business_deadline_at, r.mirror_expires_at), ${never})`;
  const explain = async (query: string) =>
    (await ledger.owner.$queryRawUnsafe<{ "QUERY PLAN": string }[]>(`EXPLAIN ${query}`))
      .map((line) => line["QUERY PLAN"])
      .join("\n");
  const keys = {
    requests_open_by_earliest: earliest,
    requests_open_by_deadline: `coalesce(r.business_deadline_at, ${never})`,
    requests_open_by_expiry: `coalesce(r.mirror_expires_at, ${never})`,
  };
  for (const [index, key] of Object.entries(keys)) {
    const plan = await explain(`SELECT 1 FROM requests r WHERE ${t}
      AND (${key}, r.ref) > (ledger_now(), 'req') ORDER BY ${key}, r.ref LIMIT 51`);
    expect(plan).toContain(index);
    expect(plan).not.toMatch(/Sort|Seq Scan/);
  }
  const differing = await explain(`SELECT 1 FROM requests r WHERE ${t}
    AND r.mirror_expires_at <> r.business_deadline_at LIMIT 10001`);
  expect(differing).toMatch(/requests_open_(differing|by)/);
  const passed = await explain(
    `SELECT 1 FROM requests r WHERE ${t} AND ${earliest} < ledger_now() LIMIT 10001`,
  );
  expect(passed).toMatch(/requests_open_(differing|by)/);
  const place = `r.mirror_terminal, coalesce(r.business_deadline_at, r.mirror_expires_at, ${never}), r.ref`;
  const all = await explain(`SELECT 1 FROM requests r WHERE r.tenant_id = '${tenant.id}'::uuid
    AND (${place}) > (SELECT ${place} FROM requests r WHERE r.tenant_id = '${tenant.id}'::uuid AND r.ref = 'far_00001')
    ORDER BY ${place} LIMIT 51`);
  expect(all).toContain("requests_by_place");
  expect(all).not.toMatch(/Sort|Seq Scan/);
});
