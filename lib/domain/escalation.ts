import { type Team, teamOf } from "./team";

/** Who stands behind an item, from its owner on. */
export interface EscalationFacts {
  /** `account:<uuid>` or `team:<name>`. */
  readonly owner: string;
  /** The team behind the owner. */
  readonly team: string;
  /** The contact that a routing rule names; null where none does. */
  readonly escalateTo: string | null;
}

const ON_CALL: Team = teamOf("on_call");
const ADMINS: Team = teamOf("admin");

/**
 * Who is told one after the other while nobody acts: the owner, the rule's contact, the owner's team, those on call,
 * the admins. Nobody stands in it twice and it is never empty, so an alert always has somebody to go to (RV-1).
 */
export function escalationLine({ owner, team, escalateTo }: EscalationFacts): readonly string[] {
  const line = [owner, ...(escalateTo === null ? [] : [escalateTo]), team, ON_CALL, ADMINS];
  return [...new Set(line)];
}

/** Who is told at the n-th escalation, counted from 1; at the end of the line it stays with the last. */
export function escalatedTo(facts: EscalationFacts, nth: number): string {
  const line = escalationLine(facts);
  return line[Math.min(nth, line.length - 1)] ?? ADMINS;
}
