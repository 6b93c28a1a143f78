import { expect, test } from "vitest";
import type { MonthEntry } from "@/lib/queries/deadlines-month";
import type { DeadlineRow } from "@/lib/queries/deadlines-row";
import { monthOf, monthsLater } from "./address";
import { groupOf } from "./groups";
import { axisDays, marksOf, signedDrift } from "./marks";
import { weeksOf } from "./month-days";

const NOW = "2026-11-30T16:22:00Z";
const ROW: DeadlineRow = {
  ref: "req_7011",
  connection: "sbx-1",
  sandbox: true,
  status: "sent",
  rawStatus: null,
  signed: 0,
  signers: 1,
  zone: "America/Los_Angeles",
  businessDeadlineAt: "2026-12-01T03:30:00.000Z",
  ruleData: "2026f",
  platformExpiresAt: "2026-12-01T00:00:00.000Z",
  readAt: "2026-11-30T16:18:00.000Z",
  driftMs: -12_600_000,
  timers: [],
  inFlight: null,
  unknown: false,
  conflict: null,
  owner: "you",
  reminderOwner: "application",
  placeAt: "2026-12-01T00:00:00.000Z",
  ended: false,
};

test("screens 3.9: rows are grouped by the instant that orders them", () => {
  const at = (hours: number) => new Date(Date.parse(NOW) + hours * 3_600_000).toISOString();
  expect([-1, 0, 24, 48, 49, 168, 169].map((hours) => groupOf(at(hours), NOW))).toEqual([
    "passed, still open",
    "passed, still open",
    "in 24 h",
    "in 48 h",
    "in 7 days",
    "in 7 days",
    "later",
  ]);
  expect(groupOf(null, NOW)).toBe("no such clock");
});

test("C-38: a mark says the deadline in the request's own zone and adds the reading zone by name", () => {
  const [platform, business] = marksOf(ROW, { zone: "Asia/Tokyo", now: NOW });
  expect(platform).toMatchObject({ letters: "P", day: "2026-12-01" });
  expect(platform?.sentence).toBe(
    "req_7011: platform expiry 30 Nov 2026, 16:00 PST (America/Los_Angeles), UTC\u221208:00 · 2026-12-01 00:00Z · 1 Dec 2026, 09:00 JST (Asia/Tokyo) · in 7 h 38 min, as of 4 min ago, platform 3 h 30 min before ours.",
  );
  expect(business?.sentence).toContain("30 Nov 2026, 19:30 PST (America/Los_Angeles)");
  expect(marksOf(ROW, { zone: "America/Los_Angeles", now: NOW })[0]?.day).toBe("2026-11-30");
});

test("TM-1: clocks on the same instant are one mark, and timers and the unknown have marks of their own", () => {
  const same = { ...ROW, platformExpiresAt: ROW.businessDeadlineAt, driftMs: null, unknown: true };
  const timers = [{ opId: "o", kind: "remind" as const, at: "2026-12-01T01:00:00.000Z" }];
  const marks = marksOf({ ...same, timers }, { zone: "UTC", now: NOW });
  expect(marks.map(({ letters }) => letters)).toEqual(["!", "r", "B=P"]);
  expect(marks[0]?.sentence).toBe("req_7011: unknown effect in flight now.");
  expect(signedDrift(-12_600_000)).toBe("\u22123 h 30 min");
  expect(signedDrift(3 * 86_400_000)).toBe("+3 d 0 h");
});

test("C-38: the axis begins yesterday in the reading zone, across the date line too", () => {
  const late = "2026-11-30T11:00:00Z";
  expect(axisDays({ zone: "Pacific/Kiritimati", now: late })[1]).toBe("2026-12-01");
  expect(axisDays({ zone: "Pacific/Pago_Pago", now: late })[1]).toBe("2026-11-30");
  expect(axisDays({ zone: "UTC", now: late }).slice(0, 3)).toEqual([
    "2026-11-29",
    "2026-11-30",
    "2026-12-01",
  ]);
});

function entry(at: string, zone: string): MonthEntry {
  return { ref: "req_1", zone, mark: "business", at, unknown: false };
}

test("C-38: a day of the month is one of the reading zone, and the request's own day is named where it differs", () => {
  const entries = [entry("2027-07-01T02:30:00Z", "America/Los_Angeles")];
  const inUtc = weeksOf("2027-07", entries, () => "UTC").flat();
  expect(inUtc.find(({ date }) => date === "2027-07-01")?.entries).toMatchObject([
    { time: "02:30", otherDay: "30 Jun there, 1 Jul in UTC" },
  ]);
  const own = weeksOf("2027-06", entries, (zone) => zone).flat();
  expect(own.find(({ date }) => date === "2027-06-30")?.entries).toMatchObject([
    { time: "19:30", otherDay: null },
  ]);
});

test("screens 3.9: weeks begin on Monday and hold the whole month", () => {
  const weeks = weeksOf("2027-02", [], () => "UTC");
  expect(weeks.map((week) => week.length)).toEqual([7, 7, 7, 7]);
  expect(weeks[0]?.[0]).toMatchObject({ date: "2027-02-01", inMonth: true });
  const august = weeksOf("2027-08", [], () => "UTC").flat();
  expect(august[0]).toMatchObject({ date: "2027-07-26", inMonth: false });
  expect(august.at(-1)?.date).toBe("2027-09-05");
});

test("screens 3.9: without a month in the address it is the present one of the reading zone", () => {
  const late = "2026-11-30T23:30:00Z";
  expect(monthOf({}, late, "UTC")).toBe("2026-11");
  expect(monthOf({}, late, "Asia/Tokyo")).toBe("2026-12");
  expect(monthOf({ month: "2027-03" }, late, "UTC")).toBe("2027-03");
  expect([monthsLater("2026-12", 1), monthsLater("2027-01", -1)]).toEqual(["2027-01", "2026-12"]);
});
