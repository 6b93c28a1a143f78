import { isReasonCode } from "@/lib/domain/reason";
import { type FieldProblem, Refusal } from "@/lib/domain/refusal";
import type { Role } from "@/lib/domain/role";
import {
  isReachable,
  type Reachable,
  type RoutingRule,
  unownedReasons,
} from "@/lib/domain/routing";
import { teamOf } from "@/lib/domain/team";
import { recordControl } from "@/lib/store/control-events";
import { asTenant, type Tx } from "@/lib/store/db";
import {
  activeMembers,
  lockRouting,
  type RoutingRuleRow,
  replaceRules,
  rulesInForce,
} from "@/lib/store/routing";
import { type Actor, actorName, type ConsoleContext } from "./context";
import { permitPerson } from "./permit";

/** A rule of the set that shall hold; one that is in force already is named by its id. */
export type WantedRule = RoutingRule & { readonly id?: string | null | undefined };

export interface RoutingWish {
  readonly rules: readonly WantedRule[];
  /** The ids of the rules that the form showed, in their order. */
  readonly seen: readonly string[];
}

/**
 * Puts a set of routing rules in force (RV-1). Open items that no person assigned follow with the next alert pass. A set
 * that changes nothing records nothing. Throws Refusal `not_permitted`; `routing_changed` when somebody saved other
 * rules since the form was shown; `fields_unusable` for a rule that leads to nobody or asks for what does not exist;
 * `routing_unowned` when a reason would be left without anybody.
 */
export async function saveRouting(
  ctx: ConsoleContext,
  actor: Actor,
  wish: RoutingWish,
): Promise<{ readonly rules: readonly RoutingRuleRow[] }> {
  const person = permitPerson(actor, "routing.save");
  const { tenantId } = actor;
  return asTenant(ctx.db, tenantId, async (tx) => {
    await lockRouting(tx, tenantId);
    const present = await rulesInForce(tx, tenantId);
    if (present.map(({ id }) => id).join() !== wish.seen.join()) {
      throw new Refusal("routing_changed");
    }
    await refuseUnusable(tx, tenantId, wish.rules);
    const rules = wish.rules.map((rule) => ({ ...rule, id: keptId(rule, present) }));
    const same =
      rules.length === present.length && rules.every(({ id }, at) => id === present[at]?.id);
    if (same) return { rules: present };
    await replaceRules(tx, tenantId, person.accountId, rules);
    const kept = rules.filter(({ id }) => id !== null).length;
    await recordControl(tx, tenantId, {
      kind: "routing_saved",
      about: "the routing of review items",
      actor: actorName(actor),
      body: { rules: rules.length, added: rules.length - kept, retired: present.length - kept },
    });
    return { rules: await rulesInForce(tx, tenantId) };
  });
}

/** The id of a rule that stays as it is; null for a new or a changed one, so that items always name what moved them. */
function keptId(rule: WantedRule, present: readonly RoutingRuleRow[]): string | null {
  const held = present.find(({ id }) => id === rule.id);
  const same =
    held !== undefined &&
    held.reason === rule.reason &&
    held.kind === rule.kind &&
    held.connectionId === rule.connectionId &&
    held.owner === rule.owner &&
    held.escalateTo === rule.escalateTo &&
    held.escalateAfterMinutes === rule.escalateAfterMinutes;
  return same ? held.id : null;
}

/** Everybody who can be reached in a tenant: active members, and teams that have one. */
export async function reachableIn(tx: Tx, tenantId: string): Promise<Reachable> {
  const members = await activeMembers(tx, tenantId);
  return {
    accounts: new Set(members.map(({ accountId }) => accountId)),
    teams: new Set(members.map(({ role }) => teamOf(role as Role))),
  };
}

async function refuseUnusable(
  tx: Tx,
  tenantId: string,
  rules: readonly WantedRule[],
): Promise<void> {
  const reachable = await reachableIn(tx, tenantId);
  const connections = await tx.connection.findMany({ where: { tenantId }, select: { id: true } });
  const ids = new Set(connections.map(({ id }) => id));
  const fields = rules.flatMap((rule, at) => problemsOf(rule, at, reachable, ids));
  if (fields.length > 0) throw new Refusal("fields_unusable", { fields });
  const unowned = unownedReasons(rules, reachable);
  if (unowned.length === 0) return;
  throw new Refusal("routing_unowned", {
    values: { reasons: unowned.join(", ") },
    extensions: { reasons: [...unowned] },
  });
}

function problemsOf(
  rule: WantedRule,
  at: number,
  reachable: Reachable,
  connections: ReadonlySet<string>,
): readonly FieldProblem[] {
  const problems: FieldProblem[] = [];
  const problem = (field: string, sentence: string) =>
    problems.push({ path: `rules.${at}.${field}`, sentence });
  const nobody = "Nobody stands behind this. Choose an active member, or a team that has one.";
  if (!isReachable(rule.owner, reachable)) problem("owner", nobody);
  if (rule.escalateTo !== null && !isReachable(rule.escalateTo, reachable)) {
    problem("escalateTo", nobody);
  }
  if (rule.reason !== null && !isReasonCode(rule.reason)) {
    problem("reason", "There is no such reason.");
  }
  if (rule.connectionId !== null && !connections.has(rule.connectionId)) {
    problem("connectionId", "There is no such connection.");
  }
  return problems;
}
