import type { Team } from "./team";

/** What is kept for a time of its own (PV-5). */
export const RECORD_CLASSES = [
  "ledger",
  "inbox",
  "quarantine",
  "vault",
  "archive",
  "notices",
] as const;

export type RecordClass = (typeof RECORD_CLASSES)[number];

export interface ClassWords {
  readonly label: string;
  /** What is removed when the time is over. */
  readonly goes: string;
  /** What is kept all the same. */
  readonly stays: string;
}

export const CLASS_WORDS: Record<RecordClass, ClassWords> = {
  ledger: {
    label: "Ledger",
    goes: "Payloads of operations whose request ended.",
    stays: "Keys, hashes, approvals, reads and every entry of the history.",
  },
  inbox: {
    label: "Inbox",
    goes: "Raw bodies of events.",
    stays: "What an event said of its request, and the digest of its body.",
  },
  quarantine: {
    label: "Quarantine",
    goes: "Raw bodies of events that were set aside or could not be applied.",
    stays: "Why an event was set aside, and the digest of its body.",
  },
  vault: {
    label: "Vault",
    goes: "Contact details and typed texts of requests that ended.",
    stays: "References and digests that nobody can guess any more.",
  },
  archive: {
    label: "Archive",
    goes: "Files of evidence packs.",
    stays: "What a pack was about, its size and its hash.",
  },
  notices: {
    label: "Notices and sessions",
    goes: "Notices that are closed, answers kept for repeated calls, sessions that ended.",
    stays: "Review items and the history.",
  },
};

/** What holds until a tenant saves something else. Days are counted as 24 hours. */
export const DEFAULT_RULES: Record<RecordClass, { readonly days: number; readonly owner: Team }> = {
  ledger: { days: 3_650, owner: "team:compliance" },
  inbox: { days: 30, owner: "team:compliance" },
  quarantine: { days: 30, owner: "team:compliance" },
  vault: { days: 730, owner: "team:compliance" },
  archive: { days: 730, owner: "team:compliance" },
  notices: { days: 730, owner: "team:compliance" },
};

/**
 * A class is kept at least this long. The ledger's year is also what verification asks of a payload that is gone: what
 * was taken out sooner was not taken out by retention.
 */
export const DAYS_MIN: Record<RecordClass, number> = {
  ledger: 365,
  inbox: 1,
  quarantine: 1,
  vault: 1,
  archive: 1,
  notices: 30,
};

export const DAYS_MAX = 36_500;

/** The sentence for a number of days that a class cannot have; null when it can. */
export function daysProblem(recordClass: RecordClass, days: number): string | null {
  const min = DAYS_MIN[recordClass];
  return Number.isInteger(days) && days >= min && days <= DAYS_MAX
    ? null
    : `Whole days from ${min} to ${DAYS_MAX}.`;
}

export const HOLD_SCOPES = ["request", "subject"] as const;

/** What a hold keeps: all of one request, or all requests of one person. */
export type HoldScope = (typeof HOLD_SCOPES)[number];

/** How many records of each class a run took. */
export type RemovedCounts = Readonly<Record<RecordClass, number>>;

export const NOTHING_REMOVED: RemovedCounts = {
  ledger: 0,
  inbox: 0,
  quarantine: 0,
  vault: 0,
  archive: 0,
  notices: 0,
};
