import type { OperationKind } from "@/lib/domain/operation";
import type { Policy } from "@/lib/domain/policy";
import { changedRules, policyProblems } from "@/lib/domain/policy-words";
import { Refusal } from "@/lib/domain/refusal";
import { recordControl } from "@/lib/store/control-events";
import { asTenant } from "@/lib/store/db";
import { insertPolicy, presentPolicy } from "@/lib/store/policies";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { permitPerson } from "./permit";

export interface PolicyWish {
  readonly kind: OperationKind;
  /** The version that the form showed and that this one follows. */
  readonly editedVersion: number;
  readonly policy: Policy;
}

export interface PolicySaved {
  readonly kind: OperationKind;
  /** The version that holds for new proposals now. */
  readonly version: number;
}

/**
 * Writes the next version of a kind's policy (AP-2); earlier ones stay, and what is proposed already keeps its own. A
 * wish that changes nothing writes nothing. Throws Refusal `not_permitted`, `fields_unusable` for a policy that nobody
 * could meet, and `policy_changed` when the edited version is not the present one any more.
 */
export async function savePolicy(
  ctx: ConsoleContext,
  actor: Actor,
  { kind, editedVersion, policy }: PolicyWish,
): Promise<PolicySaved> {
  const person = permitPerson(actor, "policy.save");
  const problems = policyProblems(policy);
  if (problems.length > 0) throw new Refusal("fields_unusable", { fields: problems });
  const { tenantId } = actor;
  return asTenant(ctx.db, tenantId, async (tx) => {
    const present = await presentPolicy(tx, tenantId, kind);
    const changed = changedRules(kind, present.policy, policy);
    if (present.version === editedVersion && changed.length === 0)
      return { kind, version: editedVersion };
    const version = editedVersion + 1;
    const accountId = person.accountId;
    const written =
      present.version === editedVersion &&
      (await insertPolicy(tx, { tenantId, kind, version, policy, accountId }));
    if (!written) {
      const { version: newest } = await presentPolicy(tx, tenantId, kind);
      const n = Math.max(newest, version);
      throw new Refusal("policy_changed", { values: { n }, extensions: { version: n } });
    }
    await recordControl(tx, tenantId, {
      kind: "policy_saved",
      about: `policy:${kind}`,
      actor: actorName(actor),
      body: { version, changed: changed.map(({ field }) => field) },
    });
    return { kind, version };
  });
}
