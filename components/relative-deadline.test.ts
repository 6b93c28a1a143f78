import { expect, test } from "vitest";
import { parseDay, quickDeadline, tidyTime } from "./relative-deadline";

const NOW = "2026-11-30T16:22:07Z";
const PRESENT = "2026-12-15T16:00:00Z";

test("TM-3: a relative choice becomes an absolute date and time in the named zone", () => {
  const seven = quickDeadline("7", "Europe/Berlin", PRESENT, NOW);
  const fourteen = quickDeadline("14", "Europe/Berlin", PRESENT, NOW);
  expect(seven).toEqual({ date: "2026-12-22", time: "17:00" });
  expect(fourteen).toEqual({ date: "2026-12-29", time: "17:00" });
});

test("TM-3: plus seven days over a change of the clock keeps the wall-clock time", () => {
  const before = "2027-03-10T22:00:00Z";
  expect(quickDeadline("7", "America/New_York", before, NOW)).toEqual({
    date: "2027-03-17",
    time: "17:00",
  });
});

test("a present deadline that has passed, or none at all, counts from now", () => {
  const wanted = { date: "2026-12-07", time: "16:22" };
  expect(quickDeadline("7", "UTC", "2026-11-29T08:00:00Z", NOW)).toEqual(wanted);
  expect(quickDeadline("7", "UTC", null, NOW)).toEqual(wanted);
});

test("the end of the month is the next one when the deadline already stands there", () => {
  const end = (present: string) => quickDeadline("month_end", "UTC", present, NOW).date;
  expect(end(PRESENT)).toBe("2026-12-31");
  expect(end("2026-12-31T10:00:00Z")).toBe("2027-01-31");
  expect(end("2027-01-31T10:00:00Z")).toBe("2027-02-28");
});

test.each([
  ["18 Dec 2026", "2026-12-18"],
  ["1 january 2027", "2027-01-01"],
  ["2027-03-14", "2027-03-14"],
  ["12/11/2026", null],
  ["31 Apr 2027", null],
  ["2027-02-30", null],
])("a typed day is taken as written and never guessed: %s", (text, wanted) => {
  expect(parseDay(text)).toBe(wanted);
});

test("a short time is completed and anything else is left for the check", () => {
  expect(["9:00", "0930", "17:00", "later"].map(tidyTime)).toEqual([
    "09:00",
    "09:30",
    "17:00",
    "later",
  ]);
});
