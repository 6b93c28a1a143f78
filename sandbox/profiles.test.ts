import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { CapabilityDescriptorSchema } from "@/lib/domain/capability";
import type { Observation } from "@/lib/domain/observation";
import { descriptorOf } from "@/lib/providers/sandbox/descriptor";
import { SANDBOX_PROFILE_NAMES, sandboxProfile } from "@/lib/providers/sandbox/profiles";
import { aSendCall, type TestAccount, type TestSandbox, testSandbox } from "@/lib/testing/sandbox";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const patience = { timeoutMs: 10_000 };
const waiting = { timeout: 30_000, interval: 25 };

let sandbox: TestSandbox;

beforeAll(async () => {
  sandbox = await testSandbox();
});

afterAll(() => sandbox.close());

/** Sends a request and waits until a read shows it. */
async function sent(account: TestAccount, call = aSendCall()) {
  const outcome = await account.provider.send(call, patience);
  if (outcome.kind !== "accepted" || outcome.platformRef === null) throw new Error(outcome.kind);
  const ref = outcome.platformRef;
  await vi.waitFor(async () => expect((await read(account, ref)).status).toBe("sent"), waiting);
  return { ref, call };
}

async function read(account: TestAccount, ref: string) {
  return only(await account.provider.readRequest(ref, patience));
}

function only(observation: Observation) {
  if (observation.kind !== "read" || observation.matches.length !== 1 || !observation.matches[0]) {
    throw new Error(`expected one request, got ${observation.kind}`);
  }
  return observation.matches[0];
}

async function kinds(account: TestAccount) {
  return (await sandbox.control.effects(account.id)).map((effect) => effect.kind);
}

function extension(ref: string, expiresAt: string, ifVersion: string | null = null) {
  return { opId: crypto.randomUUID(), platformRef: ref, expiresAt, ifVersion };
}

function onlyTo(platformRef: string) {
  return { opId: crypto.randomUUID(), platformRef, ifVersion: null };
}

describe.each(SANDBOX_PROFILE_NAMES)("profile %s", (name) => {
  test("PL-2: its descriptor is one, and states P, D and V together or not at all", () => {
    const descriptor = descriptorOf(sandboxProfile(name));
    expect(CapabilityDescriptorSchema.parse(descriptor)).toEqual(descriptor);
    const times = Object.values(descriptor.times.send);
    expect(times.filter((it) => it === "unknown").length % 3).toBe(0);
  });

  test("PL-2: the platform keeps to the stated D and V", () => {
    const { times, queueMs, readLagMs, lookupLagMs } = sandboxProfile(name);
    expect(queueMs).toBeLessThan(times.processingMs);
    expect(Math.max(readLagMs, lookupLagMs)).toBeLessThan(times.visibilityMs);
  });

  test("SB-1 SB-3: send and extend take effect once each and are read back", async () => {
    const account = await sandbox.account(name);
    const { ref, call } = await sent(account);
    const target = new Date(Date.parse(call.expiresAt) + 7 * DAY).toISOString();
    const before = await read(account, ref);
    const outcome = await account.provider.extend(extension(ref, target, before.version), patience);
    expect(outcome).toEqual({ kind: "accepted", platformRef: ref });
    await vi.waitFor(async () => {
      const { expiresAt, version } = await read(account, ref);
      expect(version).toBe("2");
      expect(Date.parse(expiresAt ?? "")).toBeGreaterThanOrEqual(Date.parse(target));
    }, waiting);
    expect(await kinds(account)).toEqual(["sent", "extended"]);
  });

  test("SB-1: a look-up finds the request by our reference, or says that there is none", async () => {
    const account = await sandbox.account(name);
    const { ref, call } = await sent(account);
    if (sandboxProfile(name).lookup === "none") {
      const found = await account.provider.findByReference(call.opId, patience);
      expect(found).toMatchObject({ kind: "unreadable", detail: { cause: "not_supported" } });
      return;
    }
    await vi.waitFor(async () => {
      const found = only(await account.provider.findByReference(call.opId, patience));
      expect(found).toMatchObject({ platformRef: ref, clientReference: call.opId });
    }, waiting);
  });
});

