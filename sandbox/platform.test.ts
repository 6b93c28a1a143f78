import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { request } from "undici";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { aSendCall, type TestAccount, type TestSandbox, testSandbox } from "@/lib/testing/sandbox";

const DAY = 86_400_000;
const patience = { timeoutMs: 10_000 };

let sandbox: TestSandbox;

beforeAll(async () => {
  sandbox = await testSandbox();
});

afterAll(() => sandbox.close());

async function sent(account: TestAccount, call = aSendCall()): Promise<string> {
  const outcome = await account.provider.send(call, patience);
  if (outcome.kind !== "accepted" || outcome.platformRef === null) throw new Error(outcome.kind);
  return outcome.platformRef;
}

async function statusOf(account: TestAccount, ref: string) {
  const read = await account.provider.readRequest(ref, patience);
  return read.kind === "read" ? read.matches[0]?.status : read.kind;
}

async function logged(account: TestAccount) {
  return (await sandbox.control.effects(account.id)).map(({ kind, source }) => `${kind} ${source}`);
}

async function signUrls(account: TestAccount): Promise<string[]> {
  const [only] = await sandbox.control.requests(account.id);
  return (only?.signers ?? []).map((signer) => signer.sign_url);
}

test("SB-1: a request expires by the account's own clock, without anybody calling", async () => {
  const account = await sandbox.account("exact");
  await sent(account);
  await sandbox.control.moveClock(account.id, { advance_ms: 30 * DAY });
  await vi.waitFor(
    async () => expect(await logged(account)).toEqual(["sent api", "expired clock"]),
    30_000,
  );
});

test("SB-1: a read after the expiry never shows the request as open", async () => {
  const account = await sandbox.account("exact");
  const ref = await sent(account);
  await sandbox.control.moveClock(account.id, { advance_ms: 30 * DAY });
  expect(await statusOf(account, ref)).toBe("expired");
});

test("SB-1: a change that meets an expired request is refused, and the expiry stays", async () => {
  const account = await sandbox.account("exact");
  const ref = await sent(account);
  await sandbox.control.moveClock(account.id, { advance_ms: 30 * DAY });
  const call = { opId: randomUUID(), platformRef: ref, ifVersion: null, reason: "late" };
  expect((await account.provider.void(call, patience)).kind).toBe("refused_state");
  expect(await logged(account)).toEqual(["sent api", "expired clock"]);
});

test("SB-1 RM-1: the platform sends its own reminders only where it was told to", async () => {
  const account = await sandbox.account("exact", { remindersEveryMs: DAY });
  await sent(account, aSendCall({ remindersByPlatform: false }));
  const reminding = await sent(account, aSendCall({ remindersByPlatform: true }));
  await sandbox.control.moveClock(account.id, { advance_ms: DAY + 1000 });
  await vi.waitFor(async () => {
    const reminded = await sandbox.control.effects(account.id, { kind: "reminded" });
    expect(reminded.map((effect) => [effect.request_id, effect.value, effect.source])).toEqual([
      [reminding, "sub_1", "clock"],
      [reminding, "sub_2", "clock"],
    ]);
  }, 30_000);
});

test("SB-3: the effect log can neither be changed nor emptied", async () => {
  const account = await sandbox.account("exact");
  await sent(account);
  const database = new Client({ connectionString: sandbox.databaseUrl });
  await database.connect();
  for (const statement of [
    "UPDATE effects SET kind = 'voided'",
    "DELETE FROM effects",
    "TRUNCATE effects",
  ]) {
    await expect(database.query(statement)).rejects.toThrow("can only grow");
  }
  await database.end();
  expect(await logged(account)).toEqual(["sent api"]);
});

test("SB-3: of many changes of one request at once each one that is accepted is one effect and one version", async () => {
  const account = await sandbox.account("exact");
  const ref = await sent(account);
  const call = () => ({ opId: randomUUID(), platformRef: ref, ifVersion: null });
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, () => account.provider.resend(call(), patience)),
  );
  const accepted = outcomes.filter((outcome) => outcome.kind === "accepted").length;
  // A machine that is very busy lets some come later than D; nothing else may go wrong with them.
  for (const outcome of outcomes.filter(({ kind }) => kind !== "accepted")) {
    expect(outcome).toMatchObject({ detail: { platformCode: "too_late" } });
  }
  expect(accepted).toBeGreaterThan(1);
  expect(await sandbox.control.effects(account.id, { kind: "resent" })).toHaveLength(accepted);
  const [shown] = await sandbox.control.requests(account.id);
  expect(shown?.version).toBe(1 + accepted);
});

