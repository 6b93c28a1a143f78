import type { DecisionCode, DecisionOption } from "@/lib/domain/decision";
import type { DecisionFamily } from "@/lib/domain/decision-family";
import {
  decisionFactsOf,
  factsHash,
  familyOfMatter,
  lookPhaseOf,
  type Matter,
  subjectOf,
} from "@/lib/domain/decision-matter";
import { decisionOptions } from "@/lib/domain/decision-options";
import { decisionVerdict } from "@/lib/domain/decision-verdict";
import type { Observation } from "@/lib/domain/observation";
import type { Role } from "@/lib/domain/role";

export type LastRead = "agrees" | "disagrees" | null;

/** What can be decided about an item now, and what the newest read says of each option. */
export interface OfferedDecisions {
  readonly family: DecisionFamily;
  readonly options: readonly DecisionOption[];
  /** By option: whether the newest stored read agrees; null where none is asked for or it says nothing. */
  readonly lastRead: Readonly<Partial<Record<DecisionCode, LastRead>>>;
  /** Names these facts; a decision carries it, so that nobody decides about facts that have moved on. */
  readonly factsHash: string;
}

/** The decisions that an item offers to somebody of this role, from facts that were read in one transaction. */
export function offeredDecisions(
  matter: Matter,
  role: Role | null,
  newest: { readonly observation: Observation; readonly startedAt: Date } | null,
): OfferedDecisions {
  const options = decisionOptions(decisionFactsOf(matter, role));
  const lastRead = Object.fromEntries(
    options
      .filter(({ needsRead }) => needsRead)
      .map(({ code }) => [code, newest === null ? null : saidOf(code, matter, newest)]),
  );
  return { family: familyOfMatter(matter), options, lastRead, factsHash: factsHash(matter) };
}

/** The same judgement as a fresh read's, of a stored one; it decides nothing. */
function saidOf(
  code: DecisionCode,
  matter: Matter,
  { observation, startedAt }: { readonly observation: Observation; readonly startedAt: Date },
): LastRead {
  const subject = subjectOf(matter, null);
  if (subject === null || code === "keep_one") return null;
  const phase = lookPhaseOf(matter, startedAt.getTime());
  const verdict = decisionVerdict(code, subject, phase, observation);
  return verdict.kind === "unreadable" ? null : verdict.kind;
}
