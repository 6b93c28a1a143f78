import fc from "fast-check";
import { expect, test } from "vitest";
import {
  abbreviationAt,
  addDays,
  changesBetween,
  epochOf,
  instantOf,
  isLocalTime,
  isZone,
  localOf,
  offsetAt,
  offsetText,
  resolveLocal,
  ZONE_DATA_VERSION,
  zoneNames,
} from "./zone";

test("TM-6: the rules say which release they are", () => {
  expect(ZONE_DATA_VERSION).toBe("2026f");
});

test("TM-1: places, their older names and UTC are zones; offsets and clock habits are not", () => {
  for (const name of ["Europe/Berlin", "Asia/Calcutta", "US/Pacific", "Japan", "UTC", "Etc/UTC"]) {
    expect(isZone(name), name).toBe(true);
    expect(zoneNames()).toContain(name);
  }
  const refused = "CET EST EST5EDT GMT GMT+0 Etc/GMT-3 +01:00 UTC+1 europe/berlin Mars/Base".split(
    " ",
  );
  for (const name of [...refused, "", "toString", "__proto__"]) {
    expect(isZone(name), name).toBe(false);
    expect(() => offsetAt(name, "2027-01-01T00:00:00Z")).toThrow(RangeError);
  }
});

test("TM-2 C-21: a time that the clocks skip comes back as its two neighbours", () => {
  expect(resolveLocal("America/New_York", { date: "2027-03-14", time: "02:30" })).toEqual({
    kind: "gap",
    before: {
      local: { date: "2027-03-14", time: "01:59:59" },
      instant: "2027-03-14T06:59:59Z",
      offset: "-05:00",
      abbr: "EST",
    },
    after: {
      local: { date: "2027-03-14", time: "03:00" },
      instant: "2027-03-14T07:00:00Z",
      offset: "-04:00",
      abbr: "EDT",
    },
  });
});

test("TM-2 C-22: a time that happens twice comes back as both", () => {
  expect(resolveLocal("Europe/London", { date: "2027-10-31", time: "01:45" })).toMatchObject({
    kind: "overlap",
    first: { instant: "2027-10-31T00:45:00Z", offset: "+01:00", abbr: "BST" },
    second: { instant: "2027-10-31T01:45:00Z", offset: "+00:00", abbr: "GMT" },
  });
});

test("TM-6 C-23: Vancouver follows the law of 2026, whatever the runtime believes", () => {
  const found = resolveLocal("America/Vancouver", { date: "2027-12-15", time: "17:00" });
  expect(found).toMatchObject({ kind: "one", instant: "2027-12-16T00:00:00Z", offset: "-07:00" });
});

test("TM-2: the edges of a gap and of an overlap exist exactly as often as the clocks show them", () => {
  const kindOf = (zone: string, date: string, time: string): string =>
    resolveLocal(zone, { date, time }).kind;
  const newYork: [string, string][] = [
    ["01:59:59", "one"],
    ["02:00", "gap"],
    ["02:59:59", "gap"],
    ["03:00", "one"],
  ];
  for (const [time, kind] of newYork) {
    expect(kindOf("America/New_York", "2027-03-14", time), time).toBe(kind);
  }
  const london: [string, string][] = [
    ["00:59:59", "one"],
    ["01:00", "overlap"],
    ["01:59:59", "overlap"],
    ["02:00", "one"],
  ];
  for (const [time, kind] of london) {
    expect(kindOf("Europe/London", "2027-10-31", time), time).toBe(kind);
  }
});

test("TM-2: half-hour zones, a half-hour change, both hemispheres and the date line resolve", () => {
  const oneOf = (zone: string, date: string, time: string): string => {
    const found = resolveLocal(zone, { date, time });
    if (found.kind !== "one") throw new Error(found.kind);
    return found.instant;
  };
  expect(oneOf("Asia/Kolkata", "2027-06-30", "23:59:59")).toBe("2027-06-30T18:29:59Z");
  expect(oneOf("Asia/Kathmandu", "2027-06-30", "12:00")).toBe("2027-06-30T06:15:00Z");
  expect(oneOf("America/St_Johns", "2027-01-10", "12:00")).toBe("2027-01-10T15:30:00Z");
  expect(oneOf("Pacific/Kiritimati", "2027-01-01", "00:00")).toBe("2026-12-31T10:00:00Z");
  expect(oneOf("Australia/Sydney", "2027-01-10", "17:00")).toBe("2027-01-10T06:00:00Z");
  expect(oneOf("Australia/Sydney", "2027-07-10", "17:00")).toBe("2027-07-10T07:00:00Z");
  expect(resolveLocal("Australia/Lord_Howe", { date: "2027-04-04", time: "01:45" })).toMatchObject({
    kind: "overlap",
    first: { instant: "2027-04-03T14:45:00Z" },
    second: { instant: "2027-04-03T15:15:00Z" },
  });
  expect(resolveLocal("Pacific/Apia", { date: "2011-12-30", time: "12:00" })).toMatchObject({
    kind: "gap",
    before: { local: { date: "2011-12-29", time: "23:59:59" }, instant: "2011-12-30T09:59:59Z" },
    after: { local: { date: "2011-12-31", time: "00:00" }, instant: "2011-12-30T10:00:00Z" },
  });
});

