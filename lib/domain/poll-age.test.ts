import { expect, test } from "vitest";
import { pollAgeMs } from "./poll-age";
import { sweepAgeMs } from "./sweep-age";

const NOW = new Date("2027-03-01T12:00:00Z");
const inHours = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);

test("IN-7: polling gets denser near a deadline and always comes before the sweep for drift", () => {
  const ages = [1, 12, 72, 1_000].map((hours) => pollAgeMs(NOW, inHours(hours)));
  expect(ages).toEqual([60_000, 360_000, 2_880_000, 8_640_000]);
  for (const earliest of [null, inHours(-1), inHours(3), inHours(400)]) {
    expect(pollAgeMs(NOW, earliest)).toBeLessThan(sweepAgeMs(NOW, earliest));
  }
});
