"use client";

import { Button, Modal, NativeSelect, NumberInput } from "@mantine/core";
import { useState } from "react";
import classes from "@/app/t/[tenant]/privacy/privacy.module.css";
import { putJson } from "@/components/api-call";
import { CLASS_WORDS, DAYS_MAX, DAYS_MIN, daysProblem } from "@/lib/domain/retention";
import type { RetentionPage, RuleRow } from "@/lib/queries/retention-page";

interface RuleFormProps {
  readonly rule: RuleRow;
  readonly owners: RetentionPage["owners"];
  /** Of the class in the API. */
  readonly url: string;
  heard(words: string): void;
}

/** Changes how long a class is kept and who answers for it. */
export function RuleForm({ rule, owners, url, heard }: RuleFormProps) {
  const { label, goes, stays } = CLASS_WORDS[rule.recordClass];
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        aria-label={`Change retention of ${label}`}
        onClick={() => setOpened(true)}
      >
        Change
      </Button>
      <Modal
        opened={opened}
        onClose={() => setOpened(false)}
        title={`How long is ${label.toLowerCase()} kept?`}
        closeButtonProps={{ "aria-label": "Close without changing anything" }}
        centered
        transitionProps={{ duration: 0 }}
      >
        <p className={classes.prose}>Goes when the time is over: {goes}</p>
        <p className={classes.prose}>Stays: {stays}</p>
        <Fields
          {...{ rule, owners, url }}
          saved={(words) => {
            setOpened(false);
            heard(words);
          }}
        />
      </Modal>
    </>
  );
}

interface FieldsProps extends Omit<RuleFormProps, "heard"> {
  saved(words: string): void;
}

function Fields({ rule, owners, url, saved }: FieldsProps) {
  const { label } = CLASS_WORDS[rule.recordClass];
  const [days, setDays] = useState<number | string>(rule.days);
  const [owner, setOwner] = useState(rule.owner);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const send = async () => {
    const problem = daysProblem(rule.recordClass, Number(days));
    setError(problem);
    if (problem !== null) return;
    setBusy(true);
    const answer = await putJson(url, { days: Number(days), owner, seen: rule.version });
    setBusy(false);
    if (answer.kind === "refused") return setError(answer.problem.detail);
    const words = `${label} is kept for ${days} days.`;
    saved(answer.kind === "ok" ? words : "We did not hear back. The schedule shows what holds.");
  };
  return (
    <div className={classes.form}>
      <NumberInput
        label="Keeps (days)"
        description={`From ${DAYS_MIN[rule.recordClass]} to ${DAYS_MAX}. Shorter times act with the next run.`}
        value={days}
        min={DAYS_MIN[rule.recordClass]}
        max={DAYS_MAX}
        allowDecimal={false}
        hideControls
        error={error}
        onChange={setDays}
      />
      <NativeSelect
        label="Owner"
        value={owner}
        data={owners.some(({ value }) => value === owner) ? [...owners] : [MISSING, ...owners]}
        onChange={(event) => setOwner(event.currentTarget.value)}
      />
      <div>
        <Button loading={busy} onClick={() => void send()}>
          Keep {label.toLowerCase()} for {days} days
        </Button>
      </div>
    </div>
  );
}

/** Stands for an owner who can no longer answer for it. */
const MISSING = { value: "", label: "Choose…" };
