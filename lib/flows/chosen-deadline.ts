import {
  answerDeadline,
  type BusinessDeadline,
  type DeadlineQuestion,
  type DeadlineWish,
} from "@/lib/domain/business-deadline";
import { formatDay } from "@/lib/domain/deadline";
import { Refusal } from "@/lib/domain/refusal";

/**
 * The one instant that chosen words mean, at `now` (TM-2). Throws Refusal: `time_gap` or `time_twice` with the two
 * answers to choose from, `zone_unknown`, `local_time_unreadable`, `deadline_in_past`.
 */
export function chosenDeadline(wish: DeadlineWish, now: Date): BusinessDeadline {
  const answer = answerDeadline(wish, now.toISOString());
  if ("instant" in answer) return answer;
  if ("needs" in answer) throw questionRefusal(answer, wish);
  const fields = [{ path: FIELD[answer.refused], sentence: "See above." }];
  switch (answer.refused) {
    case "zone_unknown":
      throw new Refusal("zone_unknown", { values: { value: nameOnly(wish.zone) }, fields });
    case "local_time_unreadable":
      throw new Refusal("local_time_unreadable", { fields });
    case "deadline_in_past":
      throw new Refusal("deadline_in_past", {
        values: { time: `${formatDay(wish.date)}, ${wish.time} (${wish.zone})` },
        fields,
      });
  }
}

const FIELD = {
  zone_unknown: "zone",
  local_time_unreadable: "date",
  deadline_in_past: "date",
} as const;

/** What was sent as a zone may be anything; only what looks like a zone's name is said back (PV-4). */
function nameOnly(zone: string): string {
  return /^[A-Za-z0-9_+/-]{1,64}$/.test(zone) ? zone : "(unreadable)";
}

function questionRefusal(question: DeadlineQuestion, wish: DeadlineWish): Refusal {
  const [first, second] = question.options;
  return new Refusal(question.needs === "gap" ? "time_gap" : "time_twice", {
    values: {
      time: wish.time,
      day: formatDay(wish.date),
      zone: wish.zone,
      before: first.local.time,
      after: second.local.time,
    },
    fields: [{ path: "choice", sentence: question.sentence }],
    extensions: {
      options: question.options.map(({ choice, label, instant, offset }) => ({
        choice,
        label,
        instant,
        offset,
      })),
    },
  });
}
