import { expect, test } from "vitest";
import { approvedTimers, type TimerWish } from "./approved-timers";
import type { BusinessDeadline } from "./business-deadline";
import { DEFAULT_POLICY } from "./policy";

const DEADLINE: BusinessDeadline = {
  date: "2027-11-08",
  time: "17:00",
  zone: "America/Los_Angeles",
  choice: "only",
  instant: "2027-11-09T01:00:00Z",
  offset: "-08:00",
  zoneData: "2026f",
};

function timers(changes: Partial<TimerWish>) {
  return approvedTimers({
    remind: { version: 3, policy: { ...DEFAULT_POLICY, everyDays: 2, atTime: "10:00" } },
    expire: { version: 5, policy: DEFAULT_POLICY },
    owner: "application",
    intervalDays: null,
    from: "2027-11-04T18:00:00Z",
    deadline: DEADLINE,
    ...changes,
  });
}

test("AP-2: the policies of the moment give interval, hour and whether the request closes by itself", () => {
  expect(timers({})).toEqual({
    reminders: ["2027-11-06T17:00:00Z", "2027-11-08T18:00:00Z"],
    closes_at_deadline: false,
    policies: { remind: 3, expire: 5 },
  });
  const automatic = { version: 6, policy: { ...DEFAULT_POLICY, automatic: true } };
  expect(timers({ expire: automatic }).closes_at_deadline).toBe(true);
});

test("a workflow's own interval goes before the policy's", () => {
  expect(timers({ intervalDays: 3 }).reminders).toEqual(["2027-11-07T18:00:00Z"]);
});

test("RM-1: where the platform reminds none of ours is planned", () => {
  expect(timers({ owner: "platform", intervalDays: 1 }).reminders).toEqual([]);
});

test("without an interval from anywhere nobody is reminded", () => {
  const remind = { version: 1, policy: DEFAULT_POLICY };
  expect(timers({ remind }).reminders).toEqual([]);
});
