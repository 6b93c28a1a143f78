import { expect, test } from "vitest";
import { DEFAULT_POLICY, PolicySchema } from "./policy";
import { changedRules, POLICY_KINDS, policyProblems, rulesOf, ruleWords } from "./policy-words";

test("AP-2: every rule of a policy is shown with some kind, in words", () => {
  const shown = new Set(POLICY_KINDS.flatMap((kind) => rulesOf(kind)));
  expect([...shown].sort()).toEqual(Object.keys(PolicySchema.shape).sort());
  for (const field of shown) expect(ruleWords(DEFAULT_POLICY, field)).not.toBe("");
});

test("old and new of a change stand side by side, for the rules of the kind only", () => {
  const next = { ...DEFAULT_POLICY, everyDays: 3, quorum: 2, automatic: true };
  expect(
    changedRules("remind", DEFAULT_POLICY, next).map(({ before, after }) => [before, after]),
  ).toEqual([
    ["1 person", "2 people"],
    ["none", "every 3 days"],
  ]);
  expect(changedRules("void", DEFAULT_POLICY, DEFAULT_POLICY)).toEqual([]);
});

test("AP-2: the order in which roles were chosen changes nothing", () => {
  const [one, other] = [
    { ...DEFAULT_POLICY, approverRoles: ["on_call" as const, "account_manager" as const] },
    { ...DEFAULT_POLICY, approverRoles: ["account_manager" as const, "on_call" as const] },
  ];
  expect(changedRules("extend", one, other)).toEqual([]);
});

test("a policy that nobody could meet names the rule", () => {
  const nobody = {
    ...DEFAULT_POLICY,
    approverRoles: ["admin" as const],
    proposerRoles: ["on_call" as const],
  };
  expect(policyProblems(nobody).map(({ path }) => path)).toEqual([
    "policy.approverRoles",
    "policy.proposerRoles",
  ]);
  expect(policyProblems(DEFAULT_POLICY)).toEqual([]);
});
