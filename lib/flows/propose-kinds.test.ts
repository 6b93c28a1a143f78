import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { canonicalText } from "@/lib/domain/canonical";
import { recordContacts } from "@/lib/store/contacts";
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
import { approve } from "./approve";
import type { Actor } from "./context";
import { proposeExpiry } from "./propose-expire";
import { proposeReminder, type ReminderWish } from "./propose-remind";
import { proposeResend } from "./propose-resend";
import { proposeVoid } from "./propose-void";
import { reportContact } from "./report-contact";

let ledger: TestLedger;
let tenant: TestTenant;
let proposer: Actor;
let approver: Actor;

beforeAll(async () => {
  ledger = await testLedger();
  tenant = await aTenant(ledger.owner);
  proposer = await aMember(ledger.owner, tenant.tenantId);
  approver = await aMember(ledger.owner, tenant.tenantId);
});
afterAll(() => ledger.close());

const HOUR = 3_600_000;

function wishFor(request: TestRequest, more: Partial<ReminderWish> = {}) {
  return {
    approvalId: randomUUID(),
    requestRef: request.ref,
    reason: "The counterparty asked for it.",
    ...more,
  };
}

const remind = (wish: ReminderWish, actor = proposer) => proposeReminder(ledger.ctx, actor, wish);

/** Each way to propose, by kind. */
const WAYS = {
  remind: (wish: ReminderWish) => remind(wish),
  resend: (wish: ReminderWish) => proposeResend(ledger.ctx, proposer, wish),
  expire: (wish: ReminderWish) => proposeExpiry(ledger.ctx, proposer, { ...wish, when: "now" }),
  void: (wish: ReminderWish) => proposeVoid(ledger.ctx, proposer, wish),
} as const;
const KINDS = Object.keys(WAYS) as (keyof typeof WAYS)[];

async function operationOf(opId: string) {
  const row = await ledger.owner.operation.findFirstOrThrow({ where: { opId } });
  return { ...row, payload: JSON.parse(row.canonicalText) as Record<string, unknown> };
}

async function subjectsOf({ ref }: TestRequest): Promise<string[]> {
  const rows = await ledger.owner.requestSigner.findMany({
    where: { tenantId: tenant.tenantId, requestRef: ref },
    orderBy: { signingOrder: "asc" },
  });
  return rows.map(({ subjectRef }) => subjectRef);
}

function setRequest({ ref }: TestRequest, data: object) {
  const { tenantId } = tenant;
  return ledger.owner.request.update({ where: { tenantId_ref: { tenantId, ref } }, data });
}

async function signed(
  { receiptId }: Pick<TestRequest, "receiptId">,
  subjectRefs: readonly string[],
): Promise<void> {
  const body = JSON.stringify({ matches: [{ signed_by: subjectRefs }] });
  await ledger.owner.$transaction([
    ledger.owner.$executeRaw`ALTER TABLE read_receipts DISABLE TRIGGER USER`,
    ledger.owner.$executeRaw`UPDATE read_receipts SET body = ${body} WHERE id = ${receiptId}::uuid`,
    ledger.owner.$executeRaw`ALTER TABLE read_receipts ENABLE TRIGGER USER`,
  ]);
}

