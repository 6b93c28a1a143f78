"use client";

import { Button } from "@mantine/core";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { ErrorSummary, type FormError } from "@/components/error-summary";
import { isTyping, singleKeysAreOn } from "@/components/frame/single-keys";
import { ReasonField } from "@/components/reason-field";
import type { DecisionOption } from "@/lib/domain/decision";
import { reasonProblem } from "@/lib/domain/reason-text";
import type { ReviewItemPage } from "@/lib/queries/review-item-page";
import { ConfirmStep, confirmLabel } from "./confirm-step";
import classes from "./decide.module.css";
import { choiceProblem, type DecideDraft, type Step } from "./decide-draft";
import { ReferencePart } from "./reference-part";
import { StepChoose } from "./step-choose";
import { StepConsequence } from "./step-consequence";
import { STEP_HEADING, Steps } from "./steps";
import type { Deciding } from "./use-decide";

export interface DecideFormProps {
  readonly tenant: string;
  readonly page: ReviewItemPage;
  readonly draft: DecideDraft;
  readonly change: (change: Partial<DecideDraft>) => void;
  readonly option: DecisionOption | null;
  readonly step: Step;
  readonly go: (step: Step) => void;
  readonly deciding: Deciding;
}

/** The four steps as one form: Ctrl Enter goes on, digits choose, and only the last button decides anything. */
export function DecideForm(props: DecideFormProps) {
  const { tenant, page, draft, change, option, step, go, deciding } = props;
  const { errors, attempt, submit } = useSteps(props);
  useFormKeys(page, step, change, submit);
  useStepFocus(step);
  return (
    <form
      noValidate
      className={classes.form}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        submit();
      }}
    >
      <Steps step={step} />
      <ErrorSummary errors={errors} attempt={attempt} />
      {step === 1 ? (
        <>
          <StepChoose
            options={page.options}
            family={page.family}
            lastRead={page.lastRead}
            value={draft.option}
            onChange={(code) => change({ option: code, kept: "", voidsTyped: [] })}
            error={errors[0]?.sentence ?? null}
          />
          <ReferencePart
            tenant={tenant}
            page={page}
            option={option}
            draft={draft}
            change={change}
          />
        </>
      ) : null}
      {step === 2 && option !== null ? (
        <StepConsequence
          tenant={tenant}
          option={option}
          family={page.family}
          released={page.released}
          told={page.told}
        />
      ) : null}
      {step === 3 ? (
        <ReasonField
          id="decision-reason"
          label="Reason of the decision"
          value={draft.reason}
          onChange={(reason) => change({ reason })}
          error={errors[0]?.sentence ?? null}
        />
      ) : null}
      {step === 4 && option !== null ? (
        <ConfirmStep page={page} option={option} draft={draft} deciding={deciding} />
      ) : null}
      <Buttons {...{ page, option, step, go, deciding }} />
    </form>
  );
}

/** Goes on when the step is done, and sends the decision from the last one. */
function useSteps({ page, draft, option, step, go, deciding }: DecideFormProps) {
  const [shown, setShown] = useState<{ step: Step; errors: readonly FormError[] } | null>(null);
  const [attempt, setAttempt] = useState(0);
  const submit = () => {
    const errors = problemsOf(step, option, draft);
    setShown({ step, errors });
    setAttempt((count) => count + 1);
    if (errors.length > 0) return;
    if (step === 1) return go(2);
    if (step === 2) return go(3);
    if (step === 3) return go(4);
    if (option === null || deciding.phase !== "idle") return;
    deciding.decide({
      option: option.code,
      reason: draft.reason.trim(),
      expected: page.factsHash,
      ...(option.reference === null ? {} : { kept: draft.kept.trim() }),
      ...(draft.voidsTyped.length === 0 ? {} : { voidsTyped: draft.voidsTyped }),
    });
  };
  return { errors: shown?.step === step ? shown.errors : [], attempt, submit };
}

function problemsOf(
  step: Step,
  option: DecisionOption | null,
  draft: DecideDraft,
): readonly FormError[] {
  const choice = step === 1 || step === 4 ? choiceProblem(option, draft) : null;
  const reason = step === 3 || step === 4 ? reasonProblem(draft.reason) : null;
  return [
    ...(choice === null ? [] : [{ field: "decision-option", sentence: choice }]),
    ...(reason === null ? [] : [{ field: "decision-reason", sentence: reason }]),
  ];
}

/** A step that begins takes the focus: its field where one has to type, else its heading. */
function useStepFocus(step: Step): void {
  const before = useRef(step);
  useEffect(() => {
    if (before.current === step) return;
    before.current = step;
    document.getElementById(step === 3 ? "decision-reason" : STEP_HEADING)?.focus();
  }, [step]);
}

/** Digits choose an option in the first step; Ctrl Enter is the main button from anywhere on the page. */
function useFormKeys(
  { options }: ReviewItemPage,
  step: Step,
  change: DecideFormProps["change"],
  submit: () => void,
): void {
  const onKey = useRef<(event: KeyboardEvent) => void>(() => undefined);
  onKey.current = (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      return submit();
    }
    if (step !== 1 || event.ctrlKey || event.metaKey || event.altKey) return;
    const inText =
      event.target instanceof HTMLElement &&
      event.target.matches("input:not([type=radio]), textarea");
    if (inText || (isTyping(event.target) && !isRadio(event.target)) || !singleKeysAreOn()) return;
    const option = options[Number(event.key) - 1];
    if (option?.open) change({ option: option.code, kept: "", voidsTyped: [] });
  };
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey.current(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);
}

function isRadio(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input[type=radio]");
}

type ButtonsProps = Pick<DecideFormProps, "page" | "option" | "step" | "go" | "deciding">;

function Buttons({ page, option, step, go, deciding }: ButtonsProps) {
  const busy = deciding.phase !== "idle";
  const words = {
    1: "Go on: consequence",
    2: "Go on: reason",
    3: "Go on: confirm",
    4: option === null ? "" : confirmLabel(option, page.family),
  }[step];
  return (
    <div className={classes.bar}>
      <Button type="submit" loading={busy} classNames={{ label: classes.label ?? "" }}>
        {words}
      </Button>
      {step === 1 ? null : (
        <Button variant="default" disabled={busy} onClick={() => go((step - 1) as Step)}>
          Back
        </Button>
      )}
    </div>
  );
}
