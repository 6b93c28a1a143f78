import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { CallOutcome } from "@/lib/domain/observation";
import { SANDBOX_PROFILE_NAMES, sandboxProfile } from "@/lib/providers/sandbox/profiles";
import { aSendCall, type TestAccount, type TestSandbox, testSandbox } from "@/lib/testing/sandbox";
import { FAULT_NAMES, type FaultName, faultApplies, faultNamed } from "./faults";

const DAY = 86_400_000;
const CHANGES = ["send", "extend", "remind", "resend", "expire", "void"] as const;

type Change = (typeof CHANGES)[number];

const EFFECT = {
  send: "sent",
  extend: "extended",
  remind: "reminded",
  resend: "resent",
  expire: "expired",
  void: "voided",
} as const;

/** What the caller hears, per fault: kind of outcome, and the cause where it is unknown. */
const HEARD: Partial<Record<FaultName, string>> = {
  answer_delayed: "unknown timeout",
  travelling: "unknown timeout",
  queued: "accepted",
  reset_before: "unknown connection_lost",
  reset_after: "unknown connection_lost",
  error_before: "unknown platform_error",
  error_after: "unknown platform_error",
  truncated_after: "unknown response_cut",
  garbled_after: "unknown response_unusable",
  no_reference_after: "unknown response_unusable",
  rate_limited_without_effect: "declined rate_limit",
  rate_limited_with_effect: "declined rate_limit",
  conflict_without_effect: "declined conflict",
  locked_without_effect: "declined conflict",
  conflict_with_effect: "declined conflict",
  ignored: "accepted",
  expiry_ignored: "accepted",
  key_forgotten: "accepted",
  lookup_late: "accepted",
  completed_by_person: "refused_state",
  voided_by_person: "refused_state",
  expiry_changed_by_person: "accepted",
  unauthorized: "rejected_fixable credentials",
  forbidden: "rejected_fixable credentials",
  template_missing: "rejected_fixable template",
  payload_refused: "rejected_payload",
  undeliverable: "unknown platform_error",
  clock_skewed: "accepted",
};

let sandbox: TestSandbox;

beforeAll(async () => {
  sandbox = await testSandbox();
});

afterAll(() => sandbox.close());

function heard(outcome: CallOutcome): string {
  switch (outcome.kind) {
    case "unknown":
      return `unknown ${outcome.detail.cause}`;
    case "declined":
      return `declined ${outcome.by}`;
    case "rejected_fixable":
      return `rejected_fixable ${outcome.fix}`;
    case "accepted":
    case "rejected_payload":
    case "precondition_failed":
    case "refused_state":
      return outcome.kind;
  }
}

/** Makes one call that meets the fault; the client waits long enough only for what answers at once. */
async function callOnce(account: TestAccount, change: Change, ref: string, timeoutMs: number) {
  const { provider } = account;
  const send = aSendCall();
  const target = { opId: randomUUID(), platformRef: ref, ifVersion: null };
  const options = { timeoutMs };
  const later = new Date(Date.parse(send.expiresAt) + 7 * DAY).toISOString();
  switch (change) {
    case "send":
      return provider.send(send, options);
    case "extend":
      return provider.extend({ ...target, expiresAt: later }, options);
    case "remind":
      return provider.remind({ ...target, subjectRefs: ["sub_1"], message: "" }, options);
    case "resend":
      return provider.resend(target, options);
    case "expire":
      return provider.expire(target, options);
    case "void":
      return provider.void({ ...target, reason: "not needed" }, options);
  }
}

async function sentRequest(account: TestAccount): Promise<string> {
  const outcome = await account.provider.send(aSendCall(), { timeoutMs: 10_000 });
  if (outcome.kind !== "accepted" || outcome.platformRef === null) throw new Error(outcome.kind);
  return outcome.platformRef;
}

async function atRest(account: TestAccount) {
  await vi.waitFor(
    async () => {
      const { calls_under_way, queued_calls } = await sandbox.control.pending(account.id);
      expect(calls_under_way + queued_calls).toBe(0);
    },
    { timeout: 30_000, interval: 25 },
  );
}

