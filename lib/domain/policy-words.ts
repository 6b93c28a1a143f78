import type { OperationKind } from "./operation";
import type { Policy } from "./policy";
import type { FieldProblem } from "./refusal";
import { ROLE_LABELS, type Role } from "./role";

/** The kinds whose policy can be edited; signing comes with its own rules. */
export const POLICY_KINDS = [
  "send",
  "resend",
  "remind",
  "extend",
  "expire",
  "void",
] as const satisfies readonly OperationKind[];

export type PolicyKind = (typeof POLICY_KINDS)[number];

export type PolicyField = keyof Policy;

const EVERY_KIND = [
  "proposerRoles",
  "approverRoles",
  "fourEyes",
  "quorum",
  "validityHours",
] as const satisfies readonly PolicyField[];

const OF_KIND: Partial<Record<OperationKind, readonly PolicyField[]>> = {
  send: ["lateSignature"],
  remind: ["reminderOwner", "everyDays", "atTime", "minIntervalHours"],
  extend: ["sameStatus", "toleranceMinutes"],
  expire: ["automatic", "sameStatus"],
};

/** The rules that mean something for a kind, in the order in which they are shown. */
export function rulesOf(kind: OperationKind): readonly PolicyField[] {
  return [...EVERY_KIND, ...(OF_KIND[kind] ?? [])];
}

export const POLICY_LABELS: Record<PolicyField, string> = {
  proposerRoles: "Who may propose",
  approverRoles: "Who may approve",
  fourEyes: "Proposer and approver are different people",
  quorum: "Approvals needed",
  validityHours: "A proposal waits for its approvals",
  lateSignature: "Signature after the business deadline",
  automatic: "Closed by itself at the business deadline",
  reminderOwner: "Who reminds unless the send says otherwise",
  everyDays: "Planned reminders",
  atTime: "Hour of planned reminders, in the request's zone",
  minIntervalHours: "Least time between two contacts with one signer",
  toleranceMinutes: "Platform expiry and business deadline may differ by",
  sameStatus: "Only while the request has the status that was approved",
};

/** The value of one rule in plain words. */
export function ruleWords(policy: Policy, field: PolicyField): string {
  switch (field) {
    case "proposerRoles":
    case "approverRoles":
      return rolesInWords(policy[field]);
    case "fourEyes":
    case "automatic":
    case "sameStatus":
      return policy[field] ? "yes" : "no";
    case "quorum":
      return counted(policy.quorum, "person", "people");
    case "validityHours":
    case "minIntervalHours":
      return counted(policy[field], "hour", "hours");
    case "lateSignature":
      return LATE_SIGNATURE[policy.lateSignature];
    case "reminderOwner":
      return policy.reminderOwner === "platform" ? "the platform" : "this console";
    case "everyDays":
      return policy.everyDays === null
        ? "none"
        : `every ${counted(policy.everyDays, "day", "days")}`;
    case "atTime":
      return policy.atTime;
    case "toleranceMinutes":
      return counted(policy.toleranceMinutes, "minute", "minutes");
  }
}

export const LATE_SIGNATURE: Record<Policy["lateSignature"], string> = {
  refuse: "refuse",
  accept_with_review: "accept with review",
  case_by_case: "case by case",
};

export interface ChangedRule {
  readonly field: PolicyField;
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

/** What saving would change for a kind, old and new in words; empty when nothing. */
export function changedRules(
  kind: OperationKind,
  before: Policy,
  after: Policy,
): readonly ChangedRule[] {
  return rulesOf(kind)
    .map((field) => ({
      field,
      label: POLICY_LABELS[field],
      before: ruleWords(before, field),
      after: ruleWords(after, field),
    }))
    .filter((rule) => rule.before !== rule.after);
}

/** Roles that can approve at all: the permission comes before the policy. */
const APPROVING: readonly Role[] = ["account_manager", "on_call"];
const PROPOSING: readonly Role[] = ["account_manager"];

/** What makes a policy one that nobody could meet; empty when it can be met. */
export function policyProblems(policy: Policy): readonly FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (!policy.approverRoles.some((role) => APPROVING.includes(role))) {
    const sentence = "Choose at least one of: account manager, on-call engineer.";
    problems.push({ path: "policy.approverRoles", sentence });
  }
  if (!policy.proposerRoles.some((role) => PROPOSING.includes(role))) {
    problems.push({
      path: "policy.proposerRoles",
      sentence: "Account managers must be among them.",
    });
  }
  return problems;
}

function rolesInWords(roles: readonly Role[]): string {
  return [...roles]
    .sort()
    .map((role) => `${ROLE_LABELS[role]}s`)
    .join(", ");
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
