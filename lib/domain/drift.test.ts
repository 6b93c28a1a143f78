import { expect, test } from "vitest";
import { clocksApartMs, driftsOf, requestReviewValues } from "./drift";
import type { PlatformRequest } from "./observation";
import { reasonSentence } from "./reason-sentence";
import { sweepAgeMs } from "./sweep-age";

const SEEN: PlatformRequest = {
  platformRef: "env_1",
  clientReference: null,
  status: "sent",
  rawStatus: "sent",
  expiresAt: "2027-06-30T15:00:00.000Z",
  version: "1",
  lastReminderAt: null,
  lastDeliveryAt: null,
  platformReminders: null,
  signedCount: 0,
  signerCount: 1,
  signers: [],
};
const BEFORE = { status: "sent", rawStatus: null, expiresAt: "2027-06-30T15:00:00Z" };

test("RC-7: equal instants in other spellings are no drift, and an empty mirror differs from nothing", () => {
  expect(driftsOf(BEFORE, SEEN)).toEqual([]);
  expect(driftsOf({ status: null, rawStatus: null, expiresAt: null }, null)).toEqual([]);
});

test("RC-7: status, expiry and absence each have a reason of their own", () => {
  expect(driftsOf(BEFORE, null)).toEqual([{ reason: "drift_missing", a: "sent", b: null }]);
  expect(driftsOf(BEFORE, { ...SEEN, status: "voided", expiresAt: null })).toEqual([
    { reason: "drift_status", a: "sent", b: "voided" },
    { reason: "drift_expiry", a: "2027-06-30T15:00:00Z", b: null },
  ]);
  const unknown = { ...SEEN, status: "unrecognised", rawStatus: "parked" } as const;
  const held = { ...BEFORE, status: "unrecognised", rawStatus: "parked" };
  expect(driftsOf(held, unknown)).toEqual([]);
  expect(driftsOf(held, { ...unknown, rawStatus: "shelved" })).toHaveLength(1);
});

test("TM-1: clocks apart by the tolerance are together, by more they are not, and the sign says which is later", () => {
  const business = "2027-06-30T15:00:00Z";
  expect(clocksApartMs(business, "2027-07-01T15:00:00Z", 1440)).toBeNull();
  expect(clocksApartMs(business, "2027-07-01T15:00:01Z", 1440)).toBe(86_401_000);
  expect(clocksApartMs(business, "2027-06-30T14:29:00Z", 30)).toBe(-1_860_000);
  expect(clocksApartMs(null, business, 0)).toBeNull();
  expect(clocksApartMs(business, null, 0)).toBeNull();
});

test("RV-1: the item's evidence fills its sentence in the request's own zone", () => {
  const expiry = { a: "2027-06-30T15:00:00Z", b: "2027-07-11T15:00:00Z" };
  expect(reasonSentence("drift_expiry", requestReviewValues(expiry, "Europe/Berlin"))).toBe(
    "Nothing is in flight, yet expiry differs: ours 30 Jun 2027, 17:00 CEST, platform 11 Jul 2027, 17:00 CEST.",
  );
  const status = requestReviewValues({ a: "sent", b: "voided" }, "UTC");
  expect(reasonSentence("drift_status", status)).toContain("ours Sent, platform Voided");
  const apart = { ...expiry, apart_ms: 11 * 86_400_000, tolerance_minutes: 1440 };
  expect(reasonSentence("clocks_disagree", requestReviewValues(apart, "UTC"))).toContain(
    "The platform ends it 11 d 0 h after the business deadline, more than the 1 d 0 h that",
  );
  expect(requestReviewValues(null, "UTC")).toEqual({});
});

test("RC-7: a mirror may be older the further its nearest clock is away", () => {
  const now = new Date("2027-06-30T12:00:00Z");
  const ages = ["2027-06-30T13:00:00Z", "2027-07-01T11:00:00Z", "2027-07-05T12:00:00Z"].map(
    (at) => sweepAgeMs(now, new Date(at)) / 60_000,
  );
  expect([...ages, sweepAgeMs(now, null) / 60_000]).toEqual([5, 30, 240, 720]);
  expect(sweepAgeMs(now, new Date("2027-06-30T11:30:00Z"))).toBe(300_000);
});