test("eventual: the look-up finds a new request only later, the read at once", async () => {
  const account = await sandbox.account("eventual");
  const call = aSendCall();
  const startedAt = Date.now();
  const outcome = await account.provider.send(call, patience);
  const ref = outcome.kind === "accepted" ? (outcome.platformRef ?? "") : "";
  expect((await read(account, ref)).clientReference).toBe(call.opId);
  await vi.waitFor(async () => {
    expect((await account.provider.findByReference(call.opId, patience)).kind).toBe("read");
  }, waiting);
  expect(Date.now() - startedAt).toBeGreaterThanOrEqual(account.profile.lookupLagMs);
});

test("lagging: a read right after a change still shows the old expiry", async () => {
  const account = await sandbox.account("lagging");
  const { ref, call } = await sent(account);
  const target = new Date(Date.parse(call.expiresAt) + DAY).toISOString();
  const startedAt = Date.now();
  await account.provider.extend(extension(ref, target), patience);
  await vi.waitFor(async () => expect((await read(account, ref)).expiresAt).toBe(target), waiting);
  expect(Date.now() - startedAt).toBeGreaterThanOrEqual(account.profile.readLagMs);
});

test("queued: a change that was answered 2xx takes effect later", async () => {
  const account = await sandbox.account("queued");
  const call = aSendCall();
  const startedAt = Date.now();
  const outcome = await account.provider.send(call, patience);
  expect(outcome.kind).toBe("accepted");
  await vi.waitFor(async () => expect(await kinds(account)).toEqual(["sent"]), waiting);
  const [effect] = await sandbox.control.effects(account.id);
  expect(Date.parse(effect?.at ?? "") - startedAt).toBeGreaterThanOrEqual(account.profile.queueMs);
  expect(only(await account.provider.findByReference(call.opId, patience)).platformRef).toBe(
    outcome.kind === "accepted" ? outcome.platformRef : null,
  );
});

test("versioned PL-5: a change that names an old version is refused and changes nothing", async () => {
  const account = await sandbox.account("versioned");
  const { ref, call } = await sent(account);
  const later = new Date(Date.parse(call.expiresAt) + DAY).toISOString();
  await sandbox.control.act(account.id, ref, { change: "set_expiry", expires_at: later });
  const outcome = await account.provider.extend(extension(ref, later, "1"), patience);
  expect(outcome.kind).toBe("precondition_failed");
  expect(await kinds(account)).toEqual(["sent", "extended"]);
});

test("exact: a version is not heeded where the profile knows none", async () => {
  const account = await sandbox.account("exact");
  const { ref, call } = await sent(account);
  const later = new Date(Date.parse(call.expiresAt) + DAY).toISOString();
  expect((await account.provider.extend(extension(ref, later, "99"), patience)).kind).toBe(
    "accepted",
  );
});

test("key_kept: the same key is one request, also when both calls come at once", async () => {
  const account = await sandbox.account("key_kept");
  const call = aSendCall();
  const outcomes = await Promise.all([
    account.provider.send(call, patience),
    account.provider.send(call, patience),
  ]);
  expect(outcomes[0]).toEqual(outcomes[1]);
  expect(outcomes[0]?.kind).toBe("accepted");
  expect(await kinds(account)).toEqual(["sent"]);
});

test("key_forgotten: after its time the same key makes a second request", async () => {
  const account = await sandbox.account("key_forgotten");
  const call = aSendCall();
  await account.provider.send(call, patience);
  await account.provider.send(call, patience);
  expect(await kinds(account)).toEqual(["sent"]);
  await vi.waitFor(async () => {
    await account.provider.send(call, patience);
    expect((await kinds(account)).length).toBeGreaterThan(1);
  }, waiting);
});

test("exact: without keys the same send twice is two requests, and the look-up shows both", async () => {
  const account = await sandbox.account("exact");
  const call = aSendCall();
  await account.provider.send(call, patience);
  await account.provider.send(call, patience);
  const found = await account.provider.findByReference(call.opId, patience);
  expect(found.kind === "read" && found.matches.length).toBe(2);
  expect(await kinds(account)).toEqual(["sent", "sent"]);
});

test.each([
  ["revivable", "accepted", "sent"],
  ["exact", "refused_state", "expired"],
] as const)("%s: extending an expired request is %s", async (name, kind, status) => {
  const account = await sandbox.account(name);
  const { ref, call } = await sent(account);
  await account.provider.expire({ opId: "op", platformRef: ref, ifVersion: null }, patience);
  const later = new Date(Date.parse(call.expiresAt) + DAY).toISOString();
  expect((await account.provider.extend(extension(ref, later), patience)).kind).toBe(kind);
  expect((await read(account, ref)).status).toBe(status);
});

