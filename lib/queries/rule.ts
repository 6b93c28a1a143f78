import { z } from "zod";

const Body = z.object({
  fourEyes: z.boolean().default(true),
  quorum: z.number().int().positive().default(1),
  validityHours: z.number().positive().default(24),
  approverRoles: z.array(z.string()).default(["account_manager"]),
  proposerRoles: z.array(z.string()).default(["account_manager"]),
});

/** Who may propose and approve, and for how long a proposal stays open (AP-2). */
export type ApprovalRule = z.infer<typeof Body>;

/** The rule of a stored policy; the strict default where none is stored. Throws for a body that is none. */
export function ruleOf(body: string | null): ApprovalRule {
  return Body.parse(body === null ? {} : JSON.parse(body));
}
