import { afterAll, beforeAll, expect, test } from "vitest";
import {
  aConnection,
  aRequest,
  aTenant,
  operationIn,
  type TestTenant,
} from "@/lib/testing/factories";
import { type TestLedger, testLedger } from "@/lib/testing/tenants";
import { proposePage } from "./propose-page";
import { requestPage } from "./request-page";
import { type RequestsFilter, type RequestsOrder, requestsPage } from "./requests-page";

const HOUR = 3_600_000;
let ledger: TestLedger;
let tenant: TestTenant;

beforeAll(async () => {
  ledger = await testLedger();
  tenant = await aTenant(ledger.owner);
});

afterAll(() => ledger.close());

function list(
  filter: RequestsFilter = {},
  order: Partial<RequestsOrder> = {},
  of: TestTenant = tenant,
) {
  return requestsPage(ledger.ctx.db, of.id, of.proposerId, filter, {
    sort: "deadline",
    size: 50,
    ...order,
  });
}

const refs = (page: { rows: readonly { ref: string }[] }) => page.rows.map(({ ref }) => ref);
const later = (hours: number) => new Date(Date.now() + hours * HOUR);

test("open requests come by their earliest end, ended ones last, and paging neither skips nor repeats", async () => {
  const own = await aTenant(ledger.owner);
  const made = async (ref: string, hours: number, ended = false) =>
    aRequest(ledger.owner, own, ref, {
      businessDeadlineAt: later(hours),
      mirrorExpiresAt: later(hours),
      mirrorTerminal: ended,
    });
  await made("req_c", 30);
  await made("req_a", 10);
  await made("req_done", 1, true);
  await made("req_b", 20);
  const wanted = ["req_a", "req_b", "req_c", "req_done"];
  expect(refs(await list({}, {}, own))).toEqual(wanted);
  expect(refs(await list({}, { sort: "-deadline" }, own))).toEqual([...wanted].reverse());
  const first = await list({}, { size: 3 }, own);
  expect([refs(first), first.older, first.newer]).toEqual([wanted.slice(0, 3), "req_c", null]);
  const second = await list({}, { size: 3, after: "req_c" }, own);
  expect([refs(second), second.older, second.newer]).toEqual([["req_done"], null, "req_done"]);
  const back = await list({}, { size: 3, before: "req_done" }, own);
  expect(refs(back)).toEqual(wanted.slice(0, 3));
  expect(back.total).toBe(4);
});

test("TM-1: clocks that differ by more than the platform's rounding are drift, and ended requests drift no more", async () => {
  const own = await aTenant(ledger.owner);
  const at = later(100);
  const apart = { businessDeadlineAt: at, mirrorExpiresAt: new Date(at.getTime() - 3 * HOUR) };
  await aRequest(ledger.owner, own, "req_apart", apart);
  await aRequest(ledger.owner, own, "req_equal", { businessDeadlineAt: at, mirrorExpiresAt: at });
  await aRequest(ledger.owner, own, "req_ended", { ...apart, mirrorTerminal: true });
  const found = await list({ drift: true }, {}, own);
  expect(found.rows).toMatchObject([{ ref: "req_apart", driftMs: -3 * HOUR }]);
  expect(found.views.drift).toBe(1);
});

test("C-24: on a platform that floors to the hour less than an hour is no drift", async () => {
  const own = await aTenant(ledger.owner);
  const { id } = await aConnection(ledger.owner, own.id);
  const { descriptor } = await ledger.owner.connection.findFirstOrThrow({ where: { id } });
  const expiryForm = { kind: "absolute", granularityMs: HOUR };
  await ledger.owner.connection.updateMany({
    where: { id },
    data: { descriptor: JSON.stringify({ ...JSON.parse(descriptor), expiryForm }) },
  });
  const at = later(100);
  const made = (ref: string, minutes: number) =>
    aRequest(ledger.owner, own, ref, {
      connectionId: id,
      businessDeadlineAt: at,
      mirrorExpiresAt: new Date(at.getTime() - minutes * 60_000),
    });
  await made("req_59", 59);
  await made("req_60", 60);
  expect(refs(await list({ drift: true }, {}, own))).toEqual(["req_60"]);
});

test("views count and filter what is due, unknown and one's own", async () => {
  const own = await aTenant(ledger.owner);
  const soon = { businessDeadlineAt: later(300), mirrorExpiresAt: later(47) };
  await aRequest(ledger.owner, own, "req_soon", soon);
  await aRequest(ledger.owner, own, "req_mine", { ownerAccountId: own.proposerId });
  const request = await aRequest(ledger.owner, own, "req_unknown");
  await operationIn(ledger.owner, own, request, "needs_reconcile");
  const page = await list({}, {}, own);
  expect(page.views).toEqual({ due: 1, drift: 1, unknown: 1, mine: 1 });
  expect(refs(await list({ dueHours: 48 }, {}, own))).toEqual(["req_soon"]);
  expect(refs(await list({ unknown: true }, {}, own))).toEqual(["req_unknown"]);
  expect(refs(await list({ mine: true }, {}, own))).toEqual(["req_mine"]);
  expect(refs(await list({ q: "UNKN" }, {}, own))).toEqual(["req_unknown"]);
  const unknown = page.rows.find(({ ref }) => ref === "req_unknown");
  expect(unknown?.inFlight).toMatchObject({ state: "needs_reconcile", kind: "extend" });
  expect(unknown?.nextLook).toMatchObject({ kind: "look" });
});

test("PV-2: another tenant's request is not in the list, and its page and form do not exist", async () => {
  const other = await aTenant(ledger.owner);
  const request = await aRequest(ledger.owner, other, "req_theirs");
  const { db } = ledger.ctx;
  expect(refs(await list({ q: "theirs" }))).toEqual([]);
  expect(await requestPage(db, tenant.id, tenant.proposerId, request.ref)).toBeNull();
  expect(await proposePage(db, tenant.id, tenant.proposerId, request.ref, "void")).toBeNull();
  expect(await requestPage(db, other.id, other.proposerId, request.ref)).not.toBeNull();
});

test.each(["", "a b", "../x", "req\u0000", "x".repeat(200)])(
  "a reference that can be none names nothing: %j",
  async (ref) => {
    expect(await requestPage(ledger.ctx.db, tenant.id, tenant.proposerId, ref)).toBeNull();
  },
);

test("the page of a request carries its operations newest first, with what each asks for", async () => {
  const request = await aRequest(ledger.owner, tenant);
  const first = await operationIn(ledger.owner, tenant, request, "done");
  const second = await operationIn(ledger.owner, tenant, request, "proposed");
  const view = await requestPage(ledger.ctx.db, tenant.id, tenant.proposerId, request.ref);
  expect(view?.operations.map(({ opId }) => opId)).toEqual([second, first]);
  expect(view?.operations[1]).toMatchObject({ have: 1, asked: { kind: "extend" } });
  expect(view?.reads.map(({ purpose }) => purpose)).toEqual(["after", "before"]);
  expect(view?.descriptor?.adapter).toBe("sandbox");
});

test("AP-2: the form says the present policy and what is open before it", async () => {
  const request = await aRequest(ledger.owner, tenant);
  await operationIn(ledger.owner, tenant, request, "scheduled");
  await operationIn(ledger.owner, tenant, request, "done");
  const view = await proposePage(
    ledger.ctx.db,
    tenant.id,
    tenant.proposerId,
    request.ref,
    "extend",
  );
  expect(view?.rule).toMatchObject({ quorum: 1, fourEyes: true, validityHours: 24 });
  expect(view?.open.map(({ state }) => state)).toEqual(["scheduled"]);
});
