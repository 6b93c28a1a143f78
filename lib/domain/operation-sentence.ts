import { CONTACT_WORDS, type ContactSource } from "./contact";
import { formatDuration, formatLocal } from "./deadline";
import type { OperationState } from "./operation";
import { isReasonCode, reasonWord } from "./reason";
import { reasonSentence } from "./reason-sentence";
import { filled, type SentenceValues } from "./sentence";
import { clockWords, ownerWords } from "./waiting";
import { OPERATION_WORDS, REQUEST_WORDS, type RequestWordCode } from "./words";
import { epochOf } from "./zone";

/** What the sentences about one operation are made of. Instants are RFC 3339 in UTC. */
export interface SentenceFacts {
  readonly state: OperationState;
  readonly reason: string;
  readonly zone: string;
  readonly attempts: number;
  readonly attemptsMax: number;
  readonly looks: number;
  readonly looksMax: number;
  readonly callTimeoutMs: number;
  readonly unknownSince: string | null;
  readonly unknownToldAfterMs: number;
  readonly nextLookAt: string | null;
  readonly approvalExpiresAt: string | null;
  readonly dueAt: string;
  readonly owner: string | null;
  readonly successorOpId: string | null;
  readonly platformRef: string | null;
  /** The expiry that was asked for, and the one that the approver saw. */
  readonly target: string | null;
  readonly expected: string | null;
  readonly expectedStatus: string | null;
  /** What a reminder that came too soon would have followed; left out where nobody looked it up. */
  readonly contact?: {
    readonly at: string;
    readonly by: ContactSource;
    readonly possibleAt: string;
  } | null;
  /** The newest read that was made for it. */
  readonly lastRead: {
    readonly at: string;
    readonly status: string | null;
    readonly expiresAt: string | null;
    readonly matches: number;
  } | null;
  readonly now: string;
}

/** The values that a reason's sentence may use; only what the record holds. */
export function sentenceValues(facts: SentenceFacts): SentenceValues {
  const { zone, lastRead, now } = facts;
  const local = (instant: string | null) => (instant === null ? null : formatLocal(instant, zone));
  const observed = local(lastRead?.expiresAt ?? null);
  const byStatus = facts.reason === "status_changed_since_approval";
  const status = statusWord(lastRead?.status ?? null);
  return {
    n: countFor(facts),
    m: facts.looksMax,
    k: 0,
    moment: momentFor(facts),
    next: facts.nextLookAt === null ? null : clockWords(facts.nextLookAt, now),
    owner: ownerWords(facts.owner),
    target: local(facts.target),
    observed,
    now: observed,
    old: byStatus ? statusWord(facts.expectedStatus) : local(facts.expected),
    new: byStatus ? status : observed,
    status,
    raw: lastRead?.status ?? null,
    age: ageFor(facts),
    source: facts.contact ? CONTACT_WORDS[facts.contact.by] : null,
    limit: told(facts),
    gap: "5 min",
    platform_ref: facts.platformRef,
    op: facts.successorOpId === null ? null : `op ${facts.successorOpId.slice(0, 8)}`,
  };
}

function ageFor({ reason, contact, unknownSince, now, lastRead }: SentenceFacts): string | null {
  // What counted for a reminder is how old the contact was at the read that decided.
  if (reason === "skipped_too_soon") return contact ? ageOf(contact.at, lastRead?.at ?? now) : null;
  return unknownSince === null ? null : ageOf(unknownSince, now);
}

function ageOf(since: string, now: string): string {
  return formatDuration(Math.max(0, epochOf(now) - epochOf(since)));
}

/** When an owner is told, as a clock while a look is promised and as a length once it has passed. */
function told(facts: SentenceFacts): string | null {
  if (facts.reason === "unknown_past_age") return formatDuration(facts.unknownToldAfterMs);
  return facts.unknownSince === null ? null : clockWords(ownerToldAt(facts), facts.now);
}

