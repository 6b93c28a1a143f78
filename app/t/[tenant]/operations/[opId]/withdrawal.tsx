"use client";

import { Button } from "@mantine/core";
import { useRef, useState } from "react";
import { postJson } from "@/components/api-call";
import { ConfirmConsequence } from "@/components/confirm-consequence";
import { freshId } from "@/components/fresh-id";
import { ReasonField } from "@/components/reason-field";
import { reasonProblem } from "@/lib/domain/reason-text";
import type { OperationFacts } from "@/lib/queries/operation-page";

export type WithdrawalKind = "proposal" | "approval";

interface Words {
  readonly path: string;
  readonly button: string;
  readonly question: (op: string) => string;
  readonly consequence: string;
  readonly keep: string;
  readonly done: string;
}

const WORDS: Record<WithdrawalKind, Words> = {
  proposal: {
    path: "withdrawals",
    button: "Withdraw proposal",
    question: () => "Withdraw this proposal?",
    consequence: "Nothing was sent. It ends as no longer needed.",
    keep: "Keep the proposal",
    done: "Withdrawn by you. Nothing was sent.",
  },
  approval: {
    path: "approval-withdrawals",
    button: "Withdraw approval",
    question: (op) => `Withdraw your approval of ${op}?`,
    consequence:
      "Possible until a worker picks it up. It then goes to review as authorization lost.",
    keep: "Keep the approval",
    done: "Your approval is withdrawn. It will not be sent on it.",
  },
};

interface WithdrawalProps {
  readonly kind: WithdrawalKind;
  readonly tenant: string;
  readonly operation: OperationFacts;
  done(words: string): void;
}

/** Asks with the consequence, takes a reason, and says what the server made of it. */
export function Withdrawal({ kind, tenant, operation, done }: WithdrawalProps) {
  const words = WORDS[kind];
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
    const problem = reasonProblem(reason, { min: 1 });
    setError(problem);
    if (problem !== null) return;
    setBusy(true);
    const url = `/api/v1/t/${tenant}/operations/${operation.opId}/${words.path}`;
    const answer = await postJson(url, { reason }, key.current);
    setBusy(false);
    if (answer.kind === "refused") setError(answer.problem.detail);
    else {
      setOpened(false);
      done(answer.kind === "ok" ? words.done : LOST);
    }
  };
  return (
    <>
      <Button variant="default" onClick={open}>
        {words.button}
      </Button>
      <ConfirmConsequence
        opened={opened}
        onClose={() => setOpened(false)}
        question={words.question(`op ${operation.opId.slice(0, 8)}`)}
        action={words.button}
        keep={words.keep}
        busy={busy}
        onConfirm={() => void send()}
      >
        <p>{words.consequence}</p>
        <ReasonField value={reason} onChange={setReason} error={error} />
      </ConfirmConsequence>
    </>
  );
}

const LOST = "We did not hear back. It may have been recorded; the state below is the present one.";
