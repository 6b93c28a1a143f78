import { kindNoun } from "@/lib/domain/asked";

/** A rule as it stands in the form. Null fits everything. */
export interface RuleDraft {
  /** Names the row on this page; a rule that exists has its own id. */
  readonly id: string;
  readonly reason: string | null;
  readonly kind: string | null;
  readonly connectionId: string | null;
  readonly owner: string;
  readonly escalateTo: string | null;
  /** Text while it is typed; empty for the age limit itself. */
  readonly escalateAfterMinutes: string;
}

/** "reason drift_expiry · extension · sbx-1", or "everything". */
export function whenWords(
  rule: Pick<RuleDraft, "reason" | "kind" | "connectionId">,
  connections: readonly { readonly id: string; readonly name: string }[],
): string {
  const parts = [
    rule.reason === null ? null : `reason ${rule.reason}`,
    rule.kind === null ? null : kindNoun(rule.kind),
    rule.connectionId === null
      ? null
      : `on ${connections.find(({ id }) => id === rule.connectionId)?.name ?? "a connection"}`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? "everything" : parts.join(" · ");
}

/** Moves the rule at a place up or down; the first that fits wins. */
export function moved<Rule>(rules: readonly Rule[], place: number, by: 1 | -1): readonly Rule[] {
  const other = place + by;
  const [here, there] = [rules[place], rules[other]];
  if (here === undefined || there === undefined) return rules;
  return rules.map((rule, at) => (at === place ? there : at === other ? here : rule));
}
