import { expect, test } from "vitest";
import { answerDeadline } from "./business-deadline";
import { formatDeadline, wholeDaysUp } from "./deadline";
import { addDays, localOf, offsetAt, resolveLocal } from "./zone";

/** Changes of the clock by hemisphere, size and hour, each with what a wall clock inside it means. */
const GAPS = [
  ["Europe/Berlin", "2027-03-28", "02:30", "2027-03-28T00:59:59Z", "2027-03-28T01:00:00Z"],
  ["America/New_York", "2027-03-14", "02:30", "2027-03-14T06:59:59Z", "2027-03-14T07:00:00Z"],
  ["Australia/Sydney", "2027-10-03", "02:30", "2027-10-02T15:59:59Z", "2027-10-02T16:00:00Z"],
  ["America/Santiago", "2027-09-05", "00:30", "2027-09-05T03:59:59Z", "2027-09-05T04:00:00Z"],
  ["Australia/Lord_Howe", "2027-10-03", "02:15", "2027-10-02T15:29:59Z", "2027-10-02T15:30:00Z"],
  ["Pacific/Auckland", "2027-09-26", "02:30", "2027-09-25T13:59:59Z", "2027-09-25T14:00:00Z"],
] as const;

test.each(GAPS)(
  "TM-2 C-21: in %s the clocks skip %s %s, and nobody chooses for the approver",
  (zone, date, time, before, after) => {
    expect(resolveLocal(zone, { date, time })).toMatchObject({
      kind: "gap",
      before: { instant: before },
      after: { instant: after },
    });
    const wish = { zone, date, time };
    expect(answerDeadline(wish, "2027-01-01T00:00:00Z")).toMatchObject({ needs: "gap" });
    expect(answerDeadline({ ...wish, choice: "after_gap" }, "2027-01-01T00:00:00Z")).toMatchObject({
      instant: after,
      choice: "after_gap",
    });
  },
);

const OVERLAPS = [
  ["Europe/London", "2027-10-31", "01:45", "2027-10-31T00:45:00Z", "2027-10-31T01:45:00Z"],
  ["America/New_York", "2027-11-07", "01:30", "2027-11-07T05:30:00Z", "2027-11-07T06:30:00Z"],
  ["Australia/Sydney", "2027-04-04", "02:30", "2027-04-03T15:30:00Z", "2027-04-03T16:30:00Z"],
  ["America/Santiago", "2027-04-03", "23:30", "2027-04-04T02:30:00Z", "2027-04-04T03:30:00Z"],
  ["Australia/Lord_Howe", "2027-04-04", "01:45", "2027-04-03T14:45:00Z", "2027-04-03T15:15:00Z"],
] as const;

test.each(OVERLAPS)(
  "TM-2 C-22: in %s the clocks show %s %s twice, whatever the time of year is now",
  (zone, date, time, first, second) => {
    for (const now of ["2027-01-15T12:00:00Z", "2027-03-20T12:00:00Z"]) {
      const wish = { zone, date, time };
      expect(answerDeadline(wish, now)).toMatchObject({ needs: "overlap" });
      expect(answerDeadline({ ...wish, choice: "first" }, now)).toMatchObject({ instant: first });
      expect(answerDeadline({ ...wish, choice: "second" }, now)).toMatchObject({ instant: second });
    }
  },
);

test("C-22: the answer is the same in July and in December", () => {
  const wish = {
    zone: "Europe/London",
    date: "2028-10-29",
    time: "01:45",
    choice: "first",
  } as const;
  const answers = ["2027-07-01T12:00:00Z", "2027-12-01T12:00:00Z"].map((now) =>
    answerDeadline(wish, now),
  );
  expect(answers[0]).toEqual(answers[1]);
  expect(answers[0]).toMatchObject({ instant: "2028-10-29T00:45:00Z", offset: "+01:00" });
});

test("TM-1: zones of half and quarter hours keep their minutes", () => {
  const at = "2027-06-30T12:00:00Z";
  const shown = ["Asia/Kolkata", "Asia/Kathmandu", "Australia/Lord_Howe", "America/St_Johns"].map(
    (zone) => [offsetAt(zone, at), localOf(zone, at).time],
  );
  expect(shown).toEqual([
    [330, "17:30"],
    [345, "17:45"],
    [630, "22:30"],
    [-150, "09:30"],
  ]);
  expect(formatDeadline(at, "Asia/Kathmandu")).toEqual({
    line1: "30 Jun 2027, 17:45 UTC+05:45 (Asia/Kathmandu)",
    line2: "UTC+05:45 · 2027-06-30 12:00Z",
  });
});

test("TM-6 C-23: since the law of 2026 Vancouver keeps one offset all year", () => {
  expect(resolveLocal("America/Vancouver", { date: "2027-12-15", time: "17:00" })).toMatchObject({
    kind: "one",
    instant: "2027-12-16T00:00:00Z",
    offset: "-07:00",
  });
  expect(offsetAt("America/Vancouver", "2027-06-15T12:00:00Z")).toBe(-420);
  expect(offsetAt("America/Vancouver", "2026-01-15T12:00:00Z")).toBe(-480);
});

test("C-38: the same instant is three days of three zones, and each is written with its own", () => {
  const at = "2027-07-01T10:30:00Z";
  const days = ["Pacific/Kiritimati", "UTC", "Pacific/Pago_Pago"].map(
    (zone) => formatDeadline(at, zone).line1,
  );
  expect(days).toEqual([
    "2 Jul 2027, 00:30 UTC+14 (Pacific/Kiritimati)",
    "1 Jul 2027, 10:30 UTC (UTC)",
    "30 Jun 2027, 23:30 SST (Pacific/Pago_Pago)",
  ]);
});

test("TM-2: the last minute of a day is on that day on both sides of the date line", () => {
  const wish = { date: "2027-06-30", time: "23:59" };
  expect(resolveLocal("Pacific/Kiritimati", wish)).toMatchObject({
    instant: "2027-06-30T09:59:00Z",
  });
  expect(resolveLocal("Pacific/Pago_Pago", wish)).toMatchObject({
    instant: "2027-07-01T10:59:00Z",
  });
});

test("TM-3 C-24: whole days from a send across the spring change end after the deadline, never before", () => {
  const sent = "2027-03-26T22:30:00Z";
  const found = answerDeadline({ date: "2027-03-31", time: "17:00", zone: "Europe/Berlin" }, sent);
  expect(found).toMatchObject({ instant: "2027-03-31T15:00:00Z", offset: "+02:00" });
  const days = wholeDaysUp(sent, "2027-03-31T15:00:00Z");
  expect(days).toBe(5);
  expect(addDays("UTC", sent, days)).toBe("2027-03-31T22:30:00Z");
  expect(addDays("UTC", sent, days - 1) < "2027-03-31T15:00:00Z").toBe(true);
});
