"use client";

import { useState } from "react";
import { ConfirmConsequence } from "@/components/confirm-consequence";
import { ReasonField } from "@/components/reason-field";
import { reasonProblem } from "@/lib/domain/reason-text";

interface EndDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onConfirm: (reason: string) => void;
}

interface RejectDialogProps extends EndDialogProps {
  /** "extension", as in "Reject the extension of req_7006?". */
  readonly noun: string;
  readonly requestRef: string;
}

/** Turning down needs a reason; the proposer is told. */
export function RejectDialog({ noun, requestRef, ...dialog }: RejectDialogProps) {
  return (
    <EndDialog
      {...dialog}
      question={`Reject the ${noun} of ${requestRef}?`}
      body="It ends as no longer needed. The proposer is told your reason."
      action={`Reject ${noun}`}
      keep="Go back"
    />
  );
}

/** Taking back what one proposed. */
export function WithdrawDialog(dialog: EndDialogProps) {
  return (
    <EndDialog
      {...dialog}
      question="Withdraw this proposal?"
      body="Nothing was sent. It ends as no longer needed."
      action="Withdraw proposal"
      keep="Keep the proposal"
    />
  );
}

interface Words extends EndDialogProps {
  readonly question: string;
  readonly body: string;
  readonly action: string;
  readonly keep: string;
}

function EndDialog({ opened, onClose, onConfirm, question, body, action, keep }: Words) {
  const [reason, setReason] = useState("");
  const [error, setError] = useState<string | null>(null);
  const confirm = () => {
    const problem = reasonProblem(reason, { min: 1 });
    setError(problem);
    if (problem !== null) return;
    onClose();
    onConfirm(reason);
  };
  return (
    <ConfirmConsequence
      opened={opened}
      onClose={onClose}
      question={question}
      action={action}
      keep={keep}
      onConfirm={confirm}
    >
      <p>{body}</p>
      <ReasonField value={reason} onChange={setReason} error={error} limits={{ min: 1 }} />
    </ConfirmConsequence>
  );
}
