import { randomBytes, randomUUID } from "node:crypto";
import { NextRequest } from "next/server";
import { encode } from "next-auth/jwt";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { DeclaredHandler } from "@/app/_server/route";
import { sha256Hex } from "@/lib/domain/canonical";
import type { Actor } from "@/lib/flows/context";
import {
  aMember,
  anApiKey,
  aRequest,
  aTenant,
  type TestLedger,
  type TestRequest,
  type TestTenant,
  testLedger,
} from "@/lib/testing/tenants";
import { POST as approve } from "./operations/[opId]/approvals/route";
import { POST as reject } from "./operations/[opId]/rejections/route";
import { POST as extend } from "./requests/[ref]/extensions/route";
import { POST as orderRead } from "./requests/[ref]/read-orders/route";
import { POST as send } from "./sends/route";

const ORIGIN = "http://localhost:3999";
const SECRET = randomBytes(32).toString("hex");

let ledger: TestLedger;
let tenant: TestTenant;
let proposer: Actor;
let approver: Actor;
let cookies: { proposer: string; approver: string };

beforeAll(async () => {
  ledger = await testLedger();
  (globalThis as { deadlineConsole?: unknown }).deadlineConsole = ledger.ctx;
  process.env.DATABASE_URL = ledger.url;
  process.env.DEADLINE_LEDGER_VAULT_KEY = ledger.ctx.vaultKey.toString("base64");
  process.env.NEXTAUTH_SECRET = SECRET;
  process.env.NEXTAUTH_URL = ORIGIN;
  tenant = await aTenant(ledger.owner);
  proposer = await aMember(ledger.owner, tenant.tenantId);
  approver = await aMember(ledger.owner, tenant.tenantId);
  cookies = { proposer: await cookieOf(proposer), approver: await cookieOf(approver) };
});
afterAll(() => ledger.close());

async function cookieOf({ id: accountId }: Actor): Promise<string> {
  const sid = randomUUID();
  const expiresAt = new Date(Date.now() + 3_600_000);
  await ledger.owner.session.create({ data: { id: sid, accountId, expiresAt } });
  return `next-auth.session-token=${await encode({ token: { sid }, secret: SECRET })}`;
}

interface CallOptions {
  readonly path?: Record<string, string>;
  readonly headers?: Record<string, string>;
  readonly raw?: string;
  readonly slug?: string;
}

