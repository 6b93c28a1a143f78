import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openIdProvider, type ProviderTokens } from "@/lib/providers/identity";
import { openSession } from "@/lib/queries/session";
import { revokeSession } from "@/lib/store/sessions";
import { startIdentityProvider, type TestIdentityProvider } from "@/lib/testing/identity-provider";
import { type TestLedger, testLedger } from "@/lib/testing/tenants";
import { confirmSession, SILENCE_MAX_MS } from "./confirm-session";
import { endProviderSessions } from "./end-provider-sessions";
import { type ProviderSignIn, signInByProvider } from "./sign-in-by-provider";

let ledger: TestLedger;
let idp: TestIdentityProvider;
let stopListening: () => Promise<void>;
/** Logout tokens as the provider posts them to the console. */
const told: string[] = [];

beforeAll(async () => {
  ledger = await testLedger();
  const console = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on("end", () => {
      told.push(new URLSearchParams(body).get("logout_token") ?? "");
      response.writeHead(200).end();
    });
  });
  await new Promise<void>((resolve) => console.listen(0, "127.0.0.1", resolve));
  stopListening = () => new Promise((resolve) => void console.close(() => resolve()));
  idp = await startIdentityProvider(`http://127.0.0.1:${(console.address() as AddressInfo).port}`);
});
afterAll(async () => {
  await idp.close();
  await stopListening();
  await ledger.close();
});

const theProvider = () => openIdProvider({ ...idp, timeoutMs: 5_000 });

/** An account here whose login is the address of the provider's account of that name. */
async function anAccount(disabledAt: Date | null = null) {
  const name = `p-${randomUUID().slice(0, 8)}`;
  const id = randomUUID();
  await ledger.owner.account.create({
    data: { id, login: `${name}@north.example`, disabledAt },
  });
  return { name, id };
}

/** Tokens that the provider itself made for the account, as the code flow would. */
async function tokensFor(name: string): Promise<ProviderTokens> {
  const { provider, clientId } = idp;
  const client = await provider.Client.find(clientId);
  if (!client) throw new Error("the provider does not know the console");
  const grant = new provider.Grant({ accountId: name, clientId });
  grant.addOIDCScope("openid email");
  const token = new provider.AccessToken({
    accountId: name,
    client,
    grantId: await grant.save(),
    scope: "openid email",
    gty: "authorization_code",
  });
  return {
    subject: name,
    accessToken: await token.save(),
    refreshToken: null,
    accessEndsAt: null,
  };
}

async function wishOf(name: string): Promise<ProviderSignIn> {
  return {
    issuer: idp.issuer,
    tokens: await tokensFor(name),
    verifiedEmail: `${name}@north.example`,
    sid: `sid-${name}`,
  };
}

async function signedIn(name: string): Promise<string> {
  const result = await signInByProvider(ledger.ctx, await wishOf(name));
  if (result.kind !== "signed_in") throw new Error(result.kind);
  return result.sessionId;
}

/** Has the provider tell the console that it signed the person out. */
async function logOut(name: string): Promise<void> {
  const client: unknown = await idp.provider.Client.find(idp.clientId);
  const telling = client as { backchannelLogout(subject: string, sid: string): Promise<void> };
  await telling.backchannelLogout(name, `sid-${name}`);
}

async function isLive(sessionId: string, provider = theProvider()): Promise<boolean> {
  const session = await openSession(ledger.ctx.db, sessionId);
  if (session === null) return false;
  return confirmSession(ledger.ctx, provider, session, { everySeconds: 0, nowMs: Date.now() });
}

test("PV-1: a verified address links an identity once, afterwards only the link counts, and nobody else gets in", async () => {
  const ours = await anAccount();
  const first = await signInByProvider(ledger.ctx, await wishOf(ours.name));
  expect(first).toMatchObject({ kind: "signed_in", accountId: ours.id });

  const moved = { ...(await wishOf(ours.name)), verifiedEmail: "somebody@else.example" };
  expect(await signInByProvider(ledger.ctx, moved)).toMatchObject({ accountId: ours.id });
  const other = await wishOf("other");
  const taking = { ...other, verifiedEmail: `${ours.name}@north.example` };
  expect(await signInByProvider(ledger.ctx, taking)).toEqual({ kind: "refused" });
  expect(await signInByProvider(ledger.ctx, other)).toEqual({ kind: "refused" });

  const fresh = await anAccount();
  const unverified = { ...(await wishOf(fresh.name)), verifiedEmail: null };
  expect(await signInByProvider(ledger.ctx, unverified)).toEqual({ kind: "refused" });
  const closed = await anAccount(new Date());
  expect(await signInByProvider(ledger.ctx, await wishOf(closed.name))).toEqual({
    kind: "refused",
  });
});