/** The moment at which somebody is told of an operation that stays unknown (RC-4). */
export function ownerToldAt(
  facts: Pick<SentenceFacts, "unknownSince" | "unknownToldAfterMs" | "now">,
): string {
  const since = epochOf(facts.unknownSince ?? facts.now);
  return new Date(since + facts.unknownToldAfterMs).toISOString();
}

function countFor(facts: SentenceFacts): number | null {
  switch (facts.reason) {
    case "call_timed_out":
      return Math.round(facts.callTimeoutMs / 1000);
    case "absence_confirmed_bound_reached":
      return facts.attemptsMax;
    case "possible_duplicate":
      return facts.lastRead?.matches ?? null;
    case "reconcile_bound_reached":
    case "void_not_applied":
      return facts.looks;
    default:
      return null;
  }
}

function momentFor(facts: SentenceFacts): string | null {
  const instant = instantFor(facts);
  return instant === null ? null : clockWords(instant, facts.now);
}

function instantFor(facts: SentenceFacts): string | null {
  switch (facts.reason) {
    case "awaiting_approval":
    case "approval_expired":
      return facts.approvalExpiresAt;
    case "awaiting_due_time":
      return facts.dueAt;
    case "skipped_too_soon":
      return facts.contact?.possibleAt ?? null;
    default:
      return facts.nextLookAt ?? facts.lastRead?.at ?? null;
  }
}

function statusWord(status: string | null): string | null {
  if (status === null) return null;
  return Object.hasOwn(REQUEST_WORDS, status)
    ? REQUEST_WORDS[status as RequestWordCode].label
    : status;
}

/** One sentence for a list: the reason in words, or the state where the reason only names an ordinary step. */
export function shortSentence(facts: SentenceFacts): string {
  const { state, reason } = facts;
  if (isReasonCode(reason) && reasonWord(reason).group === "transition")
    return stateSentence(facts);
  if (reason === "awaiting_approval") return stateSentence(facts);
  return reasonSentence(reason, sentenceValues(facts)) || OPERATION_WORDS[state].sentence;
}

function stateSentence({ state, dueAt, now }: SentenceFacts): string {
  if (state === "scheduled" && epochOf(dueAt) > epochOf(now)) {
    return `Approved. Due ${clockWords(dueAt, now)}.`;
  }
  return filled(OPERATION_WORDS[state].sentence, {});
}

const COMPLETED_FIRST: Readonly<Record<string, string>> = {
  request_completed_first: "completed",
  request_declined_first: "declined",
  request_expired_first: "expired",
  request_voided_first: "voided",
  platform_refused_completed: "completed",
};

/** The sentences at the top of an operation's page: what is so, and why, in this order. Never empty. */
export function topSentences(facts: SentenceFacts): readonly string[] {
  const { state, reason } = facts;
  const why = reasonSentence(reason, sentenceValues(facts));
  const first = COMPLETED_FIRST[reason];
  if (first !== undefined) return [`Not applied: the request was ${first} first.`, why];
  switch (state) {
    case "needs_reconcile":
      // Before any call there is nothing that the platform could have applied.
      if (facts.attempts === 0) return [why, "Nothing was sent."];
      return [filled(OPERATION_WORDS.needs_reconcile.sentence, {}), why];
    case "reconciling":
      return ["Looking now. Nothing is being changed."];
    case "quarantined":
    case "needs_review":
      return [why, `${ownerWords(facts.owner)} decides.`];
    case "done":
      // On the platform's word alone nothing was read that shows it (PL-6).
      if (reason === "accepted_unverified") return [why];
      return [why, filled(OPERATION_WORDS.done.sentence, {})];
    case "obsolete":
    case "superseded":
    case "failed_terminal":
      return [why, filled(OPERATION_WORDS[state].sentence, { link: null })];
    case "proposed":
    case "scheduled":
    case "claimed":
    case "submitting":
      return [stateSentence(facts)];
  }
}
