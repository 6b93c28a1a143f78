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
  type TestTenant,
  testLedger,
} from "@/lib/testing/tenants";
import { POST as approve } from "./operations/[opId]/approvals/route";
import { POST as report } from "./requests/[ref]/contacts/route";
import { POST as expire } from "./requests/[ref]/expiries/route";
import { POST as remind } from "./requests/[ref]/reminders/route";
import { POST as resend } from "./requests/[ref]/resends/route";
import { POST as voidIt } from "./requests/[ref]/voids/route";

const ORIGIN = "http://localhost:3999";
const SECRET = randomBytes(32).toString("hex");

let ledger: TestLedger;
let tenant: TestTenant;
let proposer: Actor;
let headers: Record<"key" | "stranger" | "onCall", Record<string, string>>;

beforeAll(async () => {
  ledger = await testLedger();
  (globalThis as { deadlineConsole?: unknown }).deadlineConsole = ledger.ctx;
  process.env.DATABASE_URL = ledger.url;
  process.env.DEADLINE_LEDGER_VAULT_KEY = ledger.ctx.vaultKey.toString("base64");
  process.env.NEXTAUTH_SECRET = SECRET;
  process.env.NEXTAUTH_URL = ORIGIN;
  tenant = await aTenant(ledger.owner);
  proposer = await aMember(ledger.owner, tenant.tenantId);
  const other = await aTenant(ledger.owner);
  headers = {
    key: { authorization: `Bearer ${await keyOf(proposer)}` },
    stranger: { cookie: await cookieOf(await aMember(ledger.owner, other.tenantId)) },
    onCall: { cookie: await cookieOf(await aMember(ledger.owner, tenant.tenantId, "on_call")) },
  };
});
afterAll(() => ledger.close());

async function cookieOf({ id: accountId }: Actor): Promise<string> {
  const sid = randomUUID();
  const expiresAt = new Date(Date.now() + 3_600_000);
  await ledger.owner.session.create({ data: { id: sid, accountId, expiresAt } });
  return `next-auth.session-token=${await encode({ token: { sid }, secret: SECRET })}`;
}

async function keyOf(madeBy: Actor): Promise<string> {
  const secret = `dl_${randomBytes(24).toString("base64url")}`;
  const { id } = await anApiKey(ledger.owner, madeBy, ["propose"]);
  const data = { keyHash: sha256Hex(secret) };
  await ledger.owner.apiKey.updateMany({ where: { id }, data });
  return secret;
}

async function call(
  handler: DeclaredHandler,
  caller: keyof typeof headers,
  path: Record<string, string>,
  body: unknown,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const request = new NextRequest(`${ORIGIN}/api/v1/t/x`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: ORIGIN, ...headers[caller] },
    body: JSON.stringify(body),
  });
  const params = Promise.resolve({ tenant: tenant.slug, ...path });
  const response = await handler(request, { params });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const KINDS: Record<string, readonly [DeclaredHandler, object]> = {
  remind: [remind, {}],
  resend: [resend, {}],
  expire: [expire, { when: "now" }],
  void: [voidIt, {}],
};

function bodyOf(more: object): { readonly approvalId: string; readonly reason: string } {
  return { approvalId: randomUUID(), reason: "The counterparty asked for it.", ...more };
}

test.each(Object.entries(KINDS))(
  "API-2 ID-6 PV-2: %s is proposed by a key once per approval id and approved by no key; a stranger finds nothing",
  async (kind, [propose, more]) => {
    const { ref, receiptId } = await aRequest(ledger.owner, tenant);
    const body = bodyOf(more);
    const first = await call(propose, "key", { ref }, body);
    expect(first).toMatchObject({ status: 200, body: { state: "proposed", duplicate: false } });
    const opId = String(first.body.opId);
    expect(await call(propose, "key", { ref }, body)).toMatchObject({
      status: 200,
      body: { opId, duplicate: true },
    });
    expect(await call(propose, "key", { ref }, { ...body, reason: "Other." })).toMatchObject({
      status: 409,
      body: { code: "key_reused", op_id: opId },
    });
    const row = await ledger.owner.operation.findFirstOrThrow({ where: { requestRef: ref } });
    expect(row).toMatchObject({ kind, opId, version: 1 });
    const shown = { version: 1, hash: row.payloadHash, receiptId };
    expect(await call(approve, "key", { opId }, shown)).toMatchObject({ status: 403 });
    for (const caller of ["stranger", "onCall"] as const) {
      const { status, body: problem } = await call(propose, caller, { ref }, bodyOf(more));
      const wanted = caller === "stranger" ? [404, "not_found"] : [403, "not_permitted"];
      expect([status, problem.code]).toEqual(wanted);
    }
    expect(await call(propose, "key", { ref: "req_nobody" }, bodyOf(more))).toMatchObject({
      status: 404,
    });
    expect(await ledger.owner.operation.count({ where: { requestRef: ref } })).toBe(1);
  },
);

test("PV-7: what no kind knows is refused by field and adds nothing", async () => {
  const { ref } = await aRequest(ledger.owner, tenant);
  const tries: [DeclaredHandler, object, string][] = [
    [remind, { subjectRefs: ["s_nobody"] }, "subjectRefs"],
    [remind, { message: "x".repeat(5001) }, "message"],
    [remind, { days: 7 }, ""],
    [resend, { subjectRefs: null }, ""],
    [expire, {}, "when"],
    [expire, { when: "tomorrow" }, "when"],
    [expire, { when: "business_deadline" }, "when"],
    [voidIt, { reason: "" }, "reason"],
    [voidIt, { reason: "Ask pat@example.com." }, "reason"],
    [voidIt, { approvalId: "mine" }, "approvalId"],
  ];
  for (const [handler, more, path] of tries) {
    const { status, body } = await call(handler, "key", { ref }, bodyOf(more));
    expect([status, (body.fields as { path: string }[])[0]?.path]).toEqual([422, path]);
    expect(JSON.stringify(body)).not.toContain("example.com");
  }
  expect(await ledger.owner.operation.count({ where: { requestRef: ref } })).toBe(0);
});

test("RM-2: a key reports a contact, and the reminder that follows is refused with its moment", async () => {
  const { ref } = await aRequest(ledger.owner, tenant);
  const at = new Date(Date.now() - 60_000).toISOString();
  const possibleAt = new Date(Date.parse(at) + 24 * 3_600_000).toISOString();
  expect(await call(report, "key", { ref }, { at })).toEqual({
    status: 200,
    body: { recorded: 2, possibleAt },
  });
  expect(await call(report, "stranger", { ref }, { at })).toMatchObject({ status: 404 });
  expect(await call(remind, "key", { ref }, bodyOf({}))).toMatchObject({
    status: 409,
    body: { code: "reminder_too_soon", possible_at: possibleAt, last_by: "elsewhere" },
  });
});