async function call(
  handler: DeclaredHandler,
  cookie: string,
  body: unknown,
  options: CallOptions = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  const request = new NextRequest(`${ORIGIN}/api/v1/t/x`, {
    method: "POST",
    headers: { "content-type": "application/json", cookie, origin: ORIGIN, ...options.headers },
    body: options.raw ?? JSON.stringify(body),
  });
  const path = { tenant: options.slug ?? tenant.slug, ...options.path };
  const response = await handler(request, { params: Promise.resolve(path) });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

function wish(more: object = {}) {
  return {
    approvalId: randomUUID(),
    date: "2027-06-30",
    time: "10:00",
    zone: "Europe/Berlin",
    reason: "Board meets late.",
    ...more,
  };
}

async function proposed(): Promise<{
  request: TestRequest;
  opId: string;
  shown: { version: number; hash: string; receiptId: string };
}> {
  const request = await aRequest(ledger.owner, tenant);
  const { status, body } = await call(extend, cookies.proposer, wish(), {
    path: { ref: request.ref },
  });
  expect(status).toBe(200);
  const opId = String(body.opId);
  const { version, payloadHash } = await ledger.owner.operation.findFirstOrThrow({
    where: { opId },
  });
  return { request, opId, shown: { version, hash: payloadHash, receiptId: request.receiptId } };
}

test("AP-1 AP-4 C-31 d: proposed and approved by two people; a replayed call with another key tells the same", async () => {
  const { opId, shown } = await proposed();
  const first = await call(approve, cookies.approver, shown, {
    path: { opId },
    headers: { "idempotency-key": randomUUID() },
  });
  expect(first).toMatchObject({ status: 200, body: { opId, state: "scheduled", already: false } });
  const again = await call(approve, cookies.approver, shown, {
    path: { opId },
    headers: { "idempotency-key": randomUUID() },
  });
  expect(again).toMatchObject({ status: 200, body: { opId, already: true, byYou: true } });
  expect(await ledger.owner.approval.count({ where: { opId } })).toBe(1);
});

test("AP-1: stale bytes, one's own proposal and another tenant's member each get their own answer and change nothing", async () => {
  const { opId, shown } = await proposed();
  const other = await aTenant(ledger.owner);
  const stranger = await cookieOf(await aMember(ledger.owner, other.tenantId));
  const stale = { ...shown, hash: "f".repeat(64) };
  const tries: [string, object, CallOptions, number, string][] = [
    [cookies.approver, stale, {}, 409, "approval_stale"],
    [cookies.approver, { ...shown, version: 7 }, {}, 409, "approval_stale"],
    [cookies.proposer, shown, {}, 403, "same_person"],
    [stranger, shown, {}, 404, "not_found"],
    [stranger, shown, { slug: other.slug }, 404, "not_found"],
    [cookies.approver, shown, { path: { opId: "7" } }, 404, "not_found"],
    [cookies.approver, { ...shown, hash: "short" }, {}, 422, "fields_unusable"],
    [
      cookies.approver,
      shown,
      { headers: { origin: "https://evil.example" } },
      403,
      "foreign_origin",
    ],
    ["", shown, {}, 401, "session_ended"],
  ];
  for (const [cookie, body, options, status, code] of tries) {
    const answer = await call(approve, cookie, body, { path: { opId }, ...options });
    expect(answer).toMatchObject({ status, body: { code, type: expect.stringContaining(code) } });
  }
  expect(await ledger.owner.approval.count({ where: { opId } })).toBe(0);
});

test("C-36: a member who was removed is refused from the next call on, by the very same cookie", async () => {
  const { opId, shown } = await proposed();
  const leaver = await aMember(ledger.owner, tenant.tenantId);
  const cookie = await cookieOf(leaver);
  await ledger.owner.membership.updateMany({
    where: { accountId: leaver.id },
    data: { removedAt: new Date() },
  });
  for (const handler of [approve, reject]) {
    const answer = await call(handler, cookie, { ...shown, reason: "No." }, { path: { opId } });
    expect(answer).toMatchObject({ status: 404, body: { code: "not_found" } });
  }
  await ledger.owner.membership.updateMany({
    where: { accountId: leaver.id },
    data: { removedAt: null, role: "compliance" },
  });
  const demoted = await call(approve, cookie, shown, { path: { opId } });
  expect(demoted).toMatchObject({ status: 403, body: { code: "not_permitted" } });
  expect(await ledger.owner.approval.count({ where: { opId } })).toBe(0);
});

test("PV-7 TM-2 ID-3: each body that cannot be a proposal gets its own clear error and adds nothing", async () => {
  const request = await aRequest(ledger.owner, tenant);
  const path = { ref: request.ref };
  const tries: [unknown, CallOptions, number, string][] = [
    [wish({ zone: "Mars/Olympus" }), {}, 422, "zone_unknown"],
    [wish({ date: "2020-01-01" }), {}, 422, "deadline_in_past"],
    [wish({ date: "2027-06-01" }), {}, 422, "deadline_not_later"],
    [wish({ reason: "" }), {}, 422, "reason_empty"],
    [wish({ approvalId: "k".repeat(300) }), {}, 422, "key_too_long"],
    [wish({ approvalId: "mine" }), {}, 422, "fields_unusable"],
    [wish({ days: 7 }), {}, 422, "fields_unusable"],
    [wish({ time: 17 }), {}, 422, "fields_unusable"],
    [wish(), { path: { ref: "req_nobody" } }, 404, "not_found"],
    [wish(), { path: { ref: "pat%40example.com" } }, 404, "not_found"],
    [wish(), { path: { ref: "%00" } }, 404, "not_found"],
    [wish(), { headers: { "idempotency-key": "k".repeat(300) } }, 422, "key_too_long"],
    [null, { raw: '{"date":' }, 400, "body_unreadable"],
    [null, { raw: '{"reason":"a","reason":"b"}' }, 400, "body_refused"],
    [null, { raw: '{"reason":"\\ud83d"}' }, 400, "body_refused"],
    [null, { raw: `{"reason":"${"x".repeat(2_000_000)}"}` }, 413, "body_too_large"],
    [wish(), { headers: { "content-type": "text/plain" } }, 415, "body_type"],
  ];
  for (const [body, options, status, code] of tries) {
    const answer = await call(extend, cookies.proposer, body, { path, ...options });
    expect([code, answer.status, answer.body.code]).toEqual([code, status, code]);
    expect(JSON.stringify(answer.body)).not.toContain("example.com");
  }
  expect(await ledger.owner.operation.count({ where: { requestRef: request.ref } })).toBe(0);
});

test("API-1 API-2: a key proposes and orders reads, never approves, and its repeat by header is answered from what is kept", async () => {
  const secret = `dl_${randomBytes(24).toString("base64url")}`;
  const key = await anApiKey(ledger.owner, proposer);
  await ledger.owner.apiKey.updateMany({
    where: { id: key.id },
    data: { keyHash: sha256Hex(secret) },
  });
  const request = await aRequest(ledger.owner, tenant);
  const headers = { authorization: `Bearer ${secret}`, "idempotency-key": randomUUID() };
  const options = { path: { ref: request.ref }, headers };
  const body = wish();
  const first = await call(extend, "", body, options);
  expect(first).toMatchObject({ status: 200, body: { duplicate: false } });
  expect(await call(extend, "", body, options)).toEqual(first);
  const other = { ...options, headers: { ...headers, "idempotency-key": randomUUID() } };
  expect(await call(extend, "", body, other)).toMatchObject({
    status: 200,
    body: { ...first.body, duplicate: true },
  });
  const read = await call(
    orderRead,
    "",
    {},
    {
      ...options,
      headers: { authorization: headers.authorization },
    },
  );
  expect(read).toMatchObject({ status: 200, body: { orderId: expect.any(String) } });
  const { payloadHash } = await ledger.owner.operation.findFirstOrThrow({
    where: { requestRef: request.ref },
  });
  const shown = { version: 1, hash: payloadHash, receiptId: request.receiptId };
  const path = { opId: String(first.body.opId) };
  expect(
    await call(approve, "", shown, { path, headers: { authorization: headers.authorization } }),
  ).toMatchObject({ status: 403, body: { code: "not_permitted" } });
});

test("PV-4 C-37: neither an answer nor a kept answer of a proposed send holds a contact detail", async () => {
  const body = {
    ...wish(),
    requestRef: "req_by_api",
    connectionId: tenant.connectionId,
    documents: [{ digest: "d".repeat(64), version: 1 }],
    signers: [{ name: "Pat Canary", email: "pat.canary@example.com", role: "tenant", order: 1 }],
    title: "Canary lease",
    reminders: { owner: "platform" },
  };
  const { reason: _reason, ...valid } = body;
  const headers = { "idempotency-key": randomUUID() };
  const made = await call(send, cookies.proposer, valid, { headers });
  expect(made).toMatchObject({ status: 200, body: { state: "proposed" } });
  const reused = await call(send, cookies.proposer, { ...valid, title: "Another canary" });
  expect(reused).toMatchObject({ status: 409, body: { code: "key_reused" } });
  const unusable = await call(send, cookies.proposer, {
    ...valid,
    requestRef: "pat.canary@example.com",
  });
  expect(unusable.status).toBe(422);
  const kept = await ledger.owner.httpIdempotency.findMany();
  expect(JSON.stringify([made, reused, unusable, kept])).not.toMatch(/canary/i);
});
