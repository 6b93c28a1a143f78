"use client";

import { Button } from "@mantine/core";
import { useState } from "react";
import { StepChoose } from "@/app/t/[tenant]/reviews/[id]/decide/step-choose";
import { ErrorSummary, type FormError } from "@/components/error-summary";
import { useKeptDraft } from "@/components/kept-draft";
import panel from "@/components/panel.module.css";
import { ReasonField } from "@/components/reason-field";
import { formatDuration, formatMoment } from "@/lib/domain/deadline";
import type { DecisionCode } from "@/lib/domain/decision";
import { optionAmong } from "@/lib/domain/decision-options";
import { decisionWord } from "@/lib/domain/decision-words";
import { reasonProblem } from "@/lib/domain/reason-text";
import type { DecisionSelectionPage } from "@/lib/queries/decision-selection-page";
import classes from "./selection.module.css";
import type { Bulk } from "./use-bulk";

interface BulkFormProps {
  readonly page: DecisionSelectionPage;
  readonly bulk: Bulk;
}

interface Draft {
  readonly option: DecisionCode | null;
  readonly reason: string;
}

const NO_DRAFT: Draft = { option: null, reason: "" };

/** One choice and one reason for all of them, with what it costs in reads. */
export function BulkForm({ page, bulk }: BulkFormProps) {
  const { draft, change, forget } = useKeptDraft<Draft>(`selection:${page.id}`, NO_DRAFT);
  const [errors, setErrors] = useState<readonly FormError[]>([]);
  const [attempt, setAttempt] = useState(0);
  // What needs a choice for each item, or a second person at once, is decided one by one.
  const options = page.options.filter(
    ({ reference, code }) => reference === null && code !== "replace",
  );
  const chosen = draft.option === null ? null : optionAmong(options, draft.option);
  const submit = () => {
    const found = problemsOf(chosen?.open === true, draft.reason);
    setErrors(found);
    setAttempt((count) => count + 1);
    if (found.length > 0 || chosen === null) return;
    forget();
    bulk.decide(chosen.code, draft.reason.trim());
  };
  if (options.length === 0) {
    return <p className={classes.plain}>None of these items waits for a decision any more.</p>;
  }
  return (
    <form
      noValidate
      className={`${panel.panel} ${classes.form}`}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <ErrorSummary errors={errors} attempt={attempt} />
      <StepChoose
        options={options}
        family={page.family}
        lastRead={{}}
        value={draft.option}
        onChange={(option) => change({ option })}
        error={errors.find(({ field }) => field === "decision-option")?.sentence ?? null}
      />
      <ReasonField
        id="decision-reason"
        label="Reason of the decision"
        value={draft.reason}
        onChange={(reason) => change({ reason })}
        error={errors.find(({ field }) => field === "decision-reason")?.sentence ?? null}
      />
      {chosen === null ? null : (
        <p className={classes.plain}>{decisionWord(chosen.code, page.family).consequence}</p>
      )}
      <p className={classes.plain}>{readsWords(page)}</p>
      {bulk.problem === null ? null : <p role="alert">{bulk.problem} Nothing was decided.</p>}
      <div>
        <Button type="submit" loading={bulk.busy}>
          Decide {page.count} {page.count === 1 ? "item" : "items"}
        </Button>
      </div>
    </form>
  );
}

function problemsOf(isOpen: boolean, reason: string): readonly FormError[] {
  const problem = reasonProblem(reason);
  return [
    ...(isOpen
      ? []
      : [{ field: "decision-option", sentence: "Choose what is to be recorded for all of them." }]),
    ...(problem === null ? [] : [{ field: "decision-reason", sentence: problem }]),
  ];
}

/** A worker reads about this many times in a second, one item after the other. */
const READS_PER_SECOND = 2;

/** "Reads needed 50, left 800: takes about 25 s." */
export function readsWords(page: DecisionSelectionPage): string {
  const { readsNeeded, readsLeft, readsFreeAt } = page;
  const left = readsLeft === null ? "no limit known" : `left ${readsLeft}`;
  if (readsLeft !== null && readsNeeded > readsLeft) {
    const from = readsFreeAt === null ? "later" : `from ${formatMoment(readsFreeAt)}`;
    return `Reads needed ${readsNeeded}, ${left}: ${readsNeeded - readsLeft} of them are made ${from}.`;
  }
  const seconds = Math.max(1, Math.ceil(readsNeeded / READS_PER_SECOND));
  return `Reads needed ${readsNeeded}, ${left}: takes about ${formatDuration(seconds * 1000)}.`;
}
