import { REQUEST_STATUSES, type RequestStatus } from "./observation";
import type { OperationState } from "./operation";

/** Looks of a badge. `unknown` (violet) belongs to the unknown and to nothing else. */
export type Tone =
  | "quiet"
  | "plain"
  | "info"
  | "work"
  | "wait"
  | "unknown"
  | "attention"
  | "danger"
  | "good";

export interface Word {
  readonly label: string;
  /** A lucide icon by its kebab-case name. */
  readonly icon: string;
  readonly tone: Tone;
  /** Tooltip, description for screen readers and legend; {placeholders} as in `sentence.ts`. */
  readonly sentence: string;
}

function word(label: string, icon: string, tone: Tone, sentence: string): Word {
  return { label, icon, tone, sentence };
}

export const OPERATION_WORDS: Record<OperationState, Word> = {
  proposed: word(
    "Waits for approval",
    "file-pen",
    "quiet",
    "Drafted. Nothing happens until the required people approve these exact bytes.",
  ),
  scheduled: word(
    "Scheduled",
    "calendar-clock",
    "plain",
    "Approved. A worker starts it when it is due and nothing else on the request is in the way.",
  ),
  claimed: word(
    "Being prepared",
    "hand",
    "info",
    "A worker holds it and reads the platform. Nothing has been sent.",
  ),
  submitting: word(
    "Being sent",
    "send",
    "work",
    "The worker recorded its intent and the call may be under way.",
  ),
  needs_reconcile: word(
    "Unknown",
    "circle-question-mark",
    "unknown",
    "We could not confirm that the platform applied this. It is not repeated.[ Checking again at {next}.]",
  ),
  reconciling: word(
    "Unknown, looking now",
    "search-check",
    "unknown",
    "We are reading the platform to find out what happened.",
  ),
  quarantined: word(
    "Quarantined",
    "octagon-alert",
    "attention",
    "What we found conflicts with what was approved.[ {owner} decides.]",
  ),
  needs_review: word(
    "Needs review",
    "user-search",
    "attention",
    "The evidence is ambiguous or cannot be had.[ {owner} decides.]",
  ),
  done: word(
    "Confirmed",
    "circle-check",
    "good",
    "A read of the platform after the call shows the effect.",
  ),
  obsolete: word(
    "No longer needed",
    "circle-slash",
    "quiet",
    "Ended without an effect of its own. The reason says why.",
  ),
  superseded: word(
    "Replaced",
    "replace",
    "quiet",
    "A newer approved operation took its place[: {link}].",
  ),
  failed_terminal: word(
    "Not applied",
    "circle-x",
    "danger",
    "Confirmed that the platform did not apply it. No further attempt.",
  ),
};

/** What a badge can say about a request: the platform's words, and what we know about our own reads. */
export type RequestWordCode = RequestStatus | "gone" | "unread";

export const REQUEST_WORD_CODES: readonly RequestWordCode[] = [
  ...REQUEST_STATUSES,
  "gone",
  "unread",
];

export const REQUEST_WORDS: Record<RequestWordCode, Word> = {
  draft: word("Draft", "file-pen", "quiet", "Exists at the platform, not sent to anyone."),
  sent: word(
    "Sent",
    "send-horizontal",
    "plain",
    "Sent; nobody has opened it as far as the platform says.",
  ),
  viewed: word("Opened", "eye", "info", "At least one signer opened it."),
  partially_signed: word("Partly signed", "pen-line", "info", "{k} of {n} signers signed."),
  finishing: word(
    "All signed, sealing",
    "loader-circle",
    "work",
    "Everyone signed; the platform is still sealing. Not reminded, not extended.",
  ),
  completed: word(
    "Completed",
    "signature",
    "good",
    "The platform reports completion. Archive state is shown apart.",
  ),
  declined: word("Declined", "user-x", "plain", "A signer declined."),
  expired: word("Expired", "calendar-x", "plain", "The platform no longer accepts signatures."),
  voided: word("Voided", "ban", "plain", "Withdrawn at the platform."),
  gone: word(
    "Not found",
    "ghost",
    "attention",
    'The platform answers "not found". That does not prove that it never existed.',
  ),
  unrecognised: word(
    "Not understood",
    "triangle-alert",
    "attention",
    'The platform uses a status that we do not know: "{raw}".',
  ),
  unread: word("Never read", "circle-dashed", "unknown", "We have no read of this request yet."),
};

export type ReviewStatus =
  | "open"
  | "claimed"
  | "acknowledged"
  | "snoozed"
  | "second_person"
  | "regressed"
  | "settled"
  | "closed_proven"
  | "closed_override";

export const REVIEW_WORDS: Record<ReviewStatus, Word> = {
  open: word("Open", "circle-dot", "wait", "Nobody has taken it; {team} owns it."),
  claimed: word("In work", "user-check", "info", "{owner} works on it since {moment}."),
  acknowledged: word(
    "Acknowledged",
    "bell-off",
    "info",
    "Escalation is held until {moment}, then it comes back.",
  ),
  snoozed: word(
    "Snoozed",
    "alarm-clock",
    "quiet",
    'Hidden until {moment}: "{reason}". Comes back sooner if the facts change.',
  ),
  second_person: word(
    "Waits for a second person",
    "users",
    "wait",
    "A decision against the facts was made and must be confirmed by someone else.",
  ),
  regressed: word(
    "New evidence",
    "bell",
    "attention",
    "Something changed after it was acknowledged, snoozed or decided.",
  ),
  settled: word(
    "Settled by a read",
    "check-check",
    "good",
    "The platform answered the question. Stays here until the owner marks it as seen.",
  ),
  closed_proven: word(
    "Closed, proven",
    "shield-check",
    "good",
    "Decided, and a fresh read agreed.",
  ),
  closed_override: word(
    "Closed, overridden",
    "shield-alert",
    "plain",
    "Decided against or without a read; two people and their reasons are on record.",
  ),
};

export type ApprovalState =
  | "pending"
  | "approved"
  | "rejected"
  | "withdrawn"
  | "expired"
  | "void"
  | "revoked";

export const APPROVAL_WORDS: Record<ApprovalState, Word> = {
  pending: word("Pending", "clock", "wait", "Nobody has decided yet."),
  approved: word("Approved", "badge-check", "good", "Bound to these exact bytes."),
  rejected: word("Rejected", "circle-x", "plain", "Turned down; nothing was sent."),
  withdrawn: word("Withdrawn", "undo-2", "quiet", "Taken back by the proposer."),
  expired: word("Expired", "calendar-x", "plain", "Nobody approved in time. Propose again."),
  void: word(
    "Void, ask again",
    "file-x",
    "attention",
    "Something changed, so this approval no longer holds. Nothing was sent.",
  ),
  revoked: word("Revoked", "user-x", "attention", "The approver took the approval back."),
};
