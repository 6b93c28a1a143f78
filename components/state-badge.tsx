import type { ErasureState } from "@/lib/domain/erasure";
import { ERASURE_WORDS } from "@/lib/domain/erasure-words";
import { INBOX_WORDS, type InboxOutcome } from "@/lib/domain/inbox-words";
import { NOTICE_WORDS, type NoticeState } from "@/lib/domain/notice-words";
import type { OperationState } from "@/lib/domain/operation";
import {
  DELIVERY_WORDS,
  type DeliveryState,
  SUBSCRIBER_WORDS,
  type SubscriberHealth,
} from "@/lib/domain/outbox";
import { filled, type SentenceValues } from "@/lib/domain/sentence";
import {
  AGE_BAND_WORDS,
  type AgeBand,
  CHAIN_WORDS,
  type ChainState,
  CONNECTION_WORDS,
  type ConnectionState,
  MODE_WORDS,
  type Mode,
  SWITCH_WORDS,
  type SwitchState,
  WORKER_WORDS,
  type WorkerState,
} from "@/lib/domain/system-words";
import {
  APPROVAL_WORDS,
  type ApprovalState,
  OPERATION_WORDS,
  REQUEST_WORDS,
  REVIEW_WORDS,
  type RequestWordCode,
  type ReviewStatus,
  type Word,
} from "@/lib/domain/words";
import classes from "./state-badge.module.css";
import { StateIcon } from "./state-icon";
import tones from "./tones.module.css";

interface Codes {
  operation: OperationState;
  request: RequestWordCode;
  review: ReviewStatus;
  approval: ApprovalState;
  mode: Mode;
  switch: SwitchState;
  connection: ConnectionState;
  worker: WorkerState;
  chain: ChainState;
  age: AgeBand;
  inbox: InboxOutcome | "duplicate";
  delivery: DeliveryState;
  subscriber: SubscriberHealth;
  notice: NoticeState;
  erasure: ErasureState;
}

export type BadgeFamily = keyof Codes;

const WORDS: { readonly [Family in BadgeFamily]: Record<Codes[Family], Word> } = {
  operation: OPERATION_WORDS,
  request: REQUEST_WORDS,
  review: REVIEW_WORDS,
  approval: APPROVAL_WORDS,
  mode: MODE_WORDS,
  switch: SWITCH_WORDS,
  connection: CONNECTION_WORDS,
  worker: WORKER_WORDS,
  chain: CHAIN_WORDS,
  age: AGE_BAND_WORDS,
  inbox: INBOX_WORDS,
  delivery: DELIVERY_WORDS,
  subscriber: SUBSCRIBER_WORDS,
  notice: NOTICE_WORDS,
  erasure: ERASURE_WORDS,
};

export interface StateBadgeProps<Family extends BadgeFamily> {
  readonly family: Family;
  readonly code: Codes[Family];
  /** Reason code of an operation; a few have words of their own, so that no badge says more than a read showed. */
  readonly reason?: string;
  /** Values for the sentence, and `age` for the label "Looking since {age}, owner told". */
  readonly values?: SentenceValues;
  readonly size?: "normal" | "large";
}

/** A state in icon, word and tone. Never a button; the sentence is its description. */
export function StateBadge<Family extends BadgeFamily>(props: StateBadgeProps<Family>) {
  const { family, code, reason, values = {}, size = "normal" } = props;
  const word: Word = { ...WORDS[family][code], ...finer(family, code, reason) };
  const { label, icon } = word;
  return (
    <span
      className={`${classes.badge} ${tones[word.tone]} ${size === "large" ? classes.large : ""}`}
      data-state={code}
      title={filled(word.sentence, values)}
    >
      <StateIcon name={icon} size={size === "large" ? 16 : 14} />
      <span className={classes.label}>{filled(label, values)}</span>
    </span>
  );
}

function finer(
  family: BadgeFamily,
  code: string,
  reason: string | undefined,
): Partial<Word> | null {
  if (family === "operation" && code === "done" && reason === "accepted_unverified")
    return ACCEPTED;
  if (family !== "operation" || (code !== "submitting" && code !== "needs_reconcile")) return null;
  if (reason === "awaiting_effect_confirmation") {
    return { label: "Accepted, effect not seen yet", icon: "hourglass" };
  }
  if (reason === "unknown_past_age") {
    return { label: "Looking[ since {age}], owner told", icon: "circle-question-mark" };
  }
  return null;
}

/** Done on the platform's word alone (PL-6). */
const ACCEPTED: Partial<Word> = {
  label: "Accepted, not verifiable",
  tone: "plain",
  sentence: "The platform accepted it, and no read can show this effect.",
};