const changeFaults = FAULT_NAMES.flatMap((fault) =>
  CHANGES.filter((change) => faultApplies(fault, change, sandboxProfile("exact"))).map(
    (change) => [fault, change] as const,
  ),
);

describe.each(changeFaults)("SB-2 fault %s on %s", (fault, change) => {
  test("answers as described, and the effect log counts what really happened", async () => {
    const account = await sandbox.account("exact");
    const ref = change === "send" ? "" : await sentRequest(account);
    const before = (await sandbox.control.effects(account.id, { kind: EFFECT[change] })).length;
    const slow = fault === "answer_delayed" || fault === "travelling";
    await sandbox.control.addFault(account.id, {
      fault,
      operation: change,
      ...(fault === "answer_delayed" ? { parameters: { delayMs: 1200 } } : {}),
    });
    const startedAt = Date.now();
    const outcome = await callOnce(account, change, ref, slow ? 250 : 10_000);
    expect(heard(outcome)).toBe(HEARD[fault]);
    await atRest(account);
    const made = await sandbox.control.effects(account.id, { kind: EFFECT[change] });
    const ours = made.slice(before).filter((effect) => effect.source === "api");
    expect(ours).toHaveLength(faultNamed(fault).effect === "never" ? 0 : 1);
    if (faultNamed(fault).effect === "late") {
      const lateMs = Date.parse(ours[0]?.at ?? "") - startedAt;
      expect(lateMs).toBeGreaterThanOrEqual(account.profile.times.processingMs / 2);
    }
  });
});

test("SB-2 every fault that can strike a change is in the table above", () => {
  const struck = new Set(changeFaults.map(([fault]) => fault));
  expect([...struck].sort()).toEqual(Object.keys(HEARD).sort());
});

describe.each([
  ["read_error", "platform_error"],
  ["read_reset", "connection_lost"],
  ["read_truncated", "response_cut"],
] as const)("SB-2 fault %s", (fault, cause) => {
  test("makes the read unreadable and changes nothing", async () => {
    const account = await sandbox.account("exact");
    const ref = await sentRequest(account);
    await sandbox.control.addFault(account.id, { fault, operation: "any" });
    const read = await account.provider.readRequest(ref, { timeoutMs: 5000 });
    expect(read).toMatchObject({ kind: "unreadable", detail: { cause } });
    expect((await account.provider.readRequest(ref, { timeoutMs: 5000 })).kind).toBe("read");
    expect(await sandbox.control.effects(account.id)).toHaveLength(1);
  });
});

test("SB-2 read_rate_limited: a read is declined with the time to wait", async () => {
  const account = await sandbox.account("exact");
  await sandbox.control.addFault(account.id, { fault: "read_rate_limited", operation: "find" });
  const found = await account.provider.findByReference("op", { timeoutMs: 5000 });
  expect(found).toEqual({ kind: "declined", retryAfterMs: 1000 });
});

test("SB-2 lookup_unsupported: the look-up says that there is none", async () => {
  const account = await sandbox.account("exact");
  await sandbox.control.addFault(account.id, { fault: "lookup_unsupported", operation: "find" });
  const found = await account.provider.findByReference("op", { timeoutMs: 5000 });
  expect(found).toMatchObject({ kind: "unreadable", detail: { cause: "not_supported" } });
});

test("SB-2 lookup_late: the request is there, the look-up finds it later", async () => {
  const account = await sandbox.account("exact");
  await sandbox.control.addFault(account.id, { fault: "lookup_late", operation: "send" });
  const call = aSendCall();
  const startedAt = Date.now();
  await account.provider.send(call, { timeoutMs: 5000 });
  const find = () => account.provider.findByReference(call.opId, { timeoutMs: 5000 });
  await vi.waitFor(async () => expect((await find()).kind).toBe("read"), 30_000);
  const hiddenMs = Date.now() - startedAt;
  expect(hiddenMs).toBeGreaterThanOrEqual(account.profile.times.visibilityMs / 2);
});

test("SB-2 expiry_ignored C-24: the read-back shows the platform's own choice", async () => {
  const account = await sandbox.account("exact");
  await sandbox.control.addFault(account.id, { fault: "expiry_ignored", operation: "send" });
  const ref = await sentRequest(account);
  const read = await account.provider.readRequest(ref, { timeoutMs: 5000 });
  const shown = read.kind === "read" ? Date.parse(read.matches[0]?.expiresAt ?? "") : 0;
  expect(shown - Date.now()).toBeGreaterThan(119 * DAY);
});

