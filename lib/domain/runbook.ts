import { isReasonCode, REASON_CODES, reasonWord } from "./reason";
import type { ReasonGroup } from "./reason-words";
import { REFUSALS, type RefusalCode } from "./refusal-words";
import { ALERT_RUNBOOKS } from "./runbook-alerts";
import { ENDED_RUNBOOKS } from "./runbook-ended";
import type { Runbook } from "./runbook-entry";
import { INPUT_RUNBOOKS } from "./runbook-input";
import { QUARANTINE_RUNBOOKS } from "./runbook-quarantined";
import { REFUSAL_RUNBOOKS } from "./runbook-refusals";
import { REVIEW_RUNBOOKS } from "./runbook-review";
import { UNKNOWN_RUNBOOKS } from "./runbook-unknown";
import { STEP_RUNBOOKS, WAITING_RUNBOOKS } from "./runbook-waiting";

export const REASON_RUNBOOKS = {
  ...WAITING_RUNBOOKS,
  ...STEP_RUNBOOKS,
  ...UNKNOWN_RUNBOOKS,
  ...ENDED_RUNBOOKS,
  ...QUARANTINE_RUNBOOKS,
  ...REVIEW_RUNBOOKS,
  ...INPUT_RUNBOOKS,
} as const;

const ALL: Readonly<Record<string, Runbook>> = {
  ...REASON_RUNBOOKS,
  ...REFUSAL_RUNBOOKS,
  ...ALERT_RUNBOOKS,
};

/** The section for a reason code, a refusal or an alert; null where none is written, as for a code of a later release. */
export function runbookOf(code: string): Runbook | null {
  return Object.hasOwn(ALL, code) ? (ALL[code] ?? null) : null;
}

export interface RunbookChapter {
  /** Name of its file in docs/runbooks, without the ending. */
  readonly file: string;
  readonly title: string;
  readonly note: string;
  readonly codes: readonly string[];
}

function ofGroup(group: ReasonGroup): readonly string[] {
  return REASON_CODES.filter((code) => reasonWord(code).group === group);
}

/** Every section, in the order in which people look for them. */
export const RUNBOOK_CHAPTERS: readonly RunbookChapter[] = [
  {
    file: "alerts",
    title: "Alerts",
    note: "The rules of docs/alerts.yml.",
    codes: Object.keys(ALERT_RUNBOOKS),
  },
  {
    file: "quarantined",
    title: "Quarantined: facts conflict",
    note: "Review items: what the platform shows is not what was approved.",
    codes: ofGroup("quarantined"),
  },
  {
    file: "needs-review",
    title: "Needs review: the evidence is ambiguous",
    note: "Review items: a person has to decide.",
    codes: ofGroup("review"),
  },
  {
    file: "input",
    title: "Events, drift, time and deliveries",
    note: "Review items about what comes in, what goes out and what moved by itself.",
    codes: ofGroup("input"),
  },
  {
    file: "unknown",
    title: "Unknown",
    note: "Completion could not be confirmed; the ledger looks by itself.",
    codes: ofGroup("unknown"),
  },
  {
    file: "waiting",
    title: "Waiting",
    note: "What an operation waits for; no review item.",
    codes: ofGroup("waiting"),
  },
  {
    file: "steps",
    title: "Ordinary steps",
    note: "Entries of timelines.",
    codes: ofGroup("transition"),
  },
  { file: "ended", title: "How it ended", note: "Final states.", codes: ofGroup("ended") },
  {
    file: "refusals",
    title: "Refused while deciding",
    note: "What the console answers, with nothing changed.",
    codes: Object.keys(REFUSAL_RUNBOOKS),
  },
];

/** The sentence that people see with the code, its values left out; null for alerts, whose summary is in their rule. */
export function shownWith(code: string): string | null {
  if (isReasonCode(code)) return withoutValues(reasonWord(code).sentence);
  if (!Object.hasOwn(REFUSALS, code)) return null;
  return withoutValues(REFUSALS[code as RefusalCode].sentence);
}

function withoutValues(sentence: string): string {
  return sentence.replaceAll(/[[\]]/g, "").replaceAll(/\{\w+\}/g, "…");
}
