/** Limits of a reason that a person types; it becomes part of the history. */
export const REASON_LENGTH_MIN = 10;
export const REASON_LENGTH_MAX = 2000;

const ADDRESS = /[^\s@]+@[^\s@]+/;
const LINK = /\b(?:https?:\/\/|www\.)\S+/i;
/** Seven digits or more with the usual separators, so that a date or a time is none. */
const PHONE = /(?:\+|\b00)\d[\d\s()./-]{6,}\d/;

export interface ReasonLimits {
  readonly min?: number;
  readonly max?: number;
}

/** What is wrong with a typed reason, in the words that stand under the field; null when nothing is. */
export function reasonProblem(text: string, limits: ReasonLimits = {}): string | null {
  const { min = REASON_LENGTH_MIN, max = REASON_LENGTH_MAX } = limits;
  const length = [...text.trim()].length;
  if (length === 0) return "Give a reason; it becomes part of the history.";
  if (length < min) return `At least ${min} characters; yours has ${length}.`;
  if (length > max) return `At most ${max} characters; yours has ${length}.`;
  if (ADDRESS.test(text) || LINK.test(text) || PHONE.test(text)) {
    return "Leave personal data out; the reason stays in the history.";
  }
  return null;
}
