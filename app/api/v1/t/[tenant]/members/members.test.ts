import { randomBytes, randomUUID } from "node:crypto";
import { NextRequest } from "next/server";
import { encode } from "next-auth/jwt";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { DeclaredHandler } from "@/app/_server/route";
import { GET as operations } from "@/app/api/v1/t/[tenant]/operations/route";
import type { Role } from "@/lib/domain/role";
import { approve } from "@/lib/flows/approve";
import type { Actor } from "@/lib/flows/context";
import { proposeExtension } from "@/lib/flows/propose-extension";
import { saveRota } from "@/lib/flows/save-rota";
import { signIn } from "@/lib/flows/sign-in";
import {
  aMember,
  aRequest,
  aTenant,
  type TestLedger,
  type TestTenant,
  testLedger,
} from "@/lib/testing/tenants";
import { POST as remove } from "./[account]/removals/route";
import { POST as changeRole } from "./[account]/roles/route";
import { GET as oneMember } from "./[account]/route";
import { POST as endSessions } from "./[account]/session-ends/route";
import { POST as add, GET as list } from "./route";

const ORIGIN = "http://localhost:3999";
const SECRET = randomBytes(32).toString("hex");

let ledger: TestLedger;
let tenant: TestTenant;
let admin: Actor;
let cookie: string;

beforeAll(async () => {
  ledger = await testLedger();
  (globalThis as { deadlineConsole?: unknown }).deadlineConsole = ledger.ctx;
  process.env.DATABASE_URL = ledger.url;
  process.env.DEADLINE_LEDGER_VAULT_KEY = ledger.ctx.vaultKey.toString("base64");
  process.env.NEXTAUTH_SECRET = SECRET;
  process.env.NEXTAUTH_URL = ORIGIN;
});
afterAll(() => ledger.close());
beforeEach(async () => {
  tenant = await aTenant(ledger.owner);
  admin = await aMember(ledger.owner, tenant.tenantId, "admin");
  cookie = await cookieOf(admin);
});

async function cookieOf({ id: accountId }: Pick<Actor, "id">): Promise<string> {
  const sid = randomUUID();
  const expiresAt = new Date(Date.now() + 3_600_000);
  await ledger.owner.session.create({ data: { id: sid, accountId, expiresAt } });
  return `next-auth.session-token=${await encode({ token: { sid }, secret: SECRET })}`;
}

