import { z } from "zod";
import { ROLES, type Role } from "./role";

/** Who may propose and approve one kind of operation, as versioned data per tenant (AP-2). */
export const PolicySchema = z.strictObject({
  /** Proposer and last editor may not approve; people are counted, not credentials. */
  fourEyes: z.boolean(),
  /** Approvals by different people that are needed. */
  quorum: z.number().int().min(1).max(10),
  /** How long a proposal waits for its approvals before it expires and says so. */
  validityHours: z.number().int().min(1).max(720),
  approverRoles: z.array(z.enum(ROLES)).min(1),
  proposerRoles: z.array(z.enum(ROLES)).min(1),
  /** Kind `send`: what happens to a signature after the business deadline (IN-5). */
  lateSignature: z.enum(["refuse", "accept_with_review", "case_by_case"]).default("case_by_case"),
  /** Kind `expire`: whether a request is closed by itself at its business deadline. */
  automatic: z.boolean().default(false),
  /** Kind `remind`: who reminds unless the send says otherwise (RM-1). */
  reminderOwner: z.enum(["platform", "application"]).default("application"),
  /** Kind `remind`: days between planned reminders; null plans none. */
  everyDays: z.number().int().min(1).max(90).nullable().default(null),
  /** Kind `remind`: the hour of planned reminders in the request's zone, as `HH:MM` (TM-5). */
  atTime: z
    .string()
    .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/)
    .default("09:00"),
  /** Kind `remind`: the least time between two contacts with one signer, from any source (RM-2). */
  minIntervalHours: z.number().int().min(0).max(720).default(24),
  /** Kind `extend`: how far platform expiry and business deadline may differ before somebody is told (TM-1). */
  toleranceMinutes: z.number().int().min(0).max(44_640).default(1440),
  /** Kinds `extend` and `expire`: whether progress among open statuses since the approval stops it (PL-5). */
  sameStatus: z.boolean().default(false),
});

export type Policy = z.infer<typeof PolicySchema>;

/** What holds for a kind until a tenant writes a policy of its own. */
export const DEFAULT_POLICY: Policy = {
  fourEyes: true,
  quorum: 1,
  // A working day and the night around it: long enough for another time zone, short enough to be remembered.
  validityHours: 24,
  approverRoles: ["account_manager"],
  proposerRoles: ["account_manager"],
  lateSignature: "case_by_case",
  automatic: false,
  reminderOwner: "application",
  everyDays: null,
  atTime: "09:00",
  minIntervalHours: 24,
  toleranceMinutes: 1440,
  sameStatus: false,
};

export interface VersionedPolicy {
  readonly version: number;
  readonly policy: Policy;
}

/** The policy of version 1 that every tenant begins with. */
export const FIRST_POLICY: VersionedPolicy = { version: 1, policy: DEFAULT_POLICY };

/** The rules for one decision that has to meet two policies: whoever decides must be allowed by both. */
export function bothPolicies(one: Policy, other: Policy): Policy {
  return {
    ...one,
    fourEyes: one.fourEyes || other.fourEyes,
    quorum: Math.max(one.quorum, other.quorum),
    approverRoles: one.approverRoles.filter((role) => other.approverRoles.includes(role)),
  };
}

/** True when a member of this role may propose; keys are asked for their scope instead. */
export function policyLetsPropose(policy: Policy, role: Role): boolean {
  return policy.proposerRoles.includes(role);
}

/** True when a member of this role may approve. */
export function policyLetsApprove(policy: Policy, role: Role): boolean {
  return policy.approverRoles.includes(role);
}