test("PV-4: neither subject, address nor token of a provider stands readable in the database or the log", async () => {
  const ours = await anAccount();
  const wish = await wishOf(ours.name);
  await signInByProvider(ledger.ctx, wish);
  const rows = JSON.stringify([
    await ledger.owner.session.findMany({ where: { accountId: ours.id } }),
    await ledger.owner.accountIdentity.findMany({ where: { accountId: ours.id } }),
  ]);
  for (const secret of [ours.name, wish.tokens.accessToken, wish.sid ?? ""]) {
    expect(rows).not.toContain(secret);
  }
});

test("PV-1 C-36: an identity that the provider revokes loses its sessions at the next question, for good", async () => {
  const [gone, stays] = [await anAccount(), await anAccount()];
  const [session, other] = [await signedIn(gone.name), await signedIn(stays.name)];
  expect(await isLive(session)).toBe(true);
  idp.disable(gone.name);
  expect(await isLive(session)).toBe(false);
  expect(await openSession(ledger.ctx.db, session)).toBeNull();
  expect(await isLive(other)).toBe(true);
});

test("PV-1: a provider that is silent keeps its people for a while, and then their sessions wait for it", async () => {
  const ours = await anAccount();
  const session = await signedIn(ours.name);
  const silent = openIdProvider({ ...idp, issuer: "http://127.0.0.1:9", timeoutMs: 500 });
  expect(await isLive(session, silent)).toBe(true);
  await ledger.owner.$executeRaw`
    UPDATE sessions SET provider_confirmed_at = ledger_now() - make_interval(secs => ${SILENCE_MAX_MS / 1000 + 1}::float8)
    WHERE id = ${session}::uuid`;
  expect(await isLive(session, silent)).toBe(false);
  expect(await isLive(session)).toBe(true);
  expect(await isLive(session, silent)).toBe(true);
});

test("PV-1: many requests at once ask the provider once", async () => {
  const ours = await anAccount();
  const session = await openSession(ledger.ctx.db, await signedIn(ours.name));
  if (session === null) throw new Error("no session");
  await ledger.owner.$executeRaw`
    UPDATE sessions SET provider_asked_at = ledger_now() - interval '1 hour' WHERE id = ${session.sessionId}::uuid`;
  let asked = 0;
  const real = theProvider();
  const counting = {
    ...real,
    confirm: (...args: Parameters<typeof real.confirm>) => {
      asked += 1;
      return real.confirm(...args);
    },
  };
  const time = { everySeconds: 600, nowMs: Date.now() };
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => confirmSession(ledger.ctx, counting, session, time)),
  );
  expect([answers.every(Boolean), asked]).toEqual([true, 1]);
});

test("PV-1 C-36: a session that is ended while its provider says yes stays ended", async () => {
  const ours = await anAccount();
  const sessionId = await signedIn(ours.name);
  const real = theProvider();
  const slow = {
    ...real,
    confirm: async (...args: Parameters<typeof real.confirm>) => {
      const answer = await real.confirm(...args);
      expect(await revokeSession(ledger.ctx.db, { id: sessionId, accountId: ours.id })).toBe(true);
      return answer;
    },
  };
  expect(await isLive(sessionId, slow)).toBe(false);
});

test("PV-1 C-36: a logout at the provider ends exactly its sessions, and a forged token ends none", async () => {
  const [gone, stays] = [await anAccount(), await anAccount()];
  const [session, other] = [await signedIn(gone.name), await signedIn(stays.name)];
  await logOut(gone.name);
  const [token = ""] = told;

  const forged = `${token.slice(0, -8)}AAAAAAAA`;
  for (const bad of [forged, "", "a.b.c", token.replace(/^[^.]+/, "eyJhbGciOiJub25lIn0")]) {
    expect(await endProviderSessions(ledger.ctx, theProvider(), bad)).toBe(false);
  }
  expect(await openSession(ledger.ctx.db, session)).not.toBeNull();
  expect(await endProviderSessions(ledger.ctx, theProvider(), token)).toBe(true);
  expect(await openSession(ledger.ctx.db, session)).toBeNull();
  expect(await openSession(ledger.ctx.db, other)).not.toBeNull();
  // The provider may tell twice.
  expect(await endProviderSessions(ledger.ctx, theProvider(), token)).toBe(true);
});
