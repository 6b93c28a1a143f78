import { randomUUID } from "node:crypto";
import { hash } from "@node-rs/argon2";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSession } from "@/lib/queries/session";
import { type TestLedger, testLedger } from "@/lib/testing/tenants";
import { endSession } from "./end-session";
import { signIn } from "./sign-in";

let ledger: TestLedger;

beforeAll(async () => {
  ledger = await testLedger();
});
afterAll(() => ledger.close());

async function anAccount(changes: { disabledAt?: Date; passwordHash?: null } = {}) {
  const id = randomUUID();
  const login = `${id.slice(0, 8)}@north.example`;
  const passwordHash = await hash("right");
  await ledger.owner.account.create({ data: { id, login, passwordHash, ...changes } });
  return { id, login };
}

const tryIt = (login: string, password: string, source: string = randomUUID()) =>
  signIn(ledger.ctx, { login, password, source });

test("PV-1: the right password begins a session that ends at once when it is ended", async () => {
  const { id, login } = await anAccount();
  const result = await tryIt(login.toUpperCase(), "right");
  if (result.kind !== "signed_in") throw new Error(result.kind);
  expect(await openSession(ledger.ctx.db, result.sessionId)).toMatchObject({ accountId: id });
  const stranger = await anAccount();
  const session = { id: result.sessionId, accountId: stranger.id };
  expect(await endSession(ledger.ctx, session)).toBe(false);
  expect(await endSession(ledger.ctx, { ...session, accountId: id })).toBe(true);
  expect(await openSession(ledger.ctx.db, result.sessionId)).toBeNull();
});

test("C-36: a session of an account that is disabled meanwhile, or that ran out, is not open", async () => {
  const { id, login } = await anAccount();
  const result = await tryIt(login, "right");
  if (result.kind !== "signed_in") throw new Error(result.kind);
  await ledger.owner.account.update({ where: { id }, data: { disabledAt: new Date() } });
  expect(await openSession(ledger.ctx.db, result.sessionId)).toBeNull();
  await ledger.owner.account.update({ where: { id }, data: { disabledAt: null } });
  expect(await openSession(ledger.ctx.db, result.sessionId)).not.toBeNull();
  await ledger.owner.session.update({
    where: { id: result.sessionId },
    data: { expiresAt: new Date(Date.now() - 1000) },
  });
  expect(await openSession(ledger.ctx.db, result.sessionId)).toBeNull();
});

test("PV-6: unknown, wrong, disabled and password-less accounts get one answer", async () => {
  const disabled = await anAccount({ disabledAt: new Date() });
  const elsewhere = await anAccount({ passwordHash: null });
  const known = await anAccount();
  for (const [login, password] of [
    ["nobody@north.example", "right"],
    [known.login, "wrong"],
    [known.login, "right".padEnd(300, "x")],
    [disabled.login, "right"],
    [elsewhere.login, "right"],
    [elsewhere.login, "stands in for the password of an unknown login"],
  ] as const) {
    expect(await tryIt(login, password)).toEqual({ kind: "refused" });
  }
});

test("PV-6: the eleventh try for one login waits, also with the right password; a good one forgets", async () => {
  const { login } = await anAccount();
  for (let tries = 0; tries < 9; tries += 1) await tryIt(login, "wrong");
  expect((await tryIt(login, "right")).kind).toBe("signed_in");
  for (let tries = 0; tries < 10; tries += 1) await tryIt(login, "wrong");
  const limited = await tryIt(login, "right");
  expect(limited).toMatchObject({ kind: "too_many_tries" });
  expect(limited.kind === "too_many_tries" && limited.seconds).toBeGreaterThan(800);
});

test("PV-4: the table of limits holds neither logins nor network addresses", async () => {
  await tryIt("pat.canary@example.com", "x", "203.0.113.77");
  const rows = await ledger.owner.signInLimit.findMany();
  const text = rows.map(({ key }) => key).join("\n");
  expect(rows.length).toBeGreaterThan(0);
  expect(text).not.toMatch(/canary|203\.0\.113/);
});
