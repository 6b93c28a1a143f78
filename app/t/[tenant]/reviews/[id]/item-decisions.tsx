"use client";

import Link from "next/link";
import panel from "@/components/panel.module.css";
import { personWords } from "@/components/person-words";
import { formatMoment } from "@/lib/domain/deadline";
import { decisionWord, OUTCOME_WORDS } from "@/lib/domain/decision-words";
import type { DecisionView } from "@/lib/queries/decision-view";
import classes from "./item.module.css";

interface ItemDecisionsProps {
  readonly tenant: string;
  readonly heading: string;
  readonly decisions: readonly DecisionView[];
  readonly none: string;
}

/** Decisions with who made them, why, and what came of them. */
export function ItemDecisions({ tenant, heading, decisions, none }: ItemDecisionsProps) {
  return (
    <section className={panel.panel} aria-label={heading}>
      <h2 className={panel.heading}>
        {heading} ({decisions.length})
      </h2>
      {decisions.length === 0 ? <p className={classes.plain}>{none}</p> : null}
      <ul className={classes.list}>
        {decisions.map((decision) => (
          <li key={decision.id}>
            <Decision tenant={tenant} decision={decision} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Decision({
  tenant,
  decision,
}: {
  readonly tenant: string;
  readonly decision: DecisionView;
}) {
  const { option, family, at, by, outcome, reason, second, itemId } = decision;
  return (
    <>
      <div>
        <time dateTime={at} className={panel.mono}>
          {formatMoment(at)}
        </time>{" "}
        <Link href={`/t/${tenant}/reviews/${itemId}`}>
          “{decisionWord(option, family).decided}”
        </Link>{" "}
        by {personWords(by)}. {OUTCOME_SHORT[outcome] ?? OUTCOME_WORDS[outcome]}
      </div>
      {reason === null ? null : <blockquote className={classes.quote}>{reason}</blockquote>}
      {second === null ? null : (
        <div>
          {second.answer === "confirmed" ? "Confirmed" : "Refused"} by {personWords(second.by)},{" "}
          {formatMoment(second.at)}
          {second.reason === null ? "." : `: “${second.reason}”`}
        </div>
      )}
    </>
  );
}

/** Some outcomes speak to the first person where they are shown on the spot; here they are read by anybody. */
const OUTCOME_SHORT: Readonly<Record<string, string>> = {
  proven: "Proven.",
  second_person: "Waits for a second person.",
};
