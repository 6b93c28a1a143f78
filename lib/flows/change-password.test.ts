import { randomUUID } from "node:crypto";
import { hash } from "@node-rs/argon2";
import { afterAll, beforeAll, expect, test } from "vitest";
import { refusalOf } from "@/lib/testing/refusals";
import { type TestLedger, testLedger } from "@/lib/testing/tenants";
import { changePassword } from "./change-password";
import { signIn } from "./sign-in";

let ledger: TestLedger;

beforeAll(async () => {
  ledger = await testLedger();
});
afterAll(() => ledger.close());

async function anAccount(more: { passwordHash?: null; passwordUntil?: Date } = {}) {
  const accountId = randomUUID();
  const login = `${accountId.slice(0, 8)}@north.example`;
  const data = { id: accountId, login, passwordHash: await hash("handed over"), ...more };
  await ledger.owner.account.create({ data });
  return { accountId, login };
}

test("PV-1: a changed password signs in, the one before does not, and one to start with loses its end", async () => {
  const who = await anAccount({ passwordUntil: new Date(Date.now() + 3_600_000) });
  const change = { present: "handed over", next: "chosen by its owner" };
  await changePassword(ledger.ctx, who, change);
  const { login, accountId } = who;
  const attempt = (password: string) => signIn(ledger.ctx, { login, password, source: login });
  expect((await attempt("handed over")).kind).toBe("refused");
  expect((await attempt("chosen by its owner")).kind).toBe("signed_in");
  const account = await ledger.owner.account.findFirstOrThrow({ where: { id: accountId } });
  expect(account.passwordUntil).toBeNull();
});

test("PV-6: a wrong present password changes nothing and counts as a try of signing in", async () => {
  const who = await anAccount();
  const wrong = { present: "guessed", next: "chosen by somebody" };
  for (let tries = 0; tries < 10; tries += 1) {
    expect(await refusalOf(changePassword(ledger.ctx, who, wrong))).toMatchObject({
      code: "password_wrong",
    });
  }
  const right = { present: "handed over", next: "chosen by its owner" };
  expect(await refusalOf(changePassword(ledger.ctx, who, right))).toMatchObject({
    code: "too_many_tries",
  });
});

test("PV-1: short passwords are refused, and an account that signs in elsewhere gets none", async () => {
  const short = { present: "handed over", next: "short" };
  expect(await refusalOf(changePassword(ledger.ctx, await anAccount(), short))).toMatchObject({
    code: "password_short",
  });
  const elsewhere = await anAccount({ passwordHash: null });
  const change = { present: "handed over", next: "chosen by its owner" };
  expect(await refusalOf(changePassword(ledger.ctx, elsewhere, change))).toMatchObject({
    code: "password_wrong",
  });
});
