import { expect, test } from "vitest";
import { quietUntil } from "./quiet-hours";

const NIGHT = { from: "22:00", until: "07:00" };

test("OB-2: quiet hours over midnight end on the next morning, or on this one", () => {
  expect(quietUntil("2026-12-01T21:30:00Z", "Europe/Berlin", NIGHT)).toBe("2026-12-02T06:00:00Z");
  expect(quietUntil("2026-12-02T03:00:00Z", "Europe/Berlin", NIGHT)).toBe("2026-12-02T06:00:00Z");
  expect(quietUntil("2026-12-02T06:00:00Z", "Europe/Berlin", NIGHT)).toBeNull();
  expect(quietUntil("2026-12-01T20:59:59Z", "Europe/Berlin", NIGHT)).toBeNull();
});

test("OB-2: quiet hours within a day hold from their first minute and not at their last", () => {
  const lunch = { from: "12:00", until: "13:00" };
  expect(quietUntil("2026-12-01T12:00:00Z", "UTC", lunch)).toBe("2026-12-01T13:00:00Z");
  expect(quietUntil("2026-12-01T13:00:00Z", "UTC", lunch)).toBeNull();
  expect(quietUntil("2026-12-01T12:30:00Z", "UTC", null)).toBeNull();
});

test("TM-2: an end that the clocks skip is where they go on, one that comes twice is its first time", () => {
  const skipped = { from: "22:00", until: "02:30" };
  expect(quietUntil("2027-03-28T00:00:00Z", "Europe/Berlin", skipped)).toBe("2027-03-28T01:00:00Z");
  expect(quietUntil("2027-10-30T23:00:00Z", "Europe/Berlin", skipped)).toBe("2027-10-31T00:30:00Z");
  // In the second pass of that hour the end lies behind.
  expect(quietUntil("2027-10-31T01:10:00Z", "Europe/Berlin", skipped)).toBeNull();
});
