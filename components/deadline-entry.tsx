"use client";

import { Radio, TextInput } from "@mantine/core";
import { DateInput } from "@mantine/dates";
import {
  answerDeadline,
  type BusinessDeadline,
  type DeadlineQuestion,
} from "@/lib/domain/business-deadline";
import { formatDay, formatDeadline } from "@/lib/domain/deadline";
import { ZONE_DATA_VERSION } from "@/lib/domain/zone";
import classes from "./deadline-entry.module.css";
import { parseDay, type QuickChoice, quickDeadline, tidyTime } from "./relative-deadline";
import { ZoneSelect } from "./zone-select";

export interface DeadlineDraft {
  readonly quick: QuickChoice | "own";
  readonly date: string;
  readonly time: string;
  readonly zone: string;
  /** The answer to a change of the clock; null while it was not asked or not given. */
  readonly choice: BusinessDeadline["choice"] | null;
}

export interface DeadlineErrors {
  readonly date?: string | undefined;
  readonly time?: string | undefined;
  readonly zone?: string | undefined;
  readonly choice?: string | undefined;
}

interface DeadlineEntryProps {
  readonly draft: DeadlineDraft;
  readonly onChange: (draft: DeadlineDraft) => void;
  /** The present deadline, from which relative choices count; null when there is none. */
  readonly present: string | null;
  readonly now: string;
  readonly errors: DeadlineErrors;
}

/** What the present words of the entry mean: an instant, a question, or why they mean none. */
export function answerOf(draft: DeadlineDraft, now: string) {
  const { date, time, zone, choice } = draft;
  return answerDeadline({ date, time, zone, ...(choice === null ? {} : { choice }) }, now);
}

/** Date, time and zone of a new deadline, with the one instant that they mean (TM-1, TM-2). */
export function DeadlineEntry(props: DeadlineEntryProps) {
  const { draft, onChange, present, now, errors } = props;
  const answer = answerOf(draft, now);
  const question = "needs" in answer ? answer : askedBefore(draft, now);
  const set = (change: Partial<DeadlineDraft>) =>
    onChange({ ...draft, quick: "own", choice: null, ...change });
  const pick = (quick: string) => {
    if (quick === "own") return onChange({ ...draft, quick });
    const chosen = quick as QuickChoice;
    return set({ quick: chosen, ...quickDeadline(chosen, draft.zone, present, now) });
  };
  return (
    <fieldset className={classes.entry}>
      <legend>New deadline</legend>
      <Radio.Group aria-label="How to set it" value={draft.quick} onChange={pick}>
        <div className={classes.quick}>
          <Radio value="7" label="+7 days" />
          <Radio value="14" label="+14 days" />
          <Radio value="month_end" label="end of month" />
          <Radio value="own" label="date and time" />
        </div>
      </Radio.Group>
      <div className={classes.fields}>
        <div className={classes.date}>
          <DateInput
            id="deadline-date"
            label="Date"
            value={draft.date === "" ? null : draft.date}
            onChange={(date) => set({ date: date ?? "" })}
            dateParser={parseDay}
            valueFormat="D MMM YYYY"
            placeholder="18 Dec 2026"
            error={errors.date}
          />
        </div>
        <TextInput
          id="deadline-time"
          label="Time"
          inputMode="numeric"
          autoComplete="off"
          placeholder="17:00"
          value={draft.time}
          onChange={(event) => set({ time: event.currentTarget.value })}
          onBlur={() => {
            const time = tidyTime(draft.time);
            if (time !== draft.time) set({ time });
          }}
          error={errors.time}
        />
        <div className={classes.zone}>
          <ZoneSelect
            id="deadline-zone"
            value={draft.zone}
            onChange={(zone) => set({ zone })}
            error={errors.zone ?? null}
          />
        </div>
        <span className={classes.rules}>rule data {ZONE_DATA_VERSION}</span>
      </div>
      <output className={classes.instant} aria-live="polite">
        {instantWords(draft, answer, now)}
      </output>
      {question ? (
        <Question
          question={question}
          choice={draft.choice}
          error={errors.choice}
          onChoose={(choice) => onChange({ ...draft, choice })}
          onOther={() => {
            onChange({ ...draft, choice: null, quick: "own" });
            document.getElementById("deadline-time")?.focus();
          }}
        />
      ) : null}
    </fieldset>
  );
}

/** The question that the present answer belongs to, so that an answer given can still be changed. */
function askedBefore(draft: DeadlineDraft, now: string): DeadlineQuestion | null {
  if (draft.choice === null || draft.choice === "only") return null;
  const asked = answerOf({ ...draft, choice: null }, now);
  return "needs" in asked ? asked : null;
}

function instantWords(
  draft: DeadlineDraft,
  answer: ReturnType<typeof answerOf>,
  now: string,
): string {
  if ("instant" in answer) {
    const { line1, line2 } = formatDeadline(answer.instant, answer.zone, now);
    return `= ${line1} · ${line2}`;
  }
  if ("needs" in answer) return answer.sentence;
  if (draft.date === "" || draft.time === "") return "Choose a date and a time.";
  switch (answer.refused) {
    case "zone_unknown":
      return "Choose a zone from the list.";
    case "local_time_unreadable":
      return "Write the time as 17:00.";
    case "deadline_in_past":
      return `${formatDay(draft.date)}, ${draft.time} (${draft.zone}) has passed.`;
  }
}

interface QuestionProps {
  readonly question: DeadlineQuestion;
  readonly choice: DeadlineDraft["choice"];
  readonly error: string | undefined;
  readonly onChoose: (choice: BusinessDeadline["choice"]) => void;
  readonly onOther: () => void;
}

/** Nothing is preselected: nobody chooses for the person (TM-2). */
function Question({ question, choice, error, onChoose, onOther }: QuestionProps) {
  return (
    <div className={classes.question}>
      <Radio.Group
        id="deadline-choice"
        label="This time needs an answer"
        description={question.sentence}
        value={(choice ?? "") as string}
        onChange={(value) =>
          value === "other" ? onOther() : onChoose(value as BusinessDeadline["choice"])
        }
        error={error}
      >
        <div className={classes.options}>
          {question.options.map((option) => (
            <Radio key={option.choice} value={option.choice} label={option.label} />
          ))}
          <Radio value="other" label="Choose another time" />
        </div>
      </Radio.Group>
    </div>
  );
}
