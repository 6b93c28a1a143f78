import { expect, test } from "vitest";
import { reasonProblem } from "./reason-text";

test("a reason cannot be empty, too short or too long", () => {
  expect(reasonProblem("   ")).toBe("Give a reason; it becomes part of the history.");
  expect(reasonProblem("because")).toBe("At least 10 characters; yours has 7.");
  expect(reasonProblem("x".repeat(2001))).toBe("At most 2000 characters; yours has 2001.");
  expect(reasonProblem("fine", { min: 4 })).toBeNull();
});

test.each([
  "Please write to jo@example.test again",
  "See https://example.test/contract",
  "Called them at +49 30 1234567 today",
])("PV-4: a reason with an address, a link or a phone number is refused: %s", (text) => {
  expect(reasonProblem(text)).toBe("Leave personal data out; the reason stays in the history.");
});

test("dates, times and references are no personal data", () => {
  expect(
    reasonProblem("Board meets on 2026-12-17 at 17:00; see req_7006 and op 7c1e4b09"),
  ).toBeNull();
});
