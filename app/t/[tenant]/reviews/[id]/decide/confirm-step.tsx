"use client";

import type { DecisionOption } from "@/lib/domain/decision";
import type { DecisionFamily } from "@/lib/domain/decision-family";
import { decisionWord } from "@/lib/domain/decision-words";
import type { ReviewItemPage } from "@/lib/queries/review-item-page";
import classes from "./decide.module.css";
import type { DecideDraft } from "./decide-draft";
import type { Deciding } from "./use-decide";

interface ConfirmStepProps {
  readonly page: ReviewItemPage;
  readonly option: DecisionOption;
  readonly draft: DecideDraft;
  readonly deciding: Deciding;
}

/** The decision in one sentence with its reason, before the button that reads and records it. */
export function ConfirmStep({ page, option, draft, deciding }: ConfirmStepProps) {
  const { opId, requestRef } = page.item;
  const about = opId === null ? "this item" : `op ${opId.slice(0, 8)}`;
  const { decided } = decisionWord(option.code, page.family);
  const { problem, status } = deciding;
  return (
    <section aria-label="Confirm" className={classes.page}>
      <p className={classes.question}>
        {option.needsRead ? `Read ${requestRef ?? "the platform"} now; if it agrees: ` : ""}
        {about} {decided}
        {draft.kept === "" ? "" : ` (platform reference ${draft.kept})`}.
      </p>
      <p className={classes.plain}>Reason:</p>
      <blockquote className={classes.quote}>{draft.reason}</blockquote>
      {problem === null ? null : (
        <div role="alert" className={classes.outcome}>
          <p>{problem.detail}</p>
          {problem.code === "read_budget_empty" ? (
            <p>
              Nothing was decided, because it needs a fresh read. Your choice and reason are kept.
            </p>
          ) : (
            <p>Nothing was decided.</p>
          )}
        </div>
      )}
      <output>{status}</output>
    </section>
  );
}

/** What the last button says: the verb, and that a second person comes next where no read can prove it. */
export function confirmLabel(option: DecisionOption, family: DecisionFamily): string {
  if (option.secondPerson) return "Ask a second person to confirm";
  return decisionWord(option.code, family).button;
}
