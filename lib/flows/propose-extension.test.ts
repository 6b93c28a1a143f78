import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { refusalOf } from "@/lib/testing/refusals";
import {
  aMember,
  anApiKey,
  aRead,
  aRequest,
  aTenant,
  type TestLedger,
  type TestRequest,
  type TestTenant,
  testLedger,
} from "@/lib/testing/tenants";
import type { Actor } from "./context";
import { type ExtensionWish, proposeExtension } from "./propose-extension";

let ledger: TestLedger;
let tenant: TestTenant;
let proposer: Actor;

beforeAll(async () => {
  ledger = await testLedger();
  tenant = await aTenant(ledger.owner);
  proposer = await aMember(ledger.owner, tenant.tenantId);
});
afterAll(() => ledger.close());

function wishFor(request: TestRequest, more: Partial<ExtensionWish> = {}): ExtensionWish {
  return {
    approvalId: randomUUID(),
    requestRef: request.ref,
    date: "2027-06-30",
    time: "10:00",
    zone: "Europe/Berlin",
    reason: "Counterparty's board meets late.",
    ...more,
  };
}

function propose(wish: ExtensionWish, actor = proposer) {
  return proposeExtension(ledger.ctx, actor, wish);
}

function operationsOf(tenantId: string, ref: string) {
  return ledger.owner.operation.findMany({
    where: { tenantId, requestRef: ref },
    orderBy: { createdAt: "asc" },
  });
}

test("ID-1 ID-4 TM-2: a proposal keeps the instant, the words, the zone rules and what it was read against", async () => {
  const request = await aRequest(ledger.owner, tenant);
  const wish = wishFor(request);
  const proposed = await propose(wish);
  expect(proposed).toMatchObject({ version: 1, state: "proposed", duplicate: false });
  const [row] = await operationsOf(tenant.tenantId, request.ref);
  expect(row).toMatchObject({
    opKey: `${request.ref}/extend/${wish.approvalId}`,
    proposedBy: `user:${proposer.id}`,
    reason: "awaiting_approval",
  });
  expect(JSON.parse(row?.canonicalText ?? "")).toMatchObject({
    kind: "extend",
    target: {
      expires_at: "2027-06-30T08:00:00Z",
      business_deadline: {
        date: "2027-06-30",
        time: "10:00",
        zone: "Europe/Berlin",
        offset: "+02:00",
      },
    },
    expected: { status: "sent", expires_at: "2027-06-15T15:00:00Z", version: "1" },
  });
  expect(row?.approvalExpiresAt?.getTime()).toBe((row?.createdAt.getTime() ?? 0) + 24 * 3_600_000);
});

test("SM-3 PV-4: the typed reason stands in the vault and nowhere else", async () => {
  const request = await aRequest(ledger.owner, tenant);
  const { opId } = await propose(wishFor(request, { reason: "Canary-Wren asked for it." }));
  const [found] = await ledger.owner.$queryRaw<{ hits: number }[]>`
    SELECT (SELECT count(*) FROM operations o WHERE op_id = ${opId}::uuid AND o::text ILIKE '%canary-wren%')::int
      + (SELECT count(*) FROM operation_events e WHERE op_id = ${opId}::uuid AND e::text ILIKE '%canary-wren%')::int
      + (SELECT count(*) FROM vault_entries v WHERE v::text ILIKE '%canary-wren%')::int AS hits`;
  expect(found?.hits).toBe(0);
  const event = await ledger.owner.operationEvent.findFirstOrThrow({ where: { opId } });
  expect(JSON.parse(event.body)).toMatchObject({
    evidence: {
      reason: { ref: expect.any(String), digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
    },
  });
});

test("ID-6 C-04: the same key with the same content is the operation that exists, twenty times at once", async () => {
  const request = await aRequest(ledger.owner, tenant);
  const wish = wishFor(request);
  const answers = await Promise.all(Array.from({ length: 20 }, () => propose(wish)));
  expect(new Set(answers.map(({ opId }) => opId)).size).toBe(1);
  expect(answers.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
  expect(await operationsOf(tenant.tenantId, request.ref)).toHaveLength(1);
});

test("ID-6 C-04: the same key with other content is refused by its fields, and nothing is overwritten", async () => {
  const request = await aRequest(ledger.owner, tenant);
  const wish = wishFor(request);
  const { opId } = await propose(wish);
  const [before] = await operationsOf(tenant.tenantId, request.ref);
  const refusal = await refusalOf(propose({ ...wish, date: "2027-07-01" }));
  expect(refusal).toMatchObject({ code: "key_reused", status: 409 });
  expect(refusal.extensions).toEqual({
    differing: [
      "target.business_deadline.date",
      "target.business_deadline.instant",
      "target.expires_at",
    ],
    op_id: opId,
    state: "proposed",
  });
  expect(JSON.stringify([refusal.message, refusal.extensions])).not.toMatch(/2027-0[67]/);
  expect(await operationsOf(tenant.tenantId, request.ref)).toEqual([before]);
});

test("ID-6 C-04: of two contents racing for one key one wins and every other call is the duplicate or the conflict", async () => {
  const request = await aRequest(ledger.owner, tenant);
  const wish = wishFor(request);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, place) =>
      propose({ ...wish, date: place % 2 === 0 ? "2027-06-30" : "2027-07-01" }),
    ),
  );
  expect(await operationsOf(tenant.tenantId, request.ref)).toHaveLength(1);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
  for (const outcome of outcomes) {
    if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "key_reused" });
  }
});

