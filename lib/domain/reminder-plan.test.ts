import { expect, test } from "vitest";
import { type ReminderWish, reminderInstants } from "./reminder-plan";

function plan(zone: string, changes: Partial<ReminderWish>): readonly string[] {
  return reminderInstants({
    from: "2027-01-01T00:00:00Z",
    until: "2028-01-01T00:00:00Z",
    zone,
    everyDays: 1,
    atTime: "09:00",
    max: 100,
    ...changes,
  });
}

test("C-26 TM-5 race: Daylight-saving change or zone confusion; every day at nine in Los Angeles stays nine when the clocks go back", () => {
  const instants = plan("America/Los_Angeles", {
    from: "2027-11-04T18:00:00Z",
    until: "2027-11-10T16:00:00Z",
  });
  expect(instants).toEqual([
    "2027-11-05T16:00:00Z",
    "2027-11-06T16:00:00Z",
    "2027-11-07T17:00:00Z",
    "2027-11-08T17:00:00Z",
    "2027-11-09T17:00:00Z",
  ]);
});

test("TM-5: nine stays nine when the southern clocks go forward", () => {
  const instants = plan("Australia/Sydney", {
    from: "2027-10-01T00:00:00Z",
    until: "2027-10-05T00:00:00Z",
  });
  expect(instants).toEqual([
    "2027-10-01T23:00:00Z",
    "2027-10-02T22:00:00Z",
    "2027-10-03T22:00:00Z",
    "2027-10-04T22:00:00Z",
  ]);
});

test("C-26: nothing is planned at the deadline or after it", () => {
  const until = "2027-03-03T08:00:00Z";
  const instants = plan("Europe/Berlin", { from: "2027-03-01T10:00:00Z", until });
  expect(instants).toEqual(["2027-03-02T08:00:00Z"]);
  expect(plan("Europe/Berlin", { from: "2027-03-02T09:00:00Z", until })).toEqual([]);
});

test("TM-5: a time that the clocks skip is the first moment after, and the next day it is itself again", () => {
  const instants = plan("America/New_York", {
    from: "2027-03-12T12:00:00Z",
    until: "2027-03-16T00:00:00Z",
    atTime: "02:30",
  });
  expect(instants).toEqual([
    "2027-03-13T07:30:00Z",
    "2027-03-14T07:00:00Z",
    "2027-03-15T06:30:00Z",
  ]);
});

test("TM-5: a time that happens twice is the first of the two, also where the clocks move by half an hour", () => {
  expect(
    plan("Europe/London", {
      from: "2027-10-30T12:00:00Z",
      until: "2027-11-01T00:00:00Z",
      atTime: "01:45",
    }),
  ).toEqual(["2027-10-31T00:45:00Z"]);
  expect(
    plan("Australia/Lord_Howe", {
      from: "2027-04-03T00:00:00Z",
      until: "2027-04-05T00:00:00Z",
      atTime: "01:45",
    }),
  ).toEqual(["2027-04-03T14:45:00Z", "2027-04-04T15:15:00Z"]);
});

test("TM-5: zones of half and quarter hours step on their own calendar", () => {
  const window = { from: "2027-05-01T00:00:00Z", until: "2027-05-09T00:00:00Z", everyDays: 7 };
  expect(plan("Asia/Kolkata", window)).toEqual(["2027-05-08T03:30:00Z"]);
  expect(plan("Asia/Kathmandu", window)).toEqual(["2027-05-08T03:15:00Z"]);
});

test("TM-5: the day of the zone decides where the plan begins, on either side of the date line", () => {
  const window = { from: "2027-05-01T10:30:00Z", until: "2027-05-03T12:00:00Z" };
  expect(plan("Pacific/Kiritimati", window)).toEqual(["2027-05-02T19:00:00Z"]);
  expect(plan("Pacific/Pago_Pago", window)).toEqual([
    "2027-05-01T20:00:00Z",
    "2027-05-02T20:00:00Z",
  ]);
});

test("a plan is bounded, whatever the distance to the deadline", () => {
  expect(plan("UTC", { max: 3 })).toEqual([
    "2027-01-02T09:00:00Z",
    "2027-01-03T09:00:00Z",
    "2027-01-04T09:00:00Z",
  ]);
});
