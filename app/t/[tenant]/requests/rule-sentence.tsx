import type { Policy } from "@/lib/domain/policy";
import { ROLE_LABELS } from "@/lib/domain/role";

interface RuleSentenceProps {
  readonly rule: Policy;
  readonly mode: string;
}

/** Who has to approve, and what a kind that only shadows will not do (AP-2, GO-1). */
export function RuleSentence({ rule, mode }: RuleSentenceProps) {
  const roles = rule.approverRoles.map((role) => ROLE_LABELS[role]).join(" or ");
  const who = `${rule.quorum} ${roles}${rule.quorum === 1 ? "" : "s"}`;
  return (
    <>
      <p>
        Approval: {who}
        {rule.fourEyes ? " other than you" : ""}, within {rule.validityHours} h.
      </p>
      {mode === "shadow" ? (
        <p>Shadow mode: everything but the call will happen. Nothing reaches the platform.</p>
      ) : null}
    </>
  );
}