test("SB-2 key_forgotten: with the fault forced the same key makes a second request", async () => {
  const account = await sandbox.account("key_kept");
  await sandbox.control.addFault(account.id, {
    fault: "key_forgotten",
    operation: "send",
    occurs: { kind: "nth", n: 2 },
    force: true,
  });
  const call = aSendCall();
  for (let attempt = 0; attempt < 3; attempt += 1) {
    await account.provider.send(call, { timeoutMs: 5000 });
  }
  expect(await sandbox.control.effects(account.id)).toHaveLength(2);
});

test("SB-2 PL-2: a fault that the profile's descriptor rules out is refused unless forced", async () => {
  const strict = await sandbox.account("strict_429");
  const rule = { fault: "rate_limited_with_effect", operation: "send" } as const;
  await expect(sandbox.control.addFault(strict.id, rule)).rejects.toThrow("409");
  await sandbox.control.addFault(strict.id, { ...rule, force: true });
  const exact = await sandbox.account("exact");
  const late = { fault: "travelling", operation: "send", parameters: { delayMs: 5000 } } as const;
  await expect(sandbox.control.addFault(exact.id, late)).rejects.toThrow("409");
});

test("RC-8: a call that travelled longer than D has no effect any more", async () => {
  const account = await sandbox.account("exact");
  await sandbox.control.addFault(account.id, {
    fault: "travelling",
    operation: "send",
    parameters: { delayMs: sandboxProfile("exact").times.processingMs + 50 },
    force: true,
  });
  const outcome = await account.provider.send(aSendCall(), { timeoutMs: 10_000 });
  expect(outcome).toMatchObject({ kind: "unknown", detail: { httpStatus: 503 } });
  expect(await sandbox.control.effects(account.id)).toEqual([]);
});

test("SB-2: rules by count, by number of the call and by seeded chance strike as they say", async () => {
  const kindsOf = async (occurs: object) => {
    const account = await sandbox.account("exact");
    await sandbox.control.addFault(account.id, {
      fault: "read_error",
      operation: "find",
      occurs: occurs as never,
    });
    const kinds: string[] = [];
    for (let call = 0; call < 12; call += 1) {
      kinds.push((await account.provider.findByReference("op", { timeoutMs: 5000 })).kind[0] ?? "");
    }
    return kinds.join("");
  };
  expect(await kindsOf({ kind: "always" })).toBe("uuuuuuuuuuuu");
  expect(await kindsOf({ kind: "first", times: 2 })).toBe("uunnnnnnnnnn");
  expect(await kindsOf({ kind: "nth", n: 3 })).toBe("nnunnnnnnnnn");
  const chance = { kind: "random", probability: 0.5, seed: 7 };
  const first = await kindsOf(chance);
  expect(await kindsOf(chance)).toBe(first);
  expect(first).toMatch(/u/);
  expect(first).toMatch(/n/);
});

test("SB-2: rules of one account never strike another, and removed rules strike nobody", async () => {
  const [one, other] = [await sandbox.account("exact"), await sandbox.account("exact")];
  const occurs = { kind: "always" } as const;
  await sandbox.control.addFault(one.id, { fault: "read_error", operation: "find", occurs });
  const find = (account: TestAccount) =>
    account.provider.findByReference("op", { timeoutMs: 5000 }).then(({ kind }) => kind);
  expect(await find(other)).toBe("not_found");
  expect(await find(one)).toBe("unreadable");
  await sandbox.control.removeFaults(one.id);
  expect(await find(one)).toBe("not_found");
  expect(await sandbox.control.faults(one.id)).toEqual([]);
});

test.each(SANDBOX_PROFILE_NAMES)(
  "SB-2 PL-2 %s: no catalogued fault is slower than the descriptor's D and V",
  (name) => {
    const profile = sandboxProfile(name);
    for (const fault of ["travelling", "queued"] as const) {
      expect(faultApplies(fault, "send", profile)).toBe(true);
    }
    expect(faultApplies("lookup_late", "send", profile)).toBe(true);
  },
);
