import { expect, test } from "vitest";
import { newestOf, possibleFrom } from "./contact";

const at = (clock: string) => new Date(`2026-11-30T${clock}:00Z`);

test("RM-2: the platform's own reminder counts, and one that shows our own contact keeps our name", () => {
  const ours = { at: at("10:00"), source: "manual" as const };
  expect(newestOf(null, null)).toBeNull();
  expect(newestOf(ours, null)).toEqual(ours);
  expect(newestOf(null, at("09:00"))).toEqual({ at: at("09:00"), source: "platform" });
  expect(newestOf(ours, at("09:00"))).toEqual(ours);
  expect(newestOf(ours, at("10:04"))).toEqual({ at: at("10:04"), source: "manual" });
  expect(newestOf(ours, at("10:06"))).toEqual({ at: at("10:06"), source: "platform" });
});

test("RM-2: the next contact is possible from the end of the interval, to the millisecond", () => {
  const last = { at: at("10:00"), source: "elsewhere" as const };
  const end = new Date("2026-12-01T10:00:00Z");
  expect(possibleFrom(last, 24, new Date(end.getTime() - 1))).toEqual(end);
  expect(possibleFrom(last, 24, end)).toBeNull();
  expect(possibleFrom(last, 0, at("10:00"))).toBeNull();
  expect(possibleFrom(null, 24, at("10:00"))).toBeNull();
});