test("hourly: an expiry is floored to the hour", async () => {
  const account = await sandbox.account("hourly");
  const base = aSendCall();
  const half = new Date(Date.parse(base.expiresAt) + HOUR / 2).toISOString();
  const { ref } = await sent(account, { ...base, expiresAt: half });
  expect((await read(account, ref)).expiresAt).toBe(base.expiresAt);
});

test("relative_days TM-3 C-24: whole days are counted from sending and never end early", async () => {
  const account = await sandbox.account("relative_days");
  const target = new Date(Date.now() + 4.6875 * DAY).toISOString();
  const { ref } = await sent(account, aSendCall({ expiresAt: target }));
  const first = Date.parse((await read(account, ref)).expiresAt ?? "");
  expect(first - Date.parse(target)).toBeGreaterThanOrEqual(0);
  expect(first - Date.parse(target)).toBeLessThan(DAY);
  const later = new Date(first + DAY + 1).toISOString();
  await account.provider.extend(extension(ref, later), patience);
  expect(Date.parse((await read(account, ref)).expiresAt ?? "")).toBe(first + 2 * DAY);
});

test("no_reminder_time RC-5: a reminder leaves no trace that a read could show", async () => {
  for (const name of ["no_reminder_time", "exact"] as const) {
    const account = await sandbox.account(name);
    const { ref } = await sent(account);
    const call = {
      opId: "op",
      platformRef: ref,
      ifVersion: null,
      subjectRefs: ["sub_1"],
      message: "",
    };
    expect((await account.provider.remind(call, patience)).kind).toBe("accepted");
    const { lastReminderAt } = await read(account, ref);
    expect(lastReminderAt === null).toBe(name === "no_reminder_time");
    const reminded = await sandbox.control.effects(account.id, { kind: "reminded" });
    expect(reminded.map((effect) => effect.value)).toEqual(["sub_1"]);
  }
});

test("no_reminder_time RC-5: a read shows the newest delivery, and a resend moves it, unless it keeps no record", async () => {
  for (const name of ["no_reminder_time", "exact"] as const) {
    const account = await sandbox.account(name);
    const { ref } = await sent(account);
    const before = await read(account, ref);
    expect((await account.provider.resend(onlyTo(ref), patience)).kind).toBe("accepted");
    const after = await read(account, ref);
    const shown = [before.lastDeliveryAt, after.lastDeliveryAt].map((at) => Date.parse(at ?? ""));
    if (name === "exact") expect(shown[1]).toBeGreaterThan(shown[0] ?? Number.NaN);
    else expect(shown).toEqual([Number.NaN, Number.NaN]);
    expect(after.expiresAt).toBe(before.expiresAt);
  }
});

test("relative_days: a resend gives the request its days again", async () => {
  const account = await sandbox.account("relative_days");
  const { ref } = await sent(account);
  const before = await read(account, ref);
  await sandbox.control.moveClock(account.id, { advance_ms: DAY });
  expect((await account.provider.resend(onlyTo(ref), patience)).kind).toBe("accepted");
  const { expiresAt } = await read(account, ref);
  const movedBy = Date.parse(expiresAt ?? "") - Date.parse(before.expiresAt ?? "");
  expect(movedBy).toBeGreaterThanOrEqual(DAY);
  expect(movedBy).toBeLessThan(DAY + HOUR);
});

test("RM-1: somebody can switch the platform's own reminders on, and a read shows it", async () => {
  const account = await sandbox.account("exact");
  const { ref } = await sent(account);
  expect((await read(account, ref)).platformReminders).toBe(false);
  await sandbox.control.act(account.id, ref, { change: "set_reminders", on: true });
  expect((await read(account, ref)).platformReminders).toBe(true);
});

test("a void's reason is what the signer's page shows", async () => {
  const account = await sandbox.account("exact");
  const { ref } = await sent(account);
  const reason = "Replaced by <a corrected contract>.";
  await account.provider.void({ ...onlyTo(ref), reason }, patience);
  const [only] = await sandbox.control.requests(account.id);
  const page = await (await fetch(only?.signers[0]?.sign_url ?? "")).text();
  expect(page).toContain("Replaced by &lt;a corrected contract&gt;.");
});
