import { createHmac } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { accountForSignIn } from "@/lib/store/accounts";
import { createSession } from "@/lib/store/sessions";
import { type SignInLimits, signInLimits } from "@/lib/store/sign-in-limits";
import type { ConsoleContext } from "./context";

/** argon2id, which is this library's default, with the parameters of OWASP's first choice. */
export const PASSWORD_HASHING = {
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
} as const;

/** A working day: nobody has to sign in twice in it, and a forgotten session ends over night. */
export const SESSION_HOURS = 12;

/** No password is longer; hashing a megabyte would be a way to keep us busy. */
export const PASSWORD_LENGTH_MAX = 200;

export interface SignInAttempt {
  readonly login: string;
  readonly password: string;
  /** Where it comes from, as the network says; only a keyed hash of it is kept. */
  readonly source: string;
}

export type SignInResult =
  | { readonly kind: "signed_in"; readonly accountId: string; readonly sessionId: string }
  /** Unknown login, wrong password, disabled account, no password here: one answer in the same time. */
  | { readonly kind: "refused" }
  | { readonly kind: "too_many_tries"; readonly seconds: number };

const limitsOf = new WeakMap<object, SignInLimits>();
let standIn: Promise<string> | undefined;

/**
 * Checks a password and begins a session (PV-1, PV-6). Every try counts before it is looked at, and an unknown
 * login costs the same hashing as a known one, so neither answer nor time tells which logins exist.
 */
export async function signIn(ctx: ConsoleContext, attempt: SignInAttempt): Promise<SignInResult> {
  const seconds = await countTry(ctx, attempt);
  if (seconds !== null) return { kind: "too_many_tries", seconds };
  const account = await accountForSignIn(ctx.db, attempt.login);
  standIn ??= hash("stands in for the password of an unknown login", PASSWORD_HASHING);
  const passwordHash = account?.passwordHash ?? (await standIn);
  const password = attempt.password.slice(0, PASSWORD_LENGTH_MAX + 1);
  const matches = await verify(passwordHash, password);
  const usable = account !== null && account.passwordHash !== null && !account.disabled;
  if (!matches || !usable || password.length > PASSWORD_LENGTH_MAX) {
    ctx.log.info({ event: "sign_in_refused" });
    return { kind: "refused" };
  }
  await limitsFor(ctx).forget(loginMark(ctx, attempt.login));
  const sessionId = await createSession(ctx.db, account.id, SESSION_HOURS);
  ctx.log.info({ event: "signed_in", actor: `user:${account.id}` });
  return { kind: "signed_in", accountId: account.id, sessionId };
}

/** Counts one try of a password (PV-6). Null when it may go on, else the seconds until the next one may. */
export async function countTry(
  ctx: ConsoleContext,
  { login, source }: Omit<SignInAttempt, "password">,
): Promise<number | null> {
  const seconds = await limitsFor(ctx).count(loginMark(ctx, login), mark(ctx, source));
  if (seconds !== null) ctx.log.warn({ event: "sign_in_limited" });
  return seconds;
}

function limitsFor({ db }: ConsoleContext): SignInLimits {
  const limits = limitsOf.get(db) ?? signInLimits(db);
  limitsOf.set(db, limits);
  return limits;
}

function loginMark(ctx: ConsoleContext, login: string): string {
  return mark(ctx, login.trim().toLowerCase());
}

/** A keyed hash, so that neither logins nor network addresses stand in the table of limits (PV-4). */
function mark(ctx: ConsoleContext, text: string): string {
  return createHmac("sha256", ctx.vaultKey).update(`sign-in limit\n${text}`).digest("base64url");
}
