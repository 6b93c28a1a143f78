import { ownerFor } from "./owner";
import { opensReview, REASON_CODES, type ReasonCode, reasonWord } from "./reason";
import { accountOf, isTeam, type Team } from "./team";

/** What a rule asks for; null fits everything. */
export interface RoutingMatch {
  readonly reason: string | null;
  readonly kind: string | null;
  readonly connectionId: string | null;
}

/** One line of the routing table: the first that fits gives an item its owner (RV-1). */
export interface RoutingRule extends RoutingMatch {
  /** `account:<uuid>` or a team. */
  readonly owner: string;
  /** Who is told when the age limit is passed; null for the usual line. */
  readonly escalateTo: string | null;
  /** Escalates sooner than at the age limit; null for the limit itself. */
  readonly escalateAfterMinutes: number | null;
}

/** What routing knows of an item. */
export interface RoutedItem {
  readonly reason: string;
  readonly kind: string | null;
  readonly connectionId: string | null;
}

/** The first rule that fits an item; null when none does and the reason's own owner has it. */
export function firstMatch<Rule extends RoutingMatch>(
  rules: readonly Rule[],
  item: RoutedItem,
): Rule | null {
  const fits = (wanted: string | null, found: string | null) => wanted === null || wanted === found;
  return (
    rules.find(
      ({ reason, kind, connectionId }) =>
        fits(reason, item.reason) && fits(kind, item.kind) && fits(connectionId, item.connectionId),
    ) ?? null
  );
}

/** The reasons that open a review item, and so need an owner. */
export const ROUTED_REASONS: readonly ReasonCode[] = REASON_CODES.filter(opensReview);

/** The team that has a reason when no rule fits and no person stands behind the item. */
export function defaultTeamOf(reason: ReasonCode): Team {
  const owner = ownerFor(reasonWord(reason).owner, {
    proposer: null,
    approver: null,
    requestOwner: null,
    connectionOwner: "",
  });
  return isTeam(owner) ? owner : "team:on-call";
}

/** Who can be reached at all: active members, and teams that have one. */
export interface Reachable {
  readonly accounts: ReadonlySet<string>;
  readonly teams: ReadonlySet<string>;
}

/** True when somebody stands behind the owner. */
export function isReachable(owner: string, { accounts, teams }: Reachable): boolean {
  const account = accountOf(owner);
  return account === null ? teams.has(owner) : accounts.has(account);
}

/**
 * Reasons that this rule set would leave without anybody: the rule that takes all of a reason, or its own owner where
 * none does, leads to nobody. Such a set is not saved (RV-1).
 */
export function unownedReasons(
  rules: readonly Pick<RoutingRule, "owner" | keyof RoutingMatch>[],
  reachable: Reachable,
): readonly ReasonCode[] {
  return ROUTED_REASONS.filter((reason) => {
    const whole = rules.find(
      (rule) =>
        rule.kind === null &&
        rule.connectionId === null &&
        (rule.reason === null || rule.reason === reason),
    );
    return !isReachable(whole?.owner ?? defaultTeamOf(reason), reachable);
  });
}
