import { describe, expect, it } from "vitest";
import { untilOf, untilOptions } from "./until";

const NOW = "2026-12-01T02:00:00.000Z";
const IN_TWO_HOURS = Date.parse("2026-12-01T04:00:00.000Z");

describe("how long an item is held back", () => {
  it("RV-4: a length that outlasts what the item allows is listed and closed", () => {
    expect(untilOptions(["30m", "1h", "4h"], NOW, IN_TWO_HOURS).map(({ open }) => open)).toEqual([
      true,
      true,
      false,
    ]);
  });

  it("RV-4: a moment of one's own is read as UTC, and one that has passed or comes too late is refused", () => {
    const own = (moment: string) => untilOf({ choice: "own", moment }, NOW, IN_TWO_HOURS);
    expect(own("2026-12-01T03:30")).toEqual({ until: "2026-12-01T03:30:00Z" });
    expect(own("2026-12-01T01:59")).toEqual({ problem: "This moment has passed." });
    expect(own("2026-12-01T04:01")).toEqual({
      problem: "At most 2 h from now: it must come back before something is lost.",
    });
    expect(own("")).toEqual({ problem: "Give a date and a time." });
  });
});
