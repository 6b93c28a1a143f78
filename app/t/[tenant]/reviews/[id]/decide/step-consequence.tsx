"use client";

import Link from "next/link";
import type { DecisionOption } from "@/lib/domain/decision";
import type { DecisionFamily } from "@/lib/domain/decision-family";
import { decisionWord } from "@/lib/domain/decision-words";
import classes from "./decide.module.css";

interface StepConsequenceProps {
  readonly tenant: string;
  readonly option: DecisionOption;
  readonly family: DecisionFamily;
  /** Operations of the request that wait for this one. */
  readonly released: readonly { readonly opId: string; readonly kind: string }[];
  /** Who is told, in words. */
  readonly told: readonly string[];
}

/** What follows, before anything is confirmed: the ledger, what is released, who is told, and how it is proven. */
export function StepConsequence({ tenant, option, family, released, told }: StepConsequenceProps) {
  const { label, consequence } = decisionWord(option.code, family);
  return (
    <section aria-label={`Consequence of: ${label}`}>
      <dl className={classes.facts}>
        <dt>Decision</dt>
        <dd>{label}</dd>
        <dt>What follows</dt>
        <dd>{consequence}</dd>
        <dt>Released by it</dt>
        <dd>
          {released.length === 0
            ? "No other operation waits for this one."
            : released.map(({ opId, kind }) => (
                <span key={opId}>
                  <Link href={`/t/${tenant}/operations/${opId}`}>
                    {kind} op {opId.slice(0, 8)}
                  </Link>{" "}
                </span>
              ))}
        </dd>
        <dt>Who is told</dt>
        <dd>{told.length === 0 ? "Nobody beside the history." : `${told.join(", ")}.`}</dd>
        <dt>At the platform</dt>
        <dd>Nothing is changed there by this step.</dd>
        <dt>Proof</dt>
        <dd>{proofWords(option)}</dd>
      </dl>
    </section>
  );
}

function proofWords({ needsRead, overridable, secondPerson }: DecisionOption): string {
  if (secondPerson) {
    return "No read can prove it here. A second person has to confirm it, with a reason of their own.";
  }
  if (!needsRead) return "None is needed: nothing is claimed about the platform.";
  return overridable
    ? "A fresh read decides. If it does not agree nothing is decided; a second person may then confirm against it."
    : "A fresh read decides. If it does not agree nothing is decided, and nobody can override that.";
}
