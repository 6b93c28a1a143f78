import { expect, test } from "vitest";
import { descriptorOf } from "@/lib/providers/sandbox/descriptor";
import { SANDBOX_PROFILES } from "@/lib/providers/sandbox/profiles";
import type { Observation, PlatformRequest } from "./observation";
import { compareShadow, observedWords, type ShadowSaid } from "./shadow";

const descriptor = descriptorOf(SANDBOX_PROFILES.exact);

const REQUEST: PlatformRequest = {
  platformRef: "env_1",
  clientReference: null,
  status: "sent",
  rawStatus: "sent",
  expiresAt: "2027-03-31T15:00:00.000Z",
  version: "7",
  lastReminderAt: "2027-03-01T08:00:00.000Z",
  platformReminders: false,
  lastDeliveryAt: "2027-02-01T08:00:00.000Z",
  signedCount: 0,
  signerCount: 1,
  signers: [],
};

const shows = (change: Partial<PlatformRequest> = {}): Observation => ({
  kind: "read",
  matches: [{ ...REQUEST, ...change }],
});

const said = (change: Partial<ShadowSaid>): ShadowSaid => ({
  target: { kind: "expiry", expiresAt: "2027-04-30T15:00:00.000Z" },
  wouldAct: true,
  reason: "",
  baseline: { lastReminderAt: REQUEST.lastReminderAt, lastDeliveryAt: REQUEST.lastDeliveryAt },
  ...change,
});

const later = { lastReminderAt: "2027-03-05T08:00:00.000Z" };
const reminded = { target: { kind: "reminded", subjectRefs: ["s_1"] } } as const;
const voided = { target: { kind: "status", status: "voided" } } as const;

test.each([
  [
    "extended by hand to the same instant",
    {},
    shows({ expiresAt: "2027-04-30T15:00:00.000Z" }),
    "same",
  ],
  ["left as it was", {}, shows(), "different"],
  ["would not have acted, and nothing was done", { wouldAct: false }, shows(), "same"],
  [
    "was so already, and still is",
    { wouldAct: false, reason: "already_so" },
    shows({ expiresAt: "2027-04-30T15:00:00.000Z" }),
    "same",
  ],
  ["reminded by hand", reminded, shows(later), "same"],
  ["not reminded", reminded, shows(), "different"],
  [
    "reminded although it would not have",
    { ...reminded, wouldAct: false },
    shows(later),
    "different",
  ],
  [
    "a reminder with nothing to compare it with",
    { ...reminded, baseline: null },
    shows(),
    "not_comparable",
  ],
  ["voided by hand", voided, shows({ status: "voided" }), "same"],
  ["completed instead of voided", voided, shows({ status: "completed" }), "different"],
  [
    "a send made elsewhere",
    { target: { kind: "exists" } } as const,
    { kind: "read", matches: [] },
    "not_comparable",
  ],
  ["a send that carries our reference", { target: { kind: "exists" } } as const, shows(), "same"],
  ["no such request", {}, { kind: "not_found" }, "not_comparable"],
] as const satisfies readonly (readonly [string, Partial<ShadowSaid>, Observation, string])[])(
  "GO-1: a record is compared with the platform: %s",
  (_name, change, observation, expected) => {
    expect(compareShadow(said(change), observation, descriptor)).toBe(expected);
  },
);

test("GO-1 PL-2: where a platform shows no reminders, a reminder is not comparable", () => {
  const blind = { ...descriptor, reminderTimestamp: false };
  expect(compareShadow(said(reminded), shows(later), blind)).toBe("not_comparable");
});

test("PV-4: what was seen is kept in codes and instants", () => {
  expect(observedWords(shows())).toBe(
    "sent, expiry 2027-03-31T15:00:00.000Z, last reminder 2027-03-01T08:00:00.000Z",
  );
  expect(observedWords({ kind: "not_found" })).toBe("no such request");
});
