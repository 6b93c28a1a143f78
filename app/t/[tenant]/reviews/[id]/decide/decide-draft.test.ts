import { describe, expect, it } from "vitest";
import type { DecisionOption } from "@/lib/domain/decision";
import { choiceProblem, NO_DRAFT, reachable } from "./decide-draft";

const OPEN: DecisionOption = {
  code: "applied",
  open: true,
  closedBecause: null,
  opensAt: null,
  needsRead: true,
  overridable: true,
  secondPerson: false,
  reference: null,
};

const REASON = "The platform's own list shows it.";

describe("the steps of a decision", () => {
  it("RV-3: an address cannot skip the choice or the reason", () => {
    expect(reachable(4, null, NO_DRAFT)).toBe(1);
    expect(reachable(4, OPEN, NO_DRAFT)).toBe(3);
    expect(reachable(4, OPEN, { ...NO_DRAFT, reason: "short" })).toBe(3);
    expect(reachable(4, OPEN, { ...NO_DRAFT, reason: REASON })).toBe(4);
    expect(reachable(9, OPEN, { ...NO_DRAFT, reason: REASON })).toBe(4);
  });

  it("RV-3: an option that closed while the form was open leads back to the choice", () => {
    const closed: DecisionOption = { ...OPEN, open: false, closedBecause: "decision_quarantined" };
    expect(reachable(4, closed, { ...NO_DRAFT, reason: REASON })).toBe(1);
    expect(choiceProblem(closed, NO_DRAFT)).toMatch(/not possible any more/);
  });

  it("RV-3: a reference that has to be chosen or entered is asked for first", () => {
    const choose: DecisionOption = { ...OPEN, code: "keep_one", reference: "choose" };
    const enter: DecisionOption = { ...OPEN, reference: "enter" };
    expect(choiceProblem(choose, NO_DRAFT)).toBe("Choose the one to keep.");
    expect(choiceProblem(enter, { ...NO_DRAFT, kept: "  " })).toMatch(/^Enter the platform's/);
    expect(choiceProblem(enter, { ...NO_DRAFT, kept: "env_1" })).toBeNull();
  });
});
