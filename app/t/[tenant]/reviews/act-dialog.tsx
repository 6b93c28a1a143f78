"use client";

import { Button, Group, Modal, Stack } from "@mantine/core";
import { useState } from "react";
import { useNow } from "@/components/frame/live";
import { type OwnerChoice, OwnerPicker } from "@/components/owner-picker";
import { ReasonField } from "@/components/reason-field";
import { reasonProblem } from "@/lib/domain/reason-text";
import { acknowledgeUntilMax, snoozeUntilMax } from "@/lib/domain/review-act";
import classes from "./acts.module.css";
import type { OfferedAct } from "./item-acts";
import { type UntilChoice, type UntilDraft, untilOf } from "./until";
import { UntilField } from "./until-field";
import type { ItemActs, OpenAct } from "./use-item-acts";

interface ActDialogProps {
  readonly acts: ItemActs;
  readonly owners: readonly OwnerChoice[];
}

/** The question behind assign, hand over, acknowledge and snooze; focus goes back to what opened it. */
export function ActDialog({ acts, owners }: ActDialogProps) {
  const { open, close } = acts;
  return (
    <Modal
      opened={open !== null}
      onClose={close}
      title={open === null ? "" : QUESTIONS[open.act].question}
      closeButtonProps={{ "aria-label": "Close without changing anything" }}
      centered
      transitionProps={{ duration: 0 }}
    >
      {open === null ? null : <Form key={open.key} open={open} acts={acts} owners={owners} />}
    </Modal>
  );
}

interface Question {
  readonly question: string;
  readonly button: string;
  /** What follows from it. */
  readonly words: string;
  /** Whom it can go to; null where nobody is chosen. An item is in work by a person, so it is assigned to one. */
  readonly owner: "people" | "all" | null;
  readonly until: readonly UntilChoice[] | null;
  readonly reason: string | null;
}

const NO_QUESTION: Question = {
  question: "",
  button: "",
  words: "",
  owner: null,
  until: null,
  reason: null,
};

const QUESTIONS: Record<OfferedAct, Question> = {
  take: NO_QUESTION,
  see: NO_QUESTION,
  assign: {
    question: "Assign this item?",
    button: "Assign item",
    words: "They are told. No rule moves it away from them.",
    owner: "people",
    until: null,
    reason: null,
  },
  hand_over: {
    question: "Hand this item over?",
    button: "Hand over item",
    words: "They are told, with your note. The clock of the item goes on.",
    owner: "all",
    until: null,
    reason: "Note",
  },
  acknowledge: {
    question: "Acknowledge this item?",
    button: "Acknowledge item",
    words: "Escalation is held until then; after that the item comes back. Its clock goes on.",
    owner: null,
    until: ["30m", "1h", "4h"],
    reason: null,
  },
  snooze: {
    question: "Snooze this item?",
    button: "Snooze item",
    words: "It is hidden until then and comes back sooner if the facts change.",
    owner: null,
    until: ["1h", "4h", "1d"],
    reason: "Reason",
  },
};

interface FormProps extends ActDialogProps {
  readonly open: OpenAct;
}

interface Draft {
  readonly owner: string | null;
  readonly until: UntilDraft;
  readonly reason: string;
}

interface Errors {
  readonly owner: string | null;
  readonly until: string | null;
  readonly reason: string | null;
}

const NO_ERRORS: Errors = { owner: null, until: null, reason: null };

function Form({ open, acts, owners }: FormProps) {
  const question = QUESTIONS[open.act];
  const { sentence } = open.item;
  const now = useNow();
  const latest = latestOf(open, now);
  const [draft, setDraft] = useState<Draft>({
    owner: null,
    until: { choice: question.until?.[0] ?? "own", moment: "" },
    reason: "",
  });
  const [errors, setErrors] = useState(NO_ERRORS);
  const [refused, setRefused] = useState<string | null>(null);
  const submit = async () => {
    const { body, errors: found } = checked(question, draft, now, latest);
    setErrors(found);
    if (body !== null) setRefused(await acts.send(body));
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Stack gap="sm">
        <p className={classes.about}>{sentence}</p>
        {question.owner === null ? null : (
          <OwnerPicker
            label="To"
            owners={owners.filter(({ role }) => question.owner === "all" || role !== null)}
            value={draft.owner}
            onChange={(owner) => setDraft({ ...draft, owner })}
            error={errors.owner}
          />
        )}
        {question.until === null ? null : (
          <UntilField
            label="Until"
            choices={question.until}
            latest={latest}
            draft={draft.until}
            onChange={(until) => setDraft({ ...draft, until })}
            error={errors.until}
          />
        )}
        {question.reason === null ? null : (
          <ReasonField
            label={question.reason}
            value={draft.reason}
            onChange={(reason) => setDraft({ ...draft, reason })}
            error={errors.reason}
          />
        )}
        <p className={classes.words}>{question.words}</p>
        {refused === null ? null : <p role="alert">{refused}</p>}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={acts.close}>
            Leave it as it is
          </Button>
          <Button type="submit" loading={acts.busy}>
            {question.button}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Up to when the item may be held back, in milliseconds since 1970. */
function latestOf({ act, item }: OpenAct, now: string): number {
  const latest =
    act === "snooze" ? snoozeUntilMax(item, now) : acknowledgeUntilMax(item.losesAt, now);
  return latest ?? 0;
}

/** The body of the request, or what is wrong with which field. */
function checked(
  { owner, until, reason }: Question,
  draft: Draft,
  now: string,
  latest: number,
): { readonly body: Record<string, string> | null; readonly errors: Errors } {
  const meant = until === null ? null : untilOf(draft.until, now, latest);
  const errors: Errors = {
    owner: owner !== null && draft.owner === null ? "Choose a person or a team." : null,
    until: meant !== null && "problem" in meant ? meant.problem : null,
    reason: reason === null ? null : reasonProblem(draft.reason),
  };
  if (Object.values(errors).some((error) => error !== null)) return { body: null, errors };
  return {
    errors,
    body: {
      ...(draft.owner === null ? {} : { to: draft.owner }),
      ...(meant !== null && "until" in meant ? { until: meant.until } : {}),
      ...(reason === null ? {} : { [reason.toLowerCase()]: draft.reason.trim() }),
    },
  };
}