test("ID-1 C-04: the same keys in two tenants are two operations that know nothing of each other", async () => {
  const other = await aTenant(ledger.owner);
  const stranger = await aMember(ledger.owner, other.tenantId);
  const request = await aRequest(ledger.owner, tenant);
  await aRequest(ledger.owner, other, "2027-06-15T15:00:00Z", request.ref);
  const wish = wishFor(request);
  const ours = await propose(wish);
  const theirs = await propose({ ...wish, date: "2027-07-01" }, stranger);
  expect(theirs.duplicate).toBe(false);
  expect(theirs.opId).not.toBe(ours.opId);
});

test("AP-4: a repeat is the same proposal although the platform moved on, and after it was edited or ended", async () => {
  const request = await aRequest(ledger.owner, tenant);
  const wish = wishFor(request);
  const first = await propose(wish);
  await aRead(ledger.owner, tenant.tenantId, request.ref, {
    status: "viewed",
    expiresAt: "2027-06-30T08:00:00Z",
    version: "2",
  });
  expect(await propose(wish)).toEqual({ ...first, duplicate: true });
  await ledger.owner.operation.updateMany({
    where: { opId: first.opId },
    data: { state: "obsolete", reason: "withdrawn", eventActor: "system:test" },
  });
  expect(await propose(wish)).toEqual({ ...first, state: "obsolete", duplicate: true });
});

test("AP-4: an open operation with the same target is shown instead of a second one, unless a reason says go on", async () => {
  const request = await aRequest(ledger.owner, tenant);
  const first = await propose(wishFor(request));
  const second = await propose(wishFor(request, { reason: "Said in other words." }));
  expect(second).toEqual({ ...first, duplicate: true });
  const third = await propose(wishFor(request, { goOnReason: "The first one may be stuck." }));
  expect(third.duplicate).toBe(false);
  expect((await propose(wishFor(request, { date: "2027-07-02" }))).duplicate).toBe(false);
});

test("ID-1: a key is never longer than 200 characters and never made of an address", async () => {
  const request = await aRequest(ledger.owner, tenant);
  const long = await refusalOf(propose(wishFor(request, { approvalId: "a".repeat(300) })));
  expect(long).toMatchObject({ code: "key_too_long", status: 422 });
  const address = await refusalOf(propose(wishFor(request, { requestRef: "pat@example.com" })));
  expect(address).toMatchObject({ code: "key_unusable", status: 422 });
});

