"use client";

import { Button } from "@mantine/core";
import { useRef, useState } from "react";
import { postJson } from "@/components/api-call";
import { ConfirmConsequence } from "@/components/confirm-consequence";
import { freshId } from "@/components/fresh-id";
import { ReasonField } from "@/components/reason-field";
import { reasonProblem } from "@/lib/domain/reason-text";

interface AskedActProps<Answer> {
  readonly button: string;
  readonly question: string;
  readonly consequence: string;
  readonly keep: string;
  readonly url: string;
  /** What is posted; a typed reason is added. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly asksReason?: boolean;
  readonly danger?: boolean;
  /** Is given the answer; undefined when we did not hear back. */
  done(answer: Answer | undefined): void;
}

/** A button that asks with the consequence, takes a reason where one is needed, and acts once. */
export function AskedAct<Answer>(props: AskedActProps<Answer>) {
  const { button, question, consequence, keep, url, body = {}, asksReason, danger, done } = props;
  const [opened, setOpened] = useState(false);
  const [reason, setReason] = useState("");
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  // One key per opened question, so that a second press is the same request (API-1).
  const key = useRef("");
  const open = () => {
    key.current = freshId();
    setError(null);
    setOpened(true);
  };
  const send = async () => {
    const problem = asksReason ? reasonProblem(reason, { min: 1 }) : null;
    setError(problem);
    if (problem !== null) return;
    setBusy(true);
    const content = asksReason ? { ...body, reason } : body;
    const answer = await postJson<Answer>(url, content, key.current);
    setBusy(false);
    if (answer.kind === "refused") return setError(answer.problem.detail);
    setOpened(false);
    setReason("");
    done(answer.kind === "ok" ? answer.data : undefined);
  };
  return (
    <>
      <Button variant="default" onClick={open}>
        {button}
      </Button>
      <ConfirmConsequence
        opened={opened}
        onClose={() => setOpened(false)}
        question={question}
        action={button}
        keep={keep}
        busy={busy}
        {...(danger ? { danger } : {})}
        onConfirm={() => void send()}
      >
        <p>{consequence}</p>
        {asksReason ? (
          <ReasonField value={reason} onChange={setReason} error={error} />
        ) : (
          <p role="alert">{error}</p>
        )}
      </ConfirmConsequence>
    </>
  );
}
