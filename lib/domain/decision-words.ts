import type { DecisionCode, DecisionOutcome } from "./decision";
import type { DecisionFamily } from "./decision-family";

export interface DecisionWord {
  /** On the radio button. */
  readonly label: string;
  /** What must be so for it to stand. */
  readonly needs: string;
  /** Inside a sentence: "decided *recorded as applied*". */
  readonly decided: string;
  /** What the ledger will say, and what is not done at the platform. */
  readonly consequence: string;
  /** On the button that makes it. */
  readonly button: string;
}

const WORDS: Record<DecisionCode, DecisionWord> = {
  applied: {
    label: "Record as applied",
    needs: "needs a read that shows the target",
    decided: "recorded as applied",
    consequence:
      "The operation ends as confirmed. Nothing is sent. What waits for it on this request goes on.",
    button: "Read and record as applied",
  },
  not_needed: {
    label: "Record as no longer needed",
    needs: "needs a final status, or proof that nothing was applied",
    decided: "recorded as no longer needed",
    consequence:
      "The operation ends as no longer needed. Nothing is sent and nothing is taken back at the platform.",
    button: "Read and record as no longer needed",
  },
  replace: {
    label: "Replace by a new proposal",
    needs: "new approval; this one becomes Replaced",
    decided: "replaced by a new proposal",
    consequence:
      "A new proposal is begun and needs its own approval. The new one starts when this one can no longer take effect.",
    button: "Begin the new proposal",
  },
  not_applied: {
    label: "Record as not applied, stop",
    needs: "needs a read that shows the old value",
    decided: "recorded as not applied",
    consequence: "The operation ends as not applied, and no further attempt is made.",
    button: "Read and record as not applied",
  },
  schedule_again: {
    label: "Schedule again",
    needs: "needs proof that nothing was applied",
    decided: "scheduled again",
    consequence: "The same operation is carried out once more with the same identity.",
    button: "Read and schedule again",
  },
  keep_one: {
    label: "Keep one",
    needs: "needs a read that shows the one to keep",
    decided: "kept one of several",
    consequence:
      "For each other one a void is proposed; it needs its own approval and is not done by this step.",
    button: "Read and keep this one",
  },
  accept_platform: {
    label: "Take the platform's value as our mirror",
    needs: "needs a read",
    decided: "took the platform's value",
    consequence: "The ledger shows what the platform shows. Nothing is changed at the platform.",
    button: "Read and take the platform's value",
  },
  corrected: {
    label: "It was put right",
    needs: "needs a read that shows it",
    decided: "recorded as put right",
    consequence: "The item is closed. Nothing is changed at the platform.",
    button: "Read and record as put right",
  },
  keep_instant: {
    label: "Keep the approved instant",
    needs: "always possible",
    decided: "kept the approved instant",
    consequence: "The deadline stays at the instant that was approved.",
    button: "Keep the instant",
  },
  accept_late: {
    label: "Accept the late signature after review",
    needs: "always possible",
    decided: "accepted the late signature",
    consequence: "The request stays completed and marked late. No legal effect is stated.",
    button: "Record as accepted",
  },
  refuse_late: {
    label: "Refuse the late signature",
    needs: "always possible",
    decided: "refused the late signature",
    consequence:
      "The request stays completed and marked late; the refusal is recorded. Nothing is changed at the platform.",
    button: "Record as refused",
  },
  replay: {
    label: "Replay",
    needs: "the normal path decides",
    decided: "replayed",
    consequence: "It takes the normal path once more. What was applied before changes nothing.",
    button: "Replay",
  },
  keep_evidence: {
    label: "Keep as evidence without effect",
    needs: "changes nothing",
    decided: "kept as evidence",
    consequence: "What was found stays on record and changes nothing.",
    button: "Keep as evidence",
  },
  close_without: {
    label: "Stop and close without delivery",
    needs: "always possible",
    decided: "closed without delivery",
    consequence: "The dead deliveries end without being sent. Later ones of the request go on.",
    button: "Close without delivery",
  },
};

const OF_FAMILY: Partial<
  Record<DecisionFamily, Partial<Record<DecisionCode, Partial<DecisionWord>>>>
> = {
  input: {
    replay: {
      label: "Apply through the normal path",
      button: "Apply through the normal path",
    },
  },
  drift: { replace: { label: "Propose a correction", needs: "new approval" } },
  setting: { replace: { label: "Propose a change", needs: "new approval" } },
  zone_rules: { replace: { label: "Propose the new instant", needs: "new approval" } },
  notice: { keep_evidence: { label: "Looked into; nothing to change" } },
};

/** The words of a decision where it is offered: label, what it needs, what follows, and its button. */
export function decisionWord(code: DecisionCode, family: DecisionFamily): DecisionWord {
  return { ...WORDS[code], ...OF_FAMILY[family]?.[code] };
}

const NOTHING_APPLIED = "The read shows that nothing was applied.";
const THE_TARGET = "The read shows the target.";
const THIRD_VALUE = "The read shows neither the old value nor the target.";
const NOT_KNOWN = "The platform does not know it.";

const SHOWS: Readonly<Record<string, string>> = {
  effect_confirmed: THE_TARGET,
  effect_found_by_lookup: THE_TARGET,
  absence_proven: NOTHING_APPLIED,
  absence_confirmed_bound_reached: NOTHING_APPLIED,
  void_not_applied: NOTHING_APPLIED,
  resend_not_delivered: NOTHING_APPLIED,
  superseded: NOTHING_APPLIED,
  awaiting_quiescence: "The read came too early to prove that nothing was applied.",
  neither_old_nor_new: THIRD_VALUE,
  platform_ignored_expiry: THIRD_VALUE,
  effect_differs: "The read shows something else than what was approved.",
  request_completed_first: "The read shows that the request was completed.",
  request_declined_first: "The read shows that the request was declined.",
  request_expired_first: "The read shows that the request has expired.",
  request_voided_first: "The read shows that the request was voided.",
  possible_duplicate: "More than one request at the platform carries this reference.",
  missing_at_platform: NOT_KNOWN,
  found_then_missing: NOT_KNOWN,
  drift_missing: NOT_KNOWN,
  platform_also_reminds: "The read shows that the platform's own reminders are still on.",
  clocks_disagree: "The read shows that the two deadlines are still too far apart.",
};

/** What a read that did not agree shows instead, by the reason code of a look. */
export function showsWords(code: string): string {
  return SHOWS[code] ?? "The read does not decide the question.";
}

/** What came of a decision, as a head line. */
export const OUTCOME_WORDS: Record<DecisionOutcome, string> = {
  reading: "Reading the platform now. Nothing is being changed.",
  proven: "Decided, and a fresh read agreed.",
  refused_by_read: "The fresh read does not agree. Nothing was decided.",
  unreadable: "We could not read the platform. Nothing was decided.",
  budget_empty: "Nothing was decided, because it needs a fresh read and none is free.",
  second_person: "Waits for a second person. You cannot confirm it yourself.",
  confirming: "Confirmed by a second person; being carried out.",
  overridden: "Decided against or without a read, by two people.",
  override_refused: "The second person refused. Nothing was decided.",
  proposal_open: "A new proposal was begun.",
  moved_on: "The facts moved on meanwhile. Nothing was decided.",
  stopped: "Stopped before its turn.",
};
