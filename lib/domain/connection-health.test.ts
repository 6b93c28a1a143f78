import { expect, test } from "vitest";
import { connectionHealth, type HealthFacts } from "./connection-health";

const at = (minute: number) => `2026-12-01T10:${String(minute).padStart(2, "0")}:00.000Z`;

const health = (outcomes: readonly string[], more: Partial<HealthFacts> = {}) =>
  connectionHealth({
    pausedReason: null,
    reads: outcomes.map((outcome, place) => ({ outcome, at: at(30 - place) })),
    readsUsed: 1,
    readsLimit: null,
    ...more,
  });

test("PL-3 PL-7: a connection's health is what reads showed; without any read it is not called well", () => {
  expect(health([])).toBeNull();
  expect(health(["read"])?.state).toBe("ok");
  expect(health(["not_found"])?.state).toBe("ok");
  expect(health(["unreadable", "unreadable", "read"])?.state).toBe("ok");
  expect(health(["unreadable", "unreadable", "unreadable", "read"])).toEqual({
    state: "silent",
    since: at(28),
  });
  expect(health(["declined", "read"])?.state).toBe("throttled");
  expect(health(["read"], { readsUsed: 90, readsLimit: 100 })?.state).toBe("budget_low");
  expect(health(["read"], { pausedReason: "credentials_refused" })?.state).toBe("refused");
  expect(health(["read"], { pausedReason: "typed" })?.state).toBe("ok");
});
