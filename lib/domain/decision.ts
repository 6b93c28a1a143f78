import type { RefusalCode } from "./refusal-words";

/** What a person can decide about a review item (RV-3). Which of them an item knows depends on its family. */
export const DECISION_CODES = [
  /** The platform shows what was approved: the operation ends `done`. */
  "applied",
  /** Nobody wants it any more: it ends `obsolete`. */
  "not_needed",
  /** A new proposal takes its place (ID-7). */
  "replace",
  /** Confirmed absent, and no further attempt: it ends `failed_terminal`. */
  "not_applied",
  /** The same operation tries again; only on proof of absence (RC-8). */
  "schedule_again",
  /** One of several requests with the same reference is kept, voids are proposed for the others. */
  "keep_one",
  /** The mirror takes the platform's present value. */
  "accept_platform",
  /** It was put right at the platform or by another change; a read must show it. */
  "corrected",
  /** The approved instant stays although newer zone rules would move it (TM-6). */
  "keep_instant",
  /** A late signature is taken as it is; the product states facts, never legal effect. */
  "accept_late",
  "refuse_late",
  /** The normal path once more: for events and for deliveries. */
  "replay",
  /** What was found is kept as evidence and changes nothing. */
  "keep_evidence",
  /** A delivery ends without being sent. */
  "close_without",
] as const;

export type DecisionCode = (typeof DECISION_CODES)[number];

/** Where a decision stands. Only `reading`, `confirming` and `second_person` keep others from deciding. */
export const DECISION_OUTCOMES = [
  /** A worker reads the platform or is about to. */
  "reading",
  /** The read agreed; the item is closed. */
  "proven",
  /** The read disagrees: nothing was decided, the difference is kept. */
  "refused_by_read",
  /** The platform could not be read: nothing was decided. */
  "unreadable",
  /** No read was free: nothing was decided; `possibleAt` says when one is (PL-7). */
  "budget_empty",
  /** Waits for a second person to confirm it against the read. */
  "second_person",
  /** Confirmed by a second person; a worker carries it out. */
  "confirming",
  /** Carried out against or without a read, by two people. */
  "overridden",
  /** The second person said no: nothing was decided. */
  "override_refused",
  /** A new proposal was begun; the item closes when that is approved and the old call can no longer land. */
  "proposal_open",
  /** The facts moved on before it could be carried out: nothing was decided. */
  "moved_on",
  /** A bulk decision was stopped before this item's turn. */
  "stopped",
] as const;

export type DecisionOutcome = (typeof DECISION_OUTCOMES)[number];

/** Outcomes in which an item has a decision under way: nobody else decides meanwhile. */
export const LIVE_OUTCOMES = [
  "reading",
  "second_person",
  "confirming",
] as const satisfies readonly DecisionOutcome[];

/** True while a worker still has to do something for it; the page asks again meanwhile. */
export function isWorking(outcome: DecisionOutcome): boolean {
  return outcome === "reading" || outcome === "confirming";
}

/** One decision as it is offered: all that the family knows are listed, closed ones with why (RV-3). */
export interface DecisionOption {
  readonly code: DecisionCode;
  readonly open: boolean;
  /** Why it is closed; null while it is open. */
  readonly closedBecause: RefusalCode | null;
  /** RC-8: from when on it opens by itself, RFC 3339; null when it is open or no such moment is known. */
  readonly opensAt: string | null;
  /** A fresh read of the platform decides whether it stands. */
  readonly needsRead: boolean;
  /** A second person may confirm it against the read. Never for `schedule_again`. */
  readonly overridable: boolean;
  /** No read can prove it: it goes to a second person at once. */
  readonly secondPerson: boolean;
  /** `choose` one of the matches, or `enter` the platform's reference by hand; null when none is needed. */
  readonly reference: "choose" | "enter" | null;
}

/** How a decision of a bulk selection counts (RV-3). */
export type BulkResult = "waiting" | "proven" | "not_proven" | "not_attempted";

/** Proven, not proven or not attempted; `waiting` while its turn has not come or its read is under way. */
export function bulkResultOf(outcome: DecisionOutcome | null): BulkResult {
  switch (outcome) {
    case "reading":
    case "confirming":
      return "waiting";
    case "proven":
    case "overridden":
      return "proven";
    case "refused_by_read":
    case "second_person":
    case "override_refused":
      return "not_proven";
    case "unreadable":
    case "budget_empty":
    case "proposal_open":
    case "moved_on":
    case "stopped":
    case null:
      return "not_attempted";
  }
}

/** One line of the difference: what was expected beside what is known from each side. Instants are RFC 3339. */
export interface DifferenceRow {
  readonly field: string;
  readonly expected: string | null;
  readonly ledger: string | null;
  readonly platform: string | null;
  readonly webhook: string | null;
  /** True when what the platform shows is not what was expected. */
  readonly differs: boolean;
}
