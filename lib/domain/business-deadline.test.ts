import fc from "fast-check";
import { expect, test } from "vitest";
import {
  answerDeadline,
  BusinessDeadlineSchema,
  choiceWords,
  InstantSchema,
} from "./business-deadline";
import { deadlineMoves } from "./deadline";
import { epochOf, instantOf, localOf, zoneNames } from "./zone";

const NOW = "2027-03-01T12:00:00Z";

test("TM-2 C-21: a skipped time is a question with two neighbours and no answer of its own", () => {
  const wish = { date: "2027-03-14", time: "02:30", zone: "America/New_York" };
  const asked = answerDeadline(wish, NOW);
  expect(asked).toMatchObject({
    needs: "gap",
    sentence:
      "02:30 does not exist on 14 Mar 2027 in America/New_York. Clocks go from 01:59:59 to 03:00.",
    options: [
      {
        choice: "before_gap",
        instant: "2027-03-14T06:59:59Z",
        label:
          "Last second before: 14 Mar 2027, 01:59:59 EST (UTC\u221205:00 · 2027-03-14 06:59:59Z)",
      },
      {
        choice: "after_gap",
        instant: "2027-03-14T07:00:00Z",
        label: "First moment after: 14 Mar 2027, 03:00 EDT (UTC\u221204:00 · 2027-03-14 07:00Z)",
      },
    ],
  });
  expect(answerDeadline({ ...wish, choice: "first" }, NOW)).toMatchObject({ needs: "gap" });
  expect(answerDeadline({ ...wish, choice: "before_gap" }, NOW)).toEqual({
    ...wish,
    choice: "before_gap",
    instant: "2027-03-14T06:59:59Z",
    offset: "-05:00",
    zoneData: "2026f",
  });
});

test("TM-2 C-22: a time that happens twice is a question, and its answer is part of the payload", () => {
  const wish = { date: "2027-10-31", time: "01:45", zone: "Europe/London" };
  expect(answerDeadline(wish, NOW)).toMatchObject({
    needs: "overlap",
    sentence: "01:45 happens twice on 31 Oct 2027 in Europe/London.",
    options: [
      { label: "First: 01:45 BST (UTC+01:00 · 2027-10-31 00:45Z)" },
      { label: "Second, an hour later: 01:45 GMT (UTC+00:00 · 2027-10-31 01:45Z)" },
    ],
  });
  for (const now of ["2027-07-01T12:00:00Z", "2027-10-01T12:00:00Z"]) {
    const first = BusinessDeadlineSchema.parse(answerDeadline({ ...wish, choice: "first" }, now));
    expect(first).toMatchObject({ instant: "2027-10-31T00:45:00Z", offset: "+01:00" });
    expect(choiceWords(first)).toBe("Chosen: the first 01:45.");
  }
  expect(answerDeadline({ ...wish, choice: "second" }, NOW)).toMatchObject({
    instant: "2027-10-31T01:45:00Z",
    offset: "+00:00",
  });
  const lordHowe = { date: "2027-04-04", time: "01:45", zone: "Australia/Lord_Howe" };
  expect(answerDeadline(lordHowe, NOW)).toMatchObject({
    options: [{}, { label: expect.stringContaining("Second, 30 min later:") }],
  });
});

test("TM-6 C-23: the answer names the rules under which it was computed", () => {
  const wish = { date: "2027-12-15", time: "17:00", zone: "America/Vancouver" };
  expect(answerDeadline(wish, NOW)).toEqual({
    ...wish,
    choice: "only",
    instant: "2027-12-16T00:00:00Z",
    offset: "-07:00",
    zoneData: "2026f",
  });
  expect(answerDeadline({ ...wish, choice: "second" }, NOW)).toMatchObject({ choice: "only" });
});

test("TM-2: an unknown zone, an impossible day and a past deadline are refused apart", () => {
  const wish = { date: "2027-03-31", time: "17:00", zone: "Europe/Berlin" };
  expect(answerDeadline({ ...wish, zone: "CET" }, NOW)).toEqual({ refused: "zone_unknown" });
  expect(answerDeadline({ ...wish, date: "2027-02-30" }, NOW)).toEqual({
    refused: "local_time_unreadable",
  });
  expect(answerDeadline({ ...wish, date: "2027-02-28" }, NOW)).toEqual({
    refused: "deadline_in_past",
  });
  expect(answerDeadline(wish, "2027-03-31T15:00:00Z")).toEqual({ refused: "deadline_in_past" });
  expect(answerDeadline(wish, "2027-03-31T14:59:59Z")).toMatchObject({
    instant: "2027-03-31T15:00:00Z",
  });
});

test("TM-2: an approved deadline is strict about its members", () => {
  const deadline = answerDeadline({ date: "2027-03-31", time: "17:00", zone: "UTC" }, NOW);
  expect(BusinessDeadlineSchema.safeParse({ ...deadline, days: 7 }).success).toBe(false);
  for (const instant of ["+7 days", "2027-03-31T17:00Z", "2027-02-30T17:00:00Z", ""]) {
    expect(BusinessDeadlineSchema.safeParse({ ...deadline, instant }).success, instant).toBe(false);
  }
});

test("ID-3: an instant in a payload has one spelling, however it arrives", () => {
  for (const spelled of ["2027-03-31T15:00:00Z", "2027-03-31T15:00:00.000Z"]) {
    expect(InstantSchema.parse(spelled)).toBe("2027-03-31T15:00:00Z");
  }
});

test("TM-2: in every zone each answered deadline keeps meaning its own instant", () => {
  const seconds = fc.integer({ min: epochOf(NOW) / 1000 + 1, max: 2_240_000_000 });
  fc.assert(
    fc.property(fc.constantFrom(...zoneNames()), seconds, (zone, second) => {
      const local = localOf(zone, instantOf(second * 1000));
      const asked = answerDeadline({ ...local, zone }, NOW);
      const answers =
        "needs" in asked
          ? asked.options.map(({ choice }) => answerDeadline({ ...local, zone, choice }, NOW))
          : [asked];
      const deadlines = answers.map((answer) => BusinessDeadlineSchema.parse(answer));
      expect(deadlines.map(({ instant }) => instant)).toContain(instantOf(second * 1000));
      for (const { choice, instant } of deadlines) {
        expect(deadlineMoves(local, zone, choice, instant)).toBeNull();
      }
    }),
    { numRuns: 500, verbose: true },
  );
});
