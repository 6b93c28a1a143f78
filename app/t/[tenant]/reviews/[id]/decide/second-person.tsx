"use client";

import { Button } from "@mantine/core";
import { useState } from "react";
import { ItemDifference } from "@/app/t/[tenant]/reviews/[id]/item-difference";
import { personWords } from "@/components/person-words";
import { shortReceipt } from "@/components/read-receipt";
import { ReasonField } from "@/components/reason-field";
import { formatMoment } from "@/lib/domain/deadline";
import { decisionWord } from "@/lib/domain/decision-words";
import { reasonProblem } from "@/lib/domain/reason-text";
import { REFUSALS } from "@/lib/domain/refusal-words";
import type { DecisionView } from "@/lib/queries/decision-view";
import classes from "./decide.module.css";
import type { Deciding } from "./use-decide";

interface SecondPersonProps {
  readonly zone: string;
  readonly decision: DecisionView;
  readonly deciding: Deciding;
}

/** A decision against a read: what the first person sees while it waits, and what the second one answers (4.9). */
export function SecondPerson({ zone, decision, deciding }: SecondPersonProps) {
  const { receipt, difference, by, byYou, reason, mayConfirm, whyNot } = decision;
  const { decided } = decisionWord(decision.option, decision.family);
  const against = receipt === null ? "" : ` against the read of ${formatMoment(receipt.at)}`;
  return (
    <section className={classes.outcome} aria-labelledby="second">
      <h2 id="second">
        {mayConfirm
          ? `You are asked to confirm “${decided}”${against}.`
          : `Waits for a second person: “${decided}”${against}.`}
      </h2>
      {byYou ? <p>You cannot confirm it yourself.</p> : null}
      <p>{byYou ? "Your reason" : `Reason of the first person, ${personWords(by)}`}:</p>
      <blockquote className={classes.quote}>{reason ?? "…"}</blockquote>
      {difference === null || difference.length === 0 ? null : (
        <ItemDifference
          caption="What the read showed"
          rows={difference}
          zone={zone}
          platform={
            receipt === null
              ? "no read"
              : `${shortReceipt(receipt.id)}, ${formatMoment(receipt.at)}`
          }
          webhook={null}
        />
      )}
      {mayConfirm ? (
        <Answer deciding={deciding} />
      ) : (
        <p>{whyNot === null ? null : REFUSALS[whyNot].sentence}</p>
      )}
    </section>
  );
}

function Answer({ deciding }: Pick<SecondPersonProps, "deciding">) {
  const [reason, setReason] = useState("");
  const [error, setError] = useState<string | null>(null);
  const send = (verb: "confirm" | "refuse") => {
    const problem = reasonProblem(reason);
    setError(problem);
    if (problem === null) deciding.answer(verb, reason.trim());
  };
  const busy = deciding.phase !== "idle";
  return (
    <>
      <ReasonField
        label="Your own reason"
        value={reason}
        onChange={setReason}
        error={error}
        id="second-reason"
      />
      {deciding.problem === null ? null : <p role="alert">{deciding.problem.detail}</p>}
      <output>{deciding.status}</output>
      <div className={classes.actions}>
        <Button loading={busy} onClick={() => send("confirm")}>
          Confirm against the read
        </Button>
        <Button variant="default" loading={busy} onClick={() => send("refuse")}>
          Refuse
        </Button>
      </div>
    </>
  );
}
