import {
  ENDED_REASONS,
  INPUT_REASONS,
  QUARANTINE_REASONS,
  REVIEW_REASONS,
  type ReasonWord,
  STEP_REASONS,
  UNKNOWN_REASONS,
  WAITING_REASONS,
} from "./reason-words";
import { filled, type SentenceValues } from "./sentence";

/** Every reason that an operation, a history entry or a review item can carry, with its words. */
export const REASONS = {
  ...WAITING_REASONS,
  ...STEP_REASONS,
  ...UNKNOWN_REASONS,
  ...ENDED_REASONS,
  ...QUARANTINE_REASONS,
  ...REVIEW_REASONS,
  ...INPUT_REASONS,
} as const satisfies Record<string, ReasonWord>;

export type ReasonCode = keyof typeof REASONS;

/**
 * Reasons that ask for a person and that nothing of this release gives: campaigns send no chunks yet, the platform port
 * lists nothing that we do not know, and no adapter says how many whole days an expiry may have at most.
 */
export const LATER_REASONS: readonly ReasonCode[] = [
  "send_unknown_in_chunk",
  "drift_extra",
  "expiry_not_expressible",
];

export const REASON_CODES = Object.keys(REASONS) as readonly ReasonCode[];

/** True for a code of the list; the database may hold codes of a later release. */
export function isReasonCode(code: string): code is ReasonCode {
  return Object.hasOwn(REASONS, code);
}

/** Group, default owner and sentence of a reason. */
export function reasonWord(code: ReasonCode): ReasonWord {
  return REASONS[code];
}

/** The sentence of a reason, filled with what the record holds. */
export function sentenceOf(code: ReasonCode, values: SentenceValues = {}): string {
  return filled(REASONS[code].sentence, values);
}

/** True when a person has to decide: the reason opens a review item with an owner (RV-1). */
export function opensReview(code: ReasonCode): boolean {
  const { group } = reasonWord(code);
  return group === "quarantined" || group === "review" || group === "input";
}
