import { expect, test } from "vitest";
import {
  deadlineMoves,
  formatAge,
  formatDeadline,
  formatDuration,
  formatMoment,
  formatRemaining,
  formatStep,
  wholeDaysUp,
  zoneDisagreements,
} from "./deadline";
import { offsetAt } from "./zone";

test("TM-1 C-38: a deadline reads the same for every viewer, with the UTC instant beside it", () => {
  expect(formatDeadline("2026-12-18T16:00:00Z", "Europe/Berlin", "2026-11-30T16:00:00Z")).toEqual({
    line1: "18 Dec 2026, 17:00 CET (Europe/Berlin)",
    line2: "UTC+01:00 · 2026-12-18 16:00Z · in 18 d 0 h",
  });
  expect(formatDeadline("2027-07-01T02:30:00Z", "America/Los_Angeles")).toEqual({
    line1: "30 Jun 2027, 19:30 PDT (America/Los_Angeles)",
    line2: "UTC\u221207:00 · 2027-07-01 02:30Z",
  });
});

test("C-38: a reading zone is added to line 2 by name and leaves line 1 alone", () => {
  const words = formatDeadline(
    "2027-07-01T02:30:00Z",
    "America/Los_Angeles",
    undefined,
    "Asia/Tokyo",
  );
  expect(words.line1).toBe("30 Jun 2027, 19:30 PDT (America/Los_Angeles)");
  expect(words.line2).toBe(
    "UTC\u221207:00 · 2027-07-01 02:30Z · 1 Jul 2027, 11:30 JST (Asia/Tokyo)",
  );
});

test("TM-1: zones without letters show their offset, and seconds show where they matter", () => {
  expect(formatDeadline("2026-12-18T14:00:00Z", "Europe/Istanbul").line1).toBe(
    "18 Dec 2026, 17:00 UTC+03 (Europe/Istanbul)",
  );
  expect(formatDeadline("2027-03-14T06:59:59Z", "America/New_York")).toEqual({
    line1: "14 Mar 2027, 01:59:59 EST (America/New_York)",
    line2: "UTC\u221205:00 · 2027-03-14 06:59:59Z",
  });
});

test("TM-2: moments are written to the second and name any zone but UTC", () => {
  expect(formatMoment("2026-11-30T16:22:07.812Z")).toBe("2026-11-30 16:22:07Z");
  expect(formatMoment("2026-11-30T16:22:00Z", "Europe/Berlin")).toBe(
    "2026-11-30 17:22:00 CET (Europe/Berlin)",
  );
});

test("screens 0: durations have two units at most and are rounded down", () => {
  const minute = 60_000;
  const cases: [number, string][] = [
    [0, "0 s"],
    [38_900, "38 s"],
    [100_000, "1 min 40 s"],
    [9 * minute, "9 min"],
    [14 * minute + 59_000, "14 min"],
    [60 * minute, "1 h"],
    [16.5 * 60 * minute, "16 h 30 min"],
    [52 * 60 * minute, "2 d 4 h"],
    [-3 * 24 * 60 * minute, "3 d 0 h"],
  ];
  for (const [size, words] of cases) expect(formatDuration(size)).toBe(words);
});

test("screens 0: ages look back, remaining time looks ahead", () => {
  const now = "2026-11-30T16:22:07Z";
  expect(formatAge("2026-11-30T16:17:50Z", now)).toBe("4 min ago");
  expect(formatAge("2026-11-30T16:21:29Z", now)).toBe("38 s ago");
  expect(formatAge("2026-11-30T16:22:12Z", now)).toBe("in 5 s");
  expect(formatRemaining("2026-11-30T16:24:00Z", now)).toBe("in 1 min 53 s");
  expect(formatRemaining(now, now)).toBe("0 s ago");
  expect(formatStep("2026-12-15T16:00:00Z", "2026-12-18T16:00:00Z")).toBe("+ 3 d 0 h");
  expect(formatStep("2026-12-18T16:00:00Z", "2026-12-18T14:00:00Z")).toBe("\u2212 2 h");
});

test("TM-3 C-24: whole days never end before the approved instant", () => {
  expect(wholeDaysUp("2027-03-26T22:30:00Z", "2027-03-31T15:00:00Z")).toBe(5);
  expect(wholeDaysUp("2027-03-26T15:00:00Z", "2027-03-31T15:00:00Z")).toBe(5);
  expect(wholeDaysUp("2027-03-26T15:00:00Z", "2027-03-31T15:00:01Z")).toBe(6);
  expect(wholeDaysUp("2027-03-31T15:00:00Z", "2027-03-26T15:00:00Z")).toBe(0);
});

test("TM-6 C-23: another source with older rules is named with the first day of difference", () => {
  const olderRules = (zone: string, instant: string): number =>
    zone === "America/Vancouver" && instant >= "2026-11-01T09:00:00Z"
      ? -480
      : offsetAt(zone, instant);
  const from = "2026-10-01T12:00:00Z";
  const to = "2027-03-01T12:00:00Z";
  expect(zoneDisagreements(["Europe/Berlin", "America/Vancouver"], olderRules, from, to)).toEqual([
    { zone: "America/Vancouver", instant: "2026-11-01T12:00:00Z", ours: -420, theirs: -480 },
  ]);
  expect(zoneDisagreements(["Europe/Berlin"], () => null, from, to)).toEqual([
    { zone: "Europe/Berlin", instant: from, ours: 120, theirs: null },
  ]);
});

test("TM-6 C-23: words approved under older rules are reported with the instant they mean now", () => {
  const local = { date: "2027-12-15", time: "17:00" };
  const moved = deadlineMoves(local, "America/Vancouver", "only", "2027-12-16T01:00:00Z");
  expect(moved).toBe("2027-12-16T00:00:00Z");
  expect(deadlineMoves(local, "America/Vancouver", "only", "2027-12-16T00:00:00Z")).toBeNull();
});

test("TM-6: an answered gap or overlap keeps its answer", () => {
  const twice = { date: "2027-10-31", time: "01:45" };
  expect(deadlineMoves(twice, "Europe/London", "first", "2027-10-31T00:45:00Z")).toBeNull();
  expect(deadlineMoves(twice, "Europe/London", "second", "2027-10-31T01:45:00Z")).toBeNull();
  expect(deadlineMoves(twice, "Europe/London", "second", "2027-10-31T00:45:00Z")).toBe(
    "2027-10-31T01:45:00Z",
  );
  expect(deadlineMoves(twice, "Europe/London", "only", "2027-10-31T01:45:00Z")).toBeNull();
  const skipped = { date: "2027-03-14", time: "02:30" };
  expect(
    deadlineMoves(skipped, "America/New_York", "before_gap", "2027-03-14T06:59:59Z"),
  ).toBeNull();
  expect(
    deadlineMoves(skipped, "America/New_York", "after_gap", "2027-03-14T07:00:00Z"),
  ).toBeNull();
});
