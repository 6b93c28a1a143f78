import type { Policy } from "@/lib/domain/policy";
import { ROLE_LABELS } from "@/lib/domain/role";
import type { ProposeView } from "@/lib/queries/propose-page";

/** Who has to approve, what goes first, and what a kind that only shadows will not do. */
export function RuleLine({ view }: { readonly view: ProposeView }) {
  const waiting = view.open.filter(({ state }) => state !== "proposed").length;
  return (
    <>
      <p>
        {ruleSentence(view.rule)} Waiting before this:{" "}
        {waiting === 0
          ? "nothing."
          : `${waiting} open ${waiting === 1 ? "operation" : "operations"}.`}
      </p>
      {view.mode === "shadow" ? (
        <p>Shadow mode: everything but the call will happen. Nothing reaches the platform.</p>
      ) : null}
    </>
  );
}

/** "Approval: 1 account manager other than you, within 24 h." */
function ruleSentence(rule: Policy): string {
  const roles = rule.approverRoles.map((role) => ROLE_LABELS[role]).join(" or ");
  const who = `${rule.quorum} ${roles}${rule.quorum === 1 ? "" : "s"}`;
  return `Approval: ${who}${rule.fourEyes ? " other than you" : ""}, within ${rule.validityHours} h.`;
}
