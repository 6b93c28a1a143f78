import { expect, test } from "vitest";
import { escalatedTo, escalationLine } from "./escalation";
import { acknowledgeUntilMax, mayAct, ownsItem, snoozeUntilMax } from "./review-act";
import { breachAt, nextAlert, warnAt } from "./review-clock";
import { onCallAt, rotaGaps, type Shift } from "./rota";
import { firstMatch, unownedReasons } from "./routing";
import { TEAMS } from "./team";

const OPENED = "2026-11-30T12:00:00Z";
const normal = { kind: "send", reason: "no_lookup", losesAt: null, openedAt: OPENED } as const;
const duplicate = { ...normal, reason: "possible_duplicate" };

/** Minutes after the opening. */
const at = (minutes: number) =>
  new Date(Date.parse(OPENED) + minutes * 60_000).toISOString().replace(".000Z", "Z");

test("RV-4: the limit that counts is the one of the consequence at that instant", () => {
  expect([warnAt(normal), breachAt(normal)]).toEqual([at(240), at(480)]);
  expect([warnAt(duplicate), breachAt(duplicate)]).toEqual([at(7.5), at(15)]);
  // High at first, critical after half an hour: breached then, and not after the hour.
  const nearing = { ...normal, losesAt: at(24 * 60 + 30) };
  expect([warnAt(nearing), breachAt(nearing)]).toEqual([at(30), at(30)]);
  const later = { ...normal, losesAt: at(24 * 60 + 90) };
  expect(breachAt(later)).toBe(at(60));
  expect(breachAt({ ...normal, kind: "remind", losesAt: at(10) })).toBe(at(24 * 60));
});

test("RV-1: an owner is told, reminded at half the limit, escalated at the limit and after each further one", () => {
  const step = (level: number, minutes: number, due = 0, after: number | null = null) =>
    nextAlert({ ...duplicate, level, dueAt: at(due) }, after, at(minutes));
  expect(step(0, 0)).toEqual({ raise: "opened", level: 1, nextAt: at(7.5) });
  expect(step(1, 7)).toEqual({ raise: null, level: 1, nextAt: at(7.5) });
  expect(step(1, 8)).toEqual({ raise: "reminder", level: 2, nextAt: at(15) });
  expect(step(2, 15)).toMatchObject({ raise: "breached", level: 3, nextAt: at(30) });
  expect(step(3, 31, 30)).toMatchObject({ raise: "escalated", level: 4, nextAt: at(46) });
  expect(step(0, 60)).toMatchObject({ raise: "breached", level: 3 });
  expect(step(1, 4, 0, 5 * 60_000)).toMatchObject({ raise: null, nextAt: at(5) });
  expect(step(1, 5, 0, 5 * 60_000)).toMatchObject({ raise: "breached", level: 3 });
  expect(step(2, 10, 0, 9 * 60_000)).toMatchObject({ raise: "breached", level: 3 });
});

test("RV-1: the line of those who are told is never empty and names nobody twice", () => {
  const person = { owner: "account:a", team: "team:account-managers", escalateTo: "account:b" };
  expect(escalationLine(person)).toEqual([
    "account:a",
    "account:b",
    "team:account-managers",
    "team:on-call",
    "team:admins",
  ]);
  const admins = { owner: "team:admins", team: "team:admins", escalateTo: null };
  expect([1, 2, 9].map((nth) => escalatedTo(admins, nth))).toEqual([
    "team:on-call",
    "team:on-call",
    "team:on-call",
  ]);
});

test("RV-4: nothing is held back beyond its loss, and a critical item is never hidden", () => {
  const minutes = (instant: number | null) =>
    instant === null ? null : (instant - Date.parse(OPENED)) / 60_000;
  expect(minutes(acknowledgeUntilMax(at(90), OPENED))).toBe(90);
  expect(minutes(acknowledgeUntilMax(null, OPENED))).toBe(24 * 60);
  expect(minutes(acknowledgeUntilMax(at(-5), OPENED))).toBe(30);
  expect(snoozeUntilMax({ consequence: "critical", losesAt: null }, OPENED)).toBeNull();
  const high = { consequence: "high", losesAt: at(3 * 24 * 60) } as const;
  expect(minutes(snoozeUntilMax(high, OPENED))).toBe(2 * 24 * 60);
});

test("RV-1: those on call act on every item, all others on their own; seen is said by the owner's side only", () => {
  const item = { owner: "account:x", team: "team:compliance", assignedTo: null };
  const person = (role: "on_call" | "admin" | "compliance", accountId = "y") => ({
    accountId,
    role,
  });
  expect([mayAct(item, person("on_call")), ownsItem(item, person("on_call"))]).toEqual([
    true,
    false,
  ]);
  expect([mayAct(item, person("admin")), mayAct(item, person("admin", "x"))]).toEqual([
    false,
    true,
  ]);
  expect(ownsItem(item, person("compliance"))).toBe(true);
});

test("RV-1: the first rule that fits wins, and a set that leaves a reason to nobody is known", () => {
  const rule = { kind: null, connectionId: null, escalateTo: null, escalateAfterMinutes: null };
  const rules = [
    { ...rule, reason: "history_changed", kind: "extend", owner: "account:a" },
    { ...rule, reason: "history_changed", owner: "team:admins" },
    { ...rule, reason: null, owner: "team:on-call" },
  ];
  const item = { reason: "history_changed", kind: "extend", connectionId: "c" };
  expect(firstMatch(rules, item)?.owner).toBe("account:a");
  expect(firstMatch(rules, { ...item, kind: null })?.owner).toBe("team:admins");
  expect(firstMatch([], item)).toBeNull();
  const all = { accounts: new Set<string>(), teams: new Set<string>(TEAMS) };
  const small = { accounts: new Set<string>(), teams: new Set(["team:on-call"]) };
  expect(unownedReasons([], all)).toEqual([]);
  expect(unownedReasons([], small)).toContain("history_changed");
  expect(unownedReasons(rules, small)).toEqual(["history_changed"]);
  expect(unownedReasons(rules.slice(2), small)).toEqual([]);
});

test("RV-1: a rota says who is on call and where it has gaps", () => {
  const shift = (accountId: string, from: number, until: number): Shift => ({
    team: "team:on-call",
    accountId,
    startsAt: at(from),
    endsAt: at(until),
  });
  const shifts = [shift("b", 60, 120), shift("a", 0, 70), shift("c", 180, 240)];
  expect(onCallAt(shifts, "team:on-call", at(65))).toEqual(["b", "a"]);
  expect(onCallAt(shifts, "team:on-call", at(120))).toEqual([]);
  expect(onCallAt(shifts, "team:admins", at(65))).toEqual([]);
  const stretch = { from: at(0), until: at(300) };
  expect(rotaGaps(shifts, "team:on-call", stretch)).toEqual([
    { from: at(120), until: at(180) },
    { from: at(240), until: at(300) },
  ]);
});
