import { answerOf, type DeadlineDraft } from "@/components/deadline-entry";
import type { FormError } from "@/components/error-summary";
import { formatDay } from "@/lib/domain/deadline";
import { REFUSALS } from "@/lib/domain/refusal-words";
import { filled } from "@/lib/domain/sentence";

/** Why the words of a deadline mean no instant yet, at the field that it is about; null when they mean one. */
export function deadlineProblem(draft: DeadlineDraft, now: string): FormError | null {
  const answer = answerOf(draft, now);
  if ("instant" in answer) return null;
  if ("needs" in answer) {
    return { field: "deadline-choice", sentence: "Answer the question about the time first." };
  }
  if (draft.date === "") return { field: "deadline-date", sentence: "Choose a date." };
  if (draft.time === "") return { field: "deadline-time", sentence: "Give a time, as in 17:00." };
  switch (answer.refused) {
    case "zone_unknown":
      return {
        field: "deadline-zone",
        sentence: filled(REFUSALS.zone_unknown.sentence, { value: draft.zone }),
      };
    case "local_time_unreadable":
      return { field: "deadline-time", sentence: REFUSALS.local_time_unreadable.sentence };
    case "deadline_in_past": {
      const time = `${formatDay(draft.date)}, ${draft.time} (${draft.zone})`;
      const sentence = filled(REFUSALS.deadline_in_past.sentence, { time });
      return { field: "deadline-date", sentence };
    }
  }
}
