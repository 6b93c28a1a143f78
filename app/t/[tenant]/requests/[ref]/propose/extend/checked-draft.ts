import type { CommonDraft } from "@/app/t/[tenant]/requests/[ref]/propose/use-change";
import { deadlineProblem } from "@/app/t/[tenant]/requests/deadline-problem";
import { answerOf, type DeadlineDraft } from "@/components/deadline-entry";
import type { FormError } from "@/components/error-summary";
import type { BusinessDeadline } from "@/lib/domain/business-deadline";
import { formatDeadline, formatLocal } from "@/lib/domain/deadline";
import { reasonProblem } from "@/lib/domain/reason-text";
import { REFUSALS } from "@/lib/domain/refusal-words";
import { filled } from "@/lib/domain/sentence";
import { epochOf } from "@/lib/domain/zone";

export type Draft = DeadlineDraft & CommonDraft;

export interface CheckedDraft {
  /** The one deadline that the fields mean; null while they mean none. */
  readonly deadline: BusinessDeadline | null;
  /** `18 Dec 2026, 17:00 CET`. */
  readonly words: string | null;
  readonly errors: readonly FormError[];
}

/** Checks a draft by the rules that the server will apply again; the server's answer is the one that counts. */
export function checkedDraft(
  draft: Draft,
  presentExpiry: string | null,
  now: string,
): CheckedDraft {
  const answer = answerOf(draft, now);
  const deadline = "instant" in answer ? answer : null;
  const errors = [
    deadline === null ? deadlineProblem(draft, now) : laterProblem(deadline, presentExpiry),
    fieldError("reason", reasonProblem(draft.reason, { min: 1 })),
  ].filter((error) => error !== null);
  return { deadline, words: deadline && formatLocal(deadline.instant, deadline.zone), errors };
}

/** An extension never shortens (TM-3). */
function laterProblem(deadline: BusinessDeadline, presentExpiry: string | null): FormError | null {
  if (presentExpiry === null || epochOf(deadline.instant) > epochOf(presentExpiry)) return null;
  const now = formatDeadline(presentExpiry, deadline.zone).line1;
  const sentence = filled(REFUSALS.deadline_not_later.sentence, { now });
  return { field: "deadline-date", sentence };
}

function fieldError(field: string, sentence: string | null): FormError | null {
  return sentence === null ? null : { field, sentence };
}