async function call(
  handler: DeclaredHandler,
  by: string,
  { account = "", body, slug = tenant.slug }: { account?: string; body?: unknown; slug?: string },
): Promise<{ status: number; body: Record<string, unknown> }> {
  const request = new NextRequest(`${ORIGIN}/api/v1/t/x`, {
    method: body === undefined ? "GET" : "POST",
    headers: { "content-type": "application/json", cookie: by, origin: ORIGIN },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const response = await handler(request, { params: Promise.resolve({ tenant: slug, account }) });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const member = (role: Role) => aMember(ledger.owner, tenant.tenantId, role);

const removal = (account: Actor, shownRole: Role, by = cookie) =>
  call(remove, by, { account: account.id, body: { shownRole } });

/** An extension that this person approved and nobody started. */
async function approvedBy(approver: Actor): Promise<string> {
  const proposer = await member("account_manager");
  const request = await aRequest(ledger.owner, tenant);
  const { opId } = await proposeExtension(ledger.ctx, proposer, {
    approvalId: randomUUID(),
    requestRef: request.ref,
    date: "2027-06-30",
    time: "10:00",
    zone: "Europe/Berlin",
    reason: "Board meets late.",
  });
  const { version, payloadHash: hash } = await operation(opId);
  await approve(ledger.ctx, approver, { opId, version, hash, receiptId: request.receiptId });
  return opId;
}

const operation = (opId: string) => ledger.owner.operation.findFirstOrThrow({ where: { opId } });

const reasonsOf = async (opId: string) =>
  (await ledger.owner.reviewItem.findMany({ where: { opId } })).map(({ reason }) => reason);

async function rowOf(account: Actor): Promise<Record<string, unknown> | undefined> {
  const { body } = await call(list, cookie, {});
  const rows = body.members as { accountId: string }[];
  return rows.find(({ accountId }) => accountId === account.id) as
    | Record<string, unknown>
    | undefined;
}

const controlsOf = (accountId: string) =>
  ledger.owner.controlEvent.findMany({
    where: { tenantId: tenant.tenantId, about: `member:${accountId}` },
    orderBy: { at: "asc" },
  });

test("C-36 PV-1: a removed member is refused from the next request on, in this tenant and in no other", async () => {
  const robin = await member("account_manager");
  const elsewhere = await aTenant(ledger.owner);
  await ledger.owner.membership.create({
    data: { tenantId: elsewhere.tenantId, accountId: robin.id, role: "on_call" },
  });
  const robins = await cookieOf(robin);
  expect((await call(operations, robins, {})).status).toBe(200);
  expect((await removal(robin, "account_manager")).status).toBe(200);
  const refused = await call(operations, robins, {});
  expect([refused.status, refused.body.code]).toEqual([404, "not_found"]);
  expect((await call(operations, robins, { slug: elsewhere.slug })).status).toBe(200);
  expect((await controlsOf(robin.id)).map(({ kind, actor }) => [kind, actor])).toEqual([
    ["member_removed", `user:${admin.id}`],
  ]);
});

test("C-36 AP-3: what a removed member approved and nobody started goes to review; other approvals stand", async () => {
  const [robin, other] = [await member("account_manager"), await member("account_manager")];
  const [lost, kept] = [await approvedBy(robin), await approvedBy(other)];
  expect(await rowOf(robin)).toMatchObject({ approvedWaiting: 1 });
  expect((await removal(robin, "account_manager")).body).toEqual({ toReview: 1 });
  expect(await operation(lost)).toMatchObject({
    state: "needs_review",
    reason: "authorization_lost",
    owner: "team:account-managers",
  });
  expect(await reasonsOf(lost)).toEqual(["authorization_lost"]);
  expect((await operation(kept)).state).toBe("scheduled");
  expect(await ledger.owner.approval.count({ where: { opId: lost, revokedAt: null } })).toBe(1);
});

test("C-36: a demoted member keeps no more than the new role allows, from the next request on", async () => {
  const robin = await member("admin");
  const robins = await cookieOf(robin);
  expect((await call(oneMember, robins, { account: admin.id })).status).toBe(200);
  const body = { shownRole: "admin", role: "compliance" };
  expect((await call(changeRole, cookie, { account: robin.id, body })).status).toBe(200);
  const refused = await call(oneMember, robins, { account: admin.id });
  expect([refused.status, refused.body.code]).toEqual([403, "not_permitted"]);
  const seen = await call(list, robins, {});
  const logins = (seen.body.members as { login: unknown }[]).map(({ login }) => login);
  expect(new Set(logins)).toEqual(new Set([null]));
});

test("AP-3: approvals of a member whose new role may not approve go to review, those that it may give stand", async () => {
  const robin = await member("account_manager");
  const opId = await approvedBy(robin);
  const body = { shownRole: "account_manager", role: "compliance" };
  const changed = await call(changeRole, cookie, { account: robin.id, body });
  expect(changed.body).toEqual({ toReview: 1 });
  expect((await operation(opId)).state).toBe("needs_review");
  const again = await call(changeRole, cookie, { account: robin.id, body });
  expect([again.status, again.body.code]).toEqual([409, "member_changed"]);
});

test("C-36: sessions that an admin ends are worth nothing at the next request, one or all of them", async () => {
  const robin = await member("on_call");
  const [first, second, third] = [
    await cookieOf(robin),
    await cookieOf(robin),
    await cookieOf(robin),
  ];
  expect((await call(operations, second, {})).status).toBe(200);
  const page = await call(oneMember, cookie, { account: robin.id });
  const sessions = page.body.sessions as { id: string; lastSeenAt: string | null }[];
  expect(sessions.map(({ lastSeenAt }) => lastSeenAt !== null).sort()).toEqual([
    false,
    false,
    true,
  ]);
  const used = sessions.find(({ lastSeenAt }) => lastSeenAt !== null);
  const one = { account: robin.id, body: { sessionId: used?.id ?? "" } };
  expect((await call(endSessions, cookie, one)).body).toEqual({ ended: 1 });
  expect((await call(operations, second, {})).status).toBe(401);
  expect((await call(operations, first, {})).status).toBe(200);
  const foreign = { account: admin.id, body: { sessionId: sessions[0]?.id ?? "" } };
  expect((await call(endSessions, cookie, foreign)).status).toBe(404);
  const all = { account: robin.id, body: { sessionId: null } };
  expect((await call(endSessions, cookie, all)).body).toEqual({ ended: 2 });
  expect((await call(operations, third, {})).status).toBe(401);
});

test("PV-1: the last admin stays, also when two admins remove each other at the same moment", async () => {
  expect((await removal(admin, "admin")).body).toMatchObject({ code: "last_admin" });
  const body = { shownRole: "admin", role: "on_call" };
  const demoted = await call(changeRole, cookie, { account: admin.id, body });
  expect(demoted.body).toMatchObject({ code: "last_admin" });
  const other = await member("admin");
  const both = await Promise.all([
    removal(other, "admin"),
    removal(admin, "admin", await cookieOf(other)),
  ]);
  // Whoever comes second is refused: as the last admin, or because the session has no member behind it any more.
  expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
  const left = await ledger.owner.membership.count({
    where: { tenantId: tenant.tenantId, role: "admin", removedAt: null },
  });
  expect(left).toBe(1);
});

test("PV-1: an admin whose account is switched off does not count as the one who stays", async () => {
  const off = await member("admin");
  await ledger.owner.account.update({ where: { id: off.id }, data: { disabledAt: new Date() } });
  expect((await removal(admin, "admin")).body).toMatchObject({ code: "last_admin" });
  expect((await removal(off, "admin")).status).toBe(200);
});

test("RV-1: shifts of a member who leaves or changes team end, so that the rota can be saved again", async () => {
  const [robin, other] = [await member("on_call"), await member("on_call")];
  const [startsAt, endsAt] = ["2027-01-01T00:00:00Z", "2027-01-08T00:00:00Z"];
  const team = "team:on-call" as const;
  const shifts = [robin, other].map(({ id }) => ({ team, accountId: id, startsAt, endsAt }));
  await saveRota(ledger.ctx, admin, { shifts, seen: [] });
  expect(await rowOf(robin)).toMatchObject({ shifts: 1 });
  await removal(robin, "on_call");
  const left = await ledger.owner.$queryRaw<{ id: string; account: string }[]>`
    SELECT id, account_id AS account FROM rota_shifts
    WHERE tenant_id = ${tenant.tenantId}::uuid AND retired_at IS NULL`;
  expect(left.map(({ account }) => account)).toEqual([other.id]);
  const seen = left.map(({ id }) => id);
  expect(await saveRota(ledger.ctx, admin, { shifts: shifts.slice(1), seen })).toEqual({
    shifts: 1,
  });
});

test("PV-1: a login that nobody has becomes an account with a password to start with, which ends unless it is changed", async () => {
  const login = `New-${randomUUID().slice(0, 8)}@north.example`;
  const added = await call(add, cookie, { body: { login, role: "on_call" } });
  expect(added.status).toBe(201);
  const password = String(added.body.startingPassword);
  const result = await signIn(ledger.ctx, { login, password, source: "test" });
  expect(result.kind).toBe("signed_in");
  const kept = await ledger.owner.account.findFirstOrThrow({
    where: { login: login.toLowerCase() },
  });
  expect(kept.passwordHash).not.toContain(password);
  await ledger.owner.account.update({
    where: { id: kept.id },
    data: { passwordUntil: new Date(Date.now() - 1000) },
  });
  const late = await signIn(ledger.ctx, { login, password, source: "test" });
  expect(late).toEqual({ kind: "refused" });
});

test("PV-1: an account that exists keeps its password, comes back after a removal, and is added once", async () => {
  const robin = await member("on_call");
  const { login } = await ledger.owner.account.findFirstOrThrow({ where: { id: robin.id } });
  const body = { login: login.toUpperCase(), role: "compliance" };
  expect((await call(add, cookie, { body })).body).toMatchObject({ code: "member_exists" });
  await removal(robin, "on_call");
  const again = await call(add, cookie, { body });
  expect(again.body).toEqual({ accountId: robin.id, startingPassword: null });
  expect(await rowOf(robin)).toMatchObject({ role: "compliance" });
  expect((await controlsOf(robin.id)).map(({ kind }) => kind)).toEqual([
    "member_removed",
    "member_added",
  ]);
  const bodies = (await controlsOf(robin.id)).map((entry) => entry.body).join();
  expect(bodies).not.toContain(login);
});

test("PV-2: an admin of one tenant neither sees nor changes members of another", async () => {
  const elsewhere = await aTenant(ledger.owner);
  const stranger = await aMember(ledger.owner, elsewhere.tenantId, "on_call");
  expect((await call(oneMember, cookie, { account: stranger.id })).status).toBe(404);
  expect((await removal(stranger, "on_call")).status).toBe(404);
  const ends = { account: stranger.id, body: { sessionId: null } };
  expect((await call(endSessions, cookie, ends)).status).toBe(404);
  const written = ledger.ctx.db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT set_config('deadline.account_id', ${admin.id}, true)`;
    await tx.$executeRaw`INSERT INTO memberships (tenant_id, account_id, role)
      VALUES (${elsewhere.tenantId}::uuid, ${admin.id}::uuid, 'admin')`;
  });
  await expect(written).rejects.toThrow();
});