test("TM-2: days and times that do not exist anywhere are no local times", () => {
  const bad: [string, string][] = [
    ["2027-02-29", "12:00"],
    ["2027-04-31", "12:00"],
    ["2027-13-01", "12:00"],
    ["2027-01-01", "24:00"],
    ["2027-01-01", "12:60"],
    ["2027-1-1", "12:00"],
    ["2027-01-01", "5 pm"],
  ];
  for (const [date, time] of bad) {
    expect(isLocalTime({ date, time }), `${date} ${time}`).toBe(false);
    expect(() => resolveLocal("UTC", { date, time })).toThrow(RangeError);
  }
  expect(isLocalTime({ date: "2028-02-29", time: "23:59:59" })).toBe(true);
});

test("TM-2: only RFC 3339 in UTC is an instant", () => {
  for (const text of [
    "2027-01-01",
    "2027-01-01T00:00:00",
    "2027-01-01T00:00:00+01:00",
    "2027-02-29T00:00:00Z",
    "now",
    "",
  ]) {
    expect(() => epochOf(text), text).toThrow(RangeError);
  }
  expect(instantOf(epochOf("2027-01-01T00:00:00.000Z"))).toBe("2027-01-01T00:00:00Z");
  expect(instantOf(epochOf("2027-01-01T00:00:00.250Z"))).toBe("2027-01-01T00:00:00.250Z");
});

test("TM-1: letters come from the shipped rules, and a zone without letters says its offset", () => {
  expect(abbreviationAt("Europe/Berlin", "2026-12-18T16:00:00Z")).toBe("CET");
  expect(abbreviationAt("Europe/Istanbul", "2026-12-18T14:00:00Z")).toBe("UTC+03");
  expect(abbreviationAt("Asia/Kathmandu", "2026-12-18T14:00:00Z")).toBe("UTC+05:45");
  expect(abbreviationAt("America/Sao_Paulo", "2026-12-18T14:00:00Z")).toBe("UTC\u221203");
  expect(offsetText(-210)).toBe("-03:30");
});

test("TM-5: a day later is the same time on the wall, across both changes of the clock", () => {
  expect(addDays("Europe/Berlin", "2027-03-27T08:00:00Z", 1)).toBe("2027-03-28T07:00:00Z");
  expect(addDays("Europe/Berlin", "2027-10-30T07:00:00Z", 1)).toBe("2027-10-31T08:00:00Z");
  expect(addDays("Europe/Berlin", "2027-03-31T15:00:00Z", -7)).toBe("2027-03-24T16:00:00Z");
  expect(addDays("America/New_York", "2027-03-13T07:30:00Z", 1)).toBe("2027-03-14T07:00:00Z");
  expect(addDays("Europe/London", "2027-10-30T00:45:00.250Z", 1)).toBe("2027-10-31T00:45:00.250Z");
});

test("TM-2: in every zone each instant of the years ahead is found again from its local time", () => {
  const zones = fc.constantFrom(...zoneNames());
  const seconds = fc.integer({ min: epochOf("2026-01-01T00:00:00Z") / 1000, max: 2_240_000_000 });
  fc.assert(
    fc.property(zones, seconds, (zone, second) => {
      const instant = instantOf(second * 1000);
      const found = resolveLocal(zone, localOf(zone, instant));
      if (found.kind === "one") expect(found.instant).toBe(instant);
      else if (found.kind === "overlap") {
        expect([found.first.instant, found.second.instant]).toContain(instant);
        expect(epochOf(found.first.instant)).toBeLessThan(epochOf(found.second.instant));
      } else expect.fail("a time that the clocks show was called a gap");
    }),
    { numRuns: 1000, verbose: true },
  );
});

test("TM-2: at every change of every zone nothing lies between the neighbours of a gap", () => {
  const end = "2029-01-01T00:00:00Z";
  for (const zone of zoneNames()) {
    for (const change of changesBetween(zone, "2026-01-01T00:00:00Z", end)) {
      const before = localOf(zone, instantOf(epochOf(change) - 1000));
      const step = offsetAt(zone, change) - offsetAt(zone, instantOf(epochOf(change) - 1000));
      if (step <= 0) continue;
      const inside = Date.parse(`${before.date}T${before.time}Z`) + 1000 + (step * 60_000) / 2;
      const [date, time] = new Date(inside).toISOString().split("T") as [string, string];
      const found = resolveLocal(zone, { date, time: time.slice(0, 8) });
      expect(found, `${zone} ${change}`).toMatchObject({ kind: "gap", after: { instant: change } });
    }
  }
});
