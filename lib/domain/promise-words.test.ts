import { expect, test } from "vitest";
import type { CapabilityDescriptor } from "./capability";
import { raceSentence, roundingSentence } from "./promise-words";
import { endedSentence } from "./request-end";

const descriptor: CapabilityDescriptor = {
  adapter: "sandbox",
  adapterVersion: "1.0.0",
  lookupByReference: { kind: "none" },
  idempotencyKey: { kind: "none" },
  conditionalUpdate: "none",
  expiryForm: { kind: "absolute", granularityMs: 3_600_000 },
  reminderTimestamp: true,
  deliveryRecord: true,
  resendMovesExpiry: false,
  voidShowsReason: true,
  remindsSingleSigners: true,
  rateLimitMeansNotProcessed: "unstated",
  conflictMeansNotProcessed: "unstated",
  bulkResult: "none",
  eventId: true,
  webhookAuthentication: "standard_webhooks",
  readLimitPerHour: "unknown",
  terminal: { completed: "final", declined: "final", expired: "revivable", voided: "final" },
  times: {
    send: { pauseMs: 1, processingMs: 1, visibilityMs: 1 },
    extend: { pauseMs: 1, processingMs: 1, visibilityMs: 1 },
    other: { pauseMs: 1, processingMs: 1, visibilityMs: 1 },
  },
  evidence: "source",
  asOf: "2026-11-30",
};

test("C-24: a platform that floors to the hour says which time it will show, in the deadline's zone", () => {
  const say = (target: string, zone: string) => roundingSentence(descriptor, target, zone);
  expect(say("2026-12-18T16:30:00Z", "Europe/Berlin")).toBe(
    "This platform stores whole hours, rounded down: it will show 17:00.",
  );
  expect(say("2026-12-18T18:30:00Z", "Asia/Kolkata")).toBe(
    "This platform stores whole hours, rounded down: it will show 18 Dec 2026, 23:30.",
  );
});

test("a platform that keeps the instant, or nobody knows about, is said as it is", () => {
  const exact = { ...descriptor, expiryForm: { kind: "absolute", granularityMs: 1 } } as const;
  expect(roundingSentence(exact, "2026-12-18T16:30:00Z", "UTC")).toBeNull();
  expect(roundingSentence(null, "2026-12-18T16:30:00Z", "UTC")).toMatch(/not known/);
});

test("AP-1: the race window is stated with its measure, and as not measured where there is none", () => {
  expect(raceSentence(descriptor, { medianMs: 412, worstMs: 2140 })).toContain(
    "(measured: 0.4 s median, 2.1 s worst of 30 d) someone else can change it",
  );
  expect(raceSentence(null, null)).toContain("(not measured on this connection yet)");
});

test("IN-5: only an end that the platform never takes back stops proposals", () => {
  expect(endedSentence("completed", descriptor)).toBe(
    "This request is completed. Its deadline can no longer change.",
  );
  expect(endedSentence("expired", descriptor)).toBeNull();
  expect(endedSentence("expired", null)).toMatch(/^This request is expired\./);
  expect(endedSentence("viewed", null)).toBeNull();
});
