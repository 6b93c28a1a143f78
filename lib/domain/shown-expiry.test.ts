import { expect, test } from "vitest";
import { descriptorOf } from "@/lib/providers/sandbox/descriptor";
import { SANDBOX_PROFILES } from "@/lib/providers/sandbox/profiles";
import { shownExpiry } from "./shown-expiry";

test("TM-3 C-24: what a platform will show is exact, rounded down to the hour, or not to be said before the call", () => {
  const target = "2027-03-31T15:45:10Z";
  const shown = (profile: keyof typeof SANDBOX_PROFILES) =>
    shownExpiry(target, descriptorOf(SANDBOX_PROFILES[profile]));
  expect(shown("exact")).toBe(target);
  expect(shown("hourly")).toBe("2027-03-31T15:00:00Z");
  expect(shown("relative_days")).toBeNull();
});
