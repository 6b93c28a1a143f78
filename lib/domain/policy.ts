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
};

export interface VersionedPolicy {
  readonly version: number;
  readonly policy: Policy;
}

/** The policy of version 1 that every tenant begins with. */
export const FIRST_POLICY: VersionedPolicy = { version: 1, policy: DEFAULT_POLICY };

/** True when a member of this role may propose; keys are asked for their scope instead. */
export function policyLetsPropose(policy: Policy, role: Role): boolean {
  return policy.proposerRoles.includes(role);
}

/** True when a member of this role may approve. */
export function policyLetsApprove(policy: Policy, role: Role): boolean {
  return policy.approverRoles.includes(role);
}