test.each(KINDS)(
  "ID-1 ID-6 C-04: %s: one wish twenty times at once is one operation, other content a conflict",
  async (kind) => {
    const request = await aRequest(ledger.owner, tenant);
    const wish = wishFor(request);
    const answers = await Promise.all(Array.from({ length: 20 }, () => WAYS[kind](wish)));
    expect(new Set(answers.map(({ opId }) => opId)).size).toBe(1);
    expect(answers.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
    const opId = answers[0]?.opId ?? "";
    expect(await operationOf(opId)).toMatchObject({
      kind,
      opKey: `${request.ref}/${kind}/${wish.approvalId}`,
      state: "proposed",
      payload: { kind, expected: { status: "sent", expires_at: "2027-06-15T15:00:00Z" } },
    });
    const refusal = await refusalOf(WAYS[kind]({ ...wish, reason: "Another reason." }));
    expect(refusal).toMatchObject({ code: "key_reused", status: 409, extensions: { op_id: opId } });
    const { length } = await ledger.owner.operation.findMany({
      where: { requestRef: request.ref },
    });
    expect(length).toBe(1);
  },
);

test.each(KINDS)(
  "AP-4: %s: a repeat after the request moved on is still the same wish",
  async (kind) => {
    const request = await aRequest(ledger.owner, tenant);
    const wish = wishFor(request);
    const first = await WAYS[kind](wish);
    const receiptId = await aRead(ledger.owner, tenant.tenantId, request.ref, {
      status: "completed",
      expiresAt: "2027-06-16T15:00:00Z",
      version: "5",
    });
    await signed({ receiptId }, await subjectsOf(request));
    await setRequest(request, { reminderOwner: "platform" });
    expect(await WAYS[kind](wish)).toMatchObject({ opId: first.opId, duplicate: true });
  },
);

test.each(KINDS)(
  "AP-4: %s: an open operation that asks for the same is shown; going on needs a reason",
  async (kind) => {
    const request = await aRequest(ledger.owner, tenant);
    const first = await WAYS[kind](wishFor(request));
    expect(await WAYS[kind](wishFor(request))).toEqual({ ...first, duplicate: true });
    const second = await WAYS[kind](wishFor(request, { goOnReason: "The first one is lost." }));
    expect(second).toMatchObject({ duplicate: false });
    const event = await ledger.owner.operationEvent.findFirstOrThrow({
      where: { opId: second.opId },
    });
    expect(JSON.parse(event.body)).toMatchObject({
      evidence: { twin: first.opId, go_on: { digest: expect.any(String) } },
    });
  },
);

test.each(KINDS)("IN-5: %s of a request whose end is final is refused", async (kind) => {
  const request = await aRequest(ledger.owner, tenant);
  const end = { status: "completed", expiresAt: "2027-06-15T15:00:00Z" };
  await aRead(ledger.owner, tenant.tenantId, request.ref, end);
  expect(await refusalOf(WAYS[kind](wishFor(request)))).toMatchObject({ code: "request_ended" });
});

test.each(KINDS)(
  "GO-1: %s is refused while it is off, and in shadow it leaves the live key free",
  async (kind) => {
    const { tenantId } = tenant;
    const mode = (to: string) =>
      ledger.owner.kindMode.update({
        where: { tenantId_kind: { tenantId, kind } },
        data: { mode: to },
      });
    const request = await aRequest(ledger.owner, tenant);
    const wish = wishFor(request);
    await mode("off");
    const refusal = await refusalOf(WAYS[kind](wish));
    expect(refusal).toMatchObject({ code: "mode_off", status: 409 });
    expect(refusal.message).toMatch(/is switched off for this tenant/);
    await mode("shadow");
    const shadow = await WAYS[kind](wish);
    const key = `${request.ref}/${kind}/${wish.approvalId}`;
    expect(await operationOf(shadow.opId)).toMatchObject({ opKey: `shadow/${key}` });
    await mode("live");
    // The approval id still means what it gave, and a shadow is nobody's twin.
    expect(await WAYS[kind](wish)).toMatchObject({ opId: shadow.opId, duplicate: true });
    expect(await WAYS[kind](wishFor(request))).toMatchObject({ duplicate: false });
  },
);

test("RM-3 ID-5: a reminder goes to those who may still sign, its message stands in the vault only", async () => {
  const request = await aRequest(ledger.owner, tenant);
  const [first, second] = await subjectsOf(request);
  await signed(request, [first ?? ""]);
  const message = "Please look at the Canary-Heron lease.";
  const { opId } = await remind(wishFor(request, { message }));
  const { payload } = await operationOf(opId);
  expect(payload).toMatchObject({
    signers: [{ subject_ref: second }],
    message: { ref: expect.any(String), digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
  });
  const [found] = await ledger.owner.$queryRaw<{ hits: number }[]>`
    SELECT ((SELECT count(*) FROM operations o WHERE o::text ILIKE '%canary-heron%')
      + (SELECT count(*) FROM operation_events e WHERE e::text ILIKE '%canary-heron%')
      + (SELECT count(*) FROM vault_entries v WHERE v::text ILIKE '%canary-heron%'))::int AS hits`;
  expect(found?.hits).toBe(0);
  await signed(request, [first ?? "", second ?? ""]);
  expect(await refusalOf(remind(wishFor(request)))).toMatchObject({ code: "everybody_signed" });
});

test("RM-3: only signers of the request who have not signed can be chosen, and all where the platform cannot choose", async () => {
  const request = await aRequest(ledger.owner, tenant);
  const [first = "", second = ""] = await subjectsOf(request);
  await signed(request, [first]);
  for (const subjectRefs of [["s_nobody"], [], [first], [first, second]]) {
    const refusal = await refusalOf(remind(wishFor(request, { subjectRefs })));
    expect(refusal.fields[0]?.path).toBe("subjectRefs");
  }
  const { opId } = await remind(wishFor(request, { subjectRefs: [second] }));
  expect((await operationOf(opId)).payload).toMatchObject({ signers: [{ subject_ref: second }] });

  const { tenantId, connectionId: id } = tenant;
  const where = { tenantId_id: { tenantId, id } };
  const { descriptor } = await ledger.owner.connection.findUniqueOrThrow({ where });
  const allOnly = JSON.stringify({ ...JSON.parse(descriptor), remindsSingleSigners: false });
  const other = await aRequest(ledger.owner, tenant);
  const [one = ""] = await subjectsOf(other);
  await ledger.owner.connection.update({ where, data: { descriptor: allOnly } });
  const refusal = await refusalOf(remind(wishFor(other, { subjectRefs: [one] })));
  await ledger.owner.connection.update({ where, data: { descriptor } });
  expect(refusal.fields[0]?.sentence).toMatch(/^This platform contacts everybody/);
});

test("RM-1: where the platform reminds, a reminder is refused", async () => {
  const request = await aRequest(ledger.owner, tenant);
  await setRequest(request, { reminderOwner: "platform" });
  expect(await refusalOf(remind(wishFor(request)))).toMatchObject({
    code: "reminder_owner_platform",
    status: 409,
  });
});

test("RM-2 C-25: a reminder too soon is refused with who contacted last and when it becomes possible", async () => {
  const request = await aRequest(ledger.owner, tenant);
  const [first = "", second = ""] = await subjectsOf(request);
  const at = new Date(Date.now() - 3 * HOUR);
  await ledger.owner.$transaction((tx) =>
    recordContacts(tx, tenant.tenantId, {
      requestRef: request.ref,
      subjectRefs: [first],
      source: "agent",
      opId: null,
      at,
      certain: false,
      recordedBy: "test",
    }),
  );
  const refusal = await refusalOf(remind(wishFor(request)));
  expect(refusal).toMatchObject({
    code: "reminder_too_soon",
    status: 409,
    extensions: {
      last_by: "agent",
      last_at: at.toISOString(),
      possible_at: new Date(at.getTime() + 24 * HOUR).toISOString(),
    },
  });
  expect(refusal.message).toMatch(
    /^Last one 3 h ago by an agent\. Possible again \d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ\.$/,
  );
  // The interval is kept per signer.
  const other = await remind(wishFor(request, { subjectRefs: [second] }));
  expect(other.duplicate).toBe(false);
});

test("RM-2: the platform's own last reminder counts for every signer", async () => {
  const request = await aRequest(ledger.owner, tenant);
  await setRequest(request, { mirrorLastReminderAt: new Date(Date.now() - 2 * HOUR) });
  expect(await refusalOf(remind(wishFor(request)))).toMatchObject({
    code: "reminder_too_soon",
    extensions: { last_by: "platform" },
  });
  await setRequest(request, { mirrorLastReminderAt: new Date(Date.now() - 25 * HOUR) });
  expect((await remind(wishFor(request))).duplicate).toBe(false);
});

test("RM-2: a contact that a program reports counts once for the interval, and only its own tenant may report it", async () => {
  const request = await aRequest(ledger.owner, tenant);
  const [first = ""] = await subjectsOf(request);
  const key = await anApiKey(ledger.owner, proposer, ["propose"]);
  const at = new Date(Date.now() - HOUR).toISOString();
  const report = { requestRef: request.ref, subjectRefs: [first], at };
  const possibleAt = new Date(Date.parse(at) + 24 * HOUR).toISOString();
  expect(await reportContact(ledger.ctx, key, report)).toEqual({ recorded: 1, possibleAt });
  expect(await reportContact(ledger.ctx, key, report)).toEqual({ recorded: 0, possibleAt });
  expect(await refusalOf(remind(wishFor(request)))).toMatchObject({
    extensions: { last_by: "elsewhere", possible_at: possibleAt },
  });
  const stranger = await aMember(ledger.owner, (await aTenant(ledger.owner)).tenantId);
  const reader = await anApiKey(ledger.owner, proposer, ["read"]);
  const tries: [Actor, object, string][] = [
    [stranger, {}, "not_found"],
    [reader, {}, "not_permitted"],
    [key, { at: "yesterday" }, "fields_unusable"],
    [key, { at: new Date(Date.now() + HOUR).toISOString() }, "fields_unusable"],
    [key, { subjectRefs: ["s_nobody"] }, "fields_unusable"],
  ];
  for (const [actor, change, code] of tries) {
    const refused = reportContact(ledger.ctx, actor, { ...report, ...change });
    expect(await refusalOf(refused)).toMatchObject({ code });
  }
  const everybody = {
    ...report,
    subjectRefs: null,
    at: new Date(Date.now() - 60_000).toISOString(),
  };
  expect(await reportContact(ledger.ctx, proposer, everybody)).toMatchObject({ recorded: 2 });
});

test("PL-2: a resend says what the platform does to the expiry, and nothing where it keeps it", async () => {
  const plain = await aRequest(ledger.owner, tenant);
  const kept = await proposeResend(ledger.ctx, proposer, wishFor(plain));
  expect((await operationOf(kept.opId)).payload).toMatchObject({ moves_expiry_to: null });

  const days = await aTenant(ledger.owner, "relative_days");
  const member = await aMember(ledger.owner, days.tenantId);
  const request = await aRequest(ledger.owner, days);
  const where = { tenantId_ref: { tenantId: days.tenantId, ref: request.ref } };
  const delivered = new Date("2027-06-05T15:00:00Z");
  await ledger.owner.request.update({ where, data: { mirrorLastDeliveryAt: delivered } });
  const wish = wishFor(request);
  const { opId } = await proposeResend(ledger.ctx, member, wish);
  const { payload, createdAt } = await operationOf(opId);
  expect(payload).toMatchObject({ moves_expiry: "from_the_call" });
  const inTenDays = createdAt.getTime() + 240 * HOUR;
  expect(Math.abs(Date.parse(String(payload.moves_expiry_to)) - inTenDays)).toBeLessThan(5_000);
  await ledger.owner.request.update({ where, data: { mirrorLastDeliveryAt: null } });
  expect(await proposeResend(ledger.ctx, member, wish)).toMatchObject({ opId, duplicate: true });
});

const DEADLINE = {
  date: "2027-06-15",
  time: "17:00",
  zone: "Europe/Berlin",
  choice: "only",
  instant: "2027-06-15T15:00:00Z",
  offset: "+02:00",
  zoneData: "2026f",
};

function expireAtDeadline(wish: ReminderWish) {
  return proposeExpiry(ledger.ctx, proposer, { ...wish, when: "business_deadline" });
}

test("AP-2 TM-1: an expiry at the business deadline keeps that instant as its due time through the approval", async () => {
  const request = await aRequest(ledger.owner, tenant);
  const due = { businessDeadline: canonicalText(DEADLINE), businessDeadlineAt: DEADLINE.instant };
  await setRequest(request, due);
  const { opId } = await expireAtDeadline(wishFor(request));
  const { version, payloadHash: hash, payload } = await operationOf(opId);
  expect(payload).toMatchObject({ business_deadline: { instant: DEADLINE.instant } });
  const { receiptId } = request;
  await approve(ledger.ctx, approver, { opId, version, hash, receiptId });
  const approved = await operationOf(opId);
  expect([approved.state, approved.dueAt.toISOString()]).toEqual([
    "scheduled",
    "2027-06-15T15:00:00.000Z",
  ]);
  // Now and at the deadline are two different things to ask for.
  const now = await proposeExpiry(ledger.ctx, proposer, { ...wishFor(request), when: "now" });
  expect(now.duplicate).toBe(false);
  expect(await expireAtDeadline(wishFor(request))).toMatchObject({ opId, duplicate: true });
});

test("an expiry at a deadline that was never approved, or has passed, is refused by its field", async () => {
  const request = await aRequest(ledger.owner, tenant);
  const none = await refusalOf(expireAtDeadline(wishFor(request)));
  expect(none).toMatchObject({ code: "fields_unusable", fields: [{ path: "when" }] });
  const past = { ...DEADLINE, date: "2026-06-15", instant: "2026-06-15T15:00:00Z" };
  await setRequest(request, { businessDeadline: canonicalText(past) });
  const late = await refusalOf(expireAtDeadline(wishFor(request)));
  expect(late).toMatchObject({ code: "deadline_in_past", fields: [{ path: "when" }] });
});

test("ID-5: signers see the reason of a void only where the platform shows it", async () => {
  const request = await aRequest(ledger.owner, tenant);
  const { opId } = await proposeVoid(ledger.ctx, proposer, wishFor(request));
  const { payload } = await operationOf(opId);
  expect(payload).toMatchObject({ shown_reason: { digest: payload.reason_digest } });
});

test("AP-2: who may not propose a kind by its policy is refused, and a key is asked for its scope", async () => {
  const { tenantId } = tenant;
  const request = await aRequest(ledger.owner, tenant);
  const reader = await anApiKey(ledger.owner, proposer, ["read"]);
  const onCall = await aMember(ledger.owner, tenantId, "on_call");
  for (const actor of [reader, onCall]) {
    expect(await refusalOf(remind(wishFor(request), actor))).toMatchObject({
      code: "not_permitted",
    });
  }
  const key = await anApiKey(ledger.owner, proposer, ["propose"]);
  expect(await remind(wishFor(request), key)).toMatchObject({ state: "proposed" });
});

test.each(KINDS)(
  "PL-5 C-30: %s: an expiry that moved meanwhile stops the approval only where it matters",
  async (kind) => {
    const request = await aRequest(ledger.owner, tenant);
    const { opId } = await WAYS[kind](wishFor(request));
    const moved = { status: "sent", expiresAt: "2027-06-20T15:00:00Z", version: "2" };
    const receiptId = await aRead(ledger.owner, tenant.tenantId, request.ref, moved);
    const { version, payloadHash: hash } = await operationOf(opId);
    const approving = approve(ledger.ctx, approver, { opId, version, hash, receiptId });
    if (kind === "remind" || kind === "void") {
      expect(await approving).toMatchObject({ state: "scheduled" });
    } else {
      expect(await refusalOf(approving)).toMatchObject({ code: "request_state_changed" });
    }
  },
);