test("TM-2 TM-3: what cannot be a later deadline gets its own answer and adds nothing", async () => {
  const request = await aRequest(ledger.owner, tenant);
  const cases: [Partial<ExtensionWish>, string][] = [
    [{ date: "2020-01-01" }, "deadline_in_past"],
    [{ date: "2027-06-15", time: "17:00" }, "deadline_not_later"],
    [{ date: "2027-06-14" }, "deadline_not_later"],
    [{ zone: "Mars/Olympus" }, "zone_unknown"],
    [{ zone: "+02:00" }, "zone_unknown"],
    [{ date: "2027-06-31" }, "local_time_unreadable"],
    [{ reason: "  " }, "reason_empty"],
    [{ reason: "Ask pat@example.com about it." }, "personal_data"],
    [{ requestRef: "req_nobody" }, "not_found"],
    [{ supersedesOpId: randomUUID() }, "not_found"],
  ];
  for (const [change, code] of cases) {
    expect((await refusalOf(propose(wishFor(request, change)))).code).toBe(code);
  }
  expect(await operationsOf(tenant.tenantId, request.ref)).toEqual([]);
});

test("TM-2 C-21 C-22: a time at a clock change is a question with its two answers, and the answer is in the payload", async () => {
  const request = await aRequest(ledger.owner, tenant);
  const overlap = { date: "2027-10-31", time: "01:45", zone: "Europe/London" };
  const twice = await refusalOf(propose(wishFor(request, overlap)));
  expect(twice).toMatchObject({
    code: "time_twice",
    extensions: {
      options: [
        { choice: "first", instant: "2027-10-31T00:45:00Z" },
        { choice: "second", instant: "2027-10-31T01:45:00Z" },
      ],
    },
  });
  const gap = { date: "2028-03-26", time: "02:30", zone: "Europe/Berlin" };
  expect(await refusalOf(propose(wishFor(request, gap)))).toMatchObject({ code: "time_gap" });
  expect(await operationsOf(tenant.tenantId, request.ref)).toEqual([]);
  await propose(wishFor(request, { ...overlap, choice: "second" }));
  const [row] = await operationsOf(tenant.tenantId, request.ref);
  expect(JSON.parse(row?.canonicalText ?? "")).toMatchObject({
    target: {
      expires_at: "2027-10-31T01:45:00Z",
      business_deadline: { choice: "second", offset: "+00:00" },
    },
  });
});

test("TM-3 C-24: the payload says what a platform will show that cannot keep the instant; the target stays exact", async () => {
  for (const [profile, shown] of [
    ["hourly", "2027-06-30T08:00:00Z"],
    ["relative_days", null],
  ] as const) {
    const coarse = await aTenant(ledger.owner, profile);
    const member = await aMember(ledger.owner, coarse.tenantId);
    const request = await aRequest(ledger.owner, coarse);
    await propose(wishFor(request, { time: "10:45" }), member);
    const [row] = await operationsOf(coarse.tenantId, request.ref);
    expect(JSON.parse(row?.canonicalText ?? "")).toMatchObject({
      target: { expires_at: "2027-06-30T08:45:00Z", shown_expires_at: shown },
    });
    const soon = wishFor(request, { date: "2027-06-15", time: "17:30" });
    if (profile === "hourly") {
      const refusal = await refusalOf(propose(soon, member));
      expect(refusal).toMatchObject({ code: "deadline_not_later" });
    }
  }
});

test("IN-5: a request that ended for good is not extended; one that was never read cannot be approved against anything", async () => {
  const request = await aRequest(ledger.owner, tenant);
  await aRead(ledger.owner, tenant.tenantId, request.ref, {
    status: "completed",
    expiresAt: "2027-06-15T15:00:00Z",
  });
  expect(await refusalOf(propose(wishFor(request)))).toMatchObject({ code: "request_ended" });
  await ledger.owner.request.updateMany({
    where: { ref: request.ref },
    data: { mirrorStatus: null, mirrorExpiresAt: null },
  });
  expect(await refusalOf(propose(wishFor(request)))).toMatchObject({ code: "fresh_read_failed" });
});

test("API-2: a key may propose and read; a role or scope without the right is turned away", async () => {
  const request = await aRequest(ledger.owner, tenant);
  const key = await anApiKey(ledger.owner, proposer);
  expect(await propose(wishFor(request), key)).toMatchObject({ duplicate: false });
  const reader = await anApiKey(ledger.owner, proposer, ["read"]);
  const officer = await aMember(ledger.owner, tenant.tenantId, "compliance");
  for (const actor of [reader, officer]) {
    expect(await refusalOf(propose(wishFor(request), actor))).toMatchObject({
      code: "not_permitted",
    });
  }
});