test("SB-1: one of two people ends the request, never both", async () => {
  const account = await sandbox.account("exact");
  const ref = await sent(account);
  const call = { opId: randomUUID(), platformRef: ref, ifVersion: null, reason: "" };
  await Promise.allSettled([
    account.provider.void(call, patience),
    sandbox.control.act(account.id, ref, { change: "complete" }),
  ]);
  const ends = await sandbox.control.effects(account.id, { requestId: ref });
  const ended = ends.filter(({ kind }) => kind === "voided" || kind === "completed");
  expect(ended).toHaveLength(1);
});

test("SB-1: the signer page shows the request, and its buttons sign it", async () => {
  const account = await sandbox.account("exact");
  const ref = await sent(account, aSendCall({ title: "A <b>lease</b>" }));
  for (const url of await signUrls(account)) {
    const page = await request(url);
    expect(page.statusCode).toBe(200);
    const html = await page.body.text();
    expect(html).toContain("A &lt;b&gt;lease&lt;/b&gt;");
    expect(html).toContain("<button>Sign</button>");
    const signed = await request(`${url}/sign`, { method: "POST" });
    expect(signed.statusCode).toBe(303);
    await signed.body.dump();
  }
  expect(await statusOf(account, ref)).toBe("completed");
  expect(await logged(account)).toEqual([
    "sent api",
    "viewed person",
    "signed person",
    "viewed person",
    "signed person",
    "completed person",
  ]);
});

test("SB-1: a signer who declines ends the request; the page then offers nothing", async () => {
  const account = await sandbox.account("exact");
  const ref = await sent(account);
  const [url = ""] = await signUrls(account);
  await (await request(`${url}/decline`, { method: "POST" })).body.dump();
  expect(await statusOf(account, ref)).toBe("declined");
  expect(await (await request(url)).body.text()).not.toContain("<button>");
  expect((await request(`${sandbox.url}/sign/req_1-guess`)).statusCode).toBe(404);
});

test("SB-1: a signer whose turn has not come cannot sign", async () => {
  const account = await sandbox.account("exact");
  const ref = await sent(account);
  const [, second = ""] = await signUrls(account);
  await (await request(`${second}/sign`, { method: "POST" })).body.dump();
  expect(await statusOf(account, ref)).toBe("sent");
});

test("PV-4: an answer of the API never holds a signing link", async () => {
  const account = await sandbox.account("exact");
  const ref = await sent(account);
  const answer = await request(`${sandbox.url}/v1/requests/${ref}`, {
    headers: { authorization: `Bearer ${account.apiKey}` },
  });
  const text = await answer.body.text();
  for (const url of await signUrls(account)) {
    expect(text).not.toContain(url.slice(url.lastIndexOf("/") + 1));
  }
});

test("SB-1: an account sees and changes nothing of another", async () => {
  const [owner, stranger] = [await sandbox.account("exact"), await sandbox.account("exact")];
  const call = aSendCall();
  const ref = await sent(owner, call);
  expect(await statusOf(stranger, ref)).toBe("not_found");
  expect((await stranger.provider.findByReference(call.opId, patience)).kind).toBe("not_found");
  const target = { opId: randomUUID(), platformRef: ref, ifVersion: null };
  expect((await stranger.provider.expire(target, patience)).kind).toBe("unknown");
  expect(await logged(owner)).toEqual(["sent api"]);
});

test("a page in a browser cannot reach the control API", async () => {
  const answer = await request(`${sandbox.url}/control/profiles`, {
    headers: { origin: "http://127.0.0.1:3000" },
  });
  expect(answer.statusCode).toBe(403);
  await answer.body.dump();
});

test("a body that no schema takes is refused as invalid payload and has no effect", async () => {
  const account = await sandbox.account("exact");
  for (const body of ["", "{", "[]", '{"title":"x"}', JSON.stringify({ title: "\u0000" })]) {
    const answer = await request(`${sandbox.url}/v1/requests`, {
      method: "POST",
      headers: { authorization: `Bearer ${account.apiKey}` },
      body,
    });
    expect(answer.statusCode).toBe(400);
    expect(await answer.body.json()).toEqual({ error: { code: "invalid_payload" } });
  }
  expect(await logged(account)).toEqual([]);
});
