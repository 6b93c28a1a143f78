"use client";

import { Button } from "@mantine/core";
import Link from "next/link";
import { useEffect, useRef } from "react";
import { ItemDifference } from "@/app/t/[tenant]/reviews/[id]/item-difference";
import { Fact } from "@/components/fact";
import { useFrame } from "@/components/frame/frame-facts";
import { personWords } from "@/components/person-words";
import { shortReceipt } from "@/components/read-receipt";
import { StateBadge } from "@/components/state-badge";
import { formatMoment } from "@/lib/domain/deadline";
import { decisionWord, OUTCOME_WORDS } from "@/lib/domain/decision-words";
import { mayOpen } from "@/lib/domain/navigation";
import type { DecisionView } from "@/lib/queries/decision-view";
import type { ReviewRow } from "@/lib/queries/review-rows";
import classes from "./decide.module.css";
import { SecondPerson } from "./second-person";
import type { Deciding } from "./use-decide";

interface OutcomePanelProps {
  readonly tenant: string;
  readonly zone: string;
  readonly item: Pick<ReviewRow, "requestRef" | "opId" | "kind">;
  readonly decision: DecisionView;
  readonly deciding: Deciding;
  readonly queue: string;
  /** The next item of the list one came from. */
  readonly next: string | null;
  /** The draft has served once a decision stands. */
  forget(): void;
  /** Goes back to the first step with the choice as it was. */
  onChooseAgain(): void;
}

/** What came of a decision: under way, stood, did not stand, or waits for a second person (screens 4.9, 4.13). */
export function OutcomePanel(props: OutcomePanelProps) {
  const { decision } = props;
  switch (decision.outcome) {
    case "reading":
    case "confirming":
      return <Reading decision={decision} />;
    case "proven":
    case "overridden":
    case "proposal_open":
      return <Stands {...props} />;
    case "second_person":
      return <SecondPerson {...props} />;
    case "refused_by_read":
    case "unreadable":
    case "budget_empty":
    case "override_refused":
    case "moved_on":
    case "stopped":
      return <NothingDecided {...props} />;
  }
}

function Reading({ decision }: { readonly decision: DecisionView }) {
  return (
    <section className={`${classes.outcome} ${classes.reading}`} aria-label="Outcome">
      <p role="status">
        {decision.outcome === "reading"
          ? "Reading the platform now. Nothing is decided yet."
          : OUTCOME_WORDS.confirming}
      </p>
    </section>
  );
}

function Stands({ tenant, item, decision, queue, next, forget }: OutcomePanelProps) {
  const proposes = mayOpen(useFrame().role, "request_propose");
  const done = useRef(forget);
  done.current = forget;
  useEffect(() => done.current(), []);
  const { decided } = decisionWord(decision.option, decision.family);
  const code = decision.outcome === "overridden" ? "closed_override" : "closed_proven";
  return (
    <Fact
      actions={
        <>
          {decision.outcome === "proposal_open" && item.requestRef !== null && proposes ? (
            <Link href={`/t/${tenant}/requests/${item.requestRef}${proposalPath(item)}`}>
              Write the new proposal
            </Link>
          ) : null}
          <Link href={queue}>Back to the queue</Link>
          {next === null ? null : <Link href={`/t/${tenant}/reviews/${next}`}>Next item</Link>}
          {decision.proposedOps.map((opId) => (
            <Link key={opId} href={`/t/${tenant}/operations/${opId}`}>
              Proposed: op {opId.slice(0, 8)}
            </Link>
          ))}
        </>
      }
    >
      {decision.outcome === "proposal_open" ? (
        <>
          {OUTCOME_WORDS.proposal_open}
          {proposes ? "" : " An account manager writes it."}
        </>
      ) : (
        <>
          <StateBadge family="review" code={code} />{" "}
          {decision.outcome === "proven" ? "Decided" : "Decided by two people"}: {decided}
          {decision.endedAt === null ? "" : ` at ${formatMoment(decision.endedAt)}`}.{" "}
          {readWords(decision)}
        </>
      )}
    </Fact>
  );
}

const FORMS: readonly string[] = ["extend", "remind", "resend", "expire", "void"];

/** The form for the new proposal; without an operation a correction is a new deadline. */
function proposalPath({ kind, opId }: OutcomePanelProps["item"]): string {
  if (opId === null) return "/propose/extend";
  return kind !== null && FORMS.includes(kind) ? `/propose/${kind}?supersedes=${opId}` : "";
}

/** "The read r_67 of 16:31:05Z agreed." */
function readWords({ receipt, outcome }: DecisionView): string {
  if (receipt === null) return outcome === "proven" ? "It needed no read." : "";
  const words = `The read ${shortReceipt(receipt.id)} of ${formatMoment(receipt.at)}`;
  return outcome === "proven" ? `${words} agreed.` : `${words} did not agree.`;
}

function NothingDecided({ zone, decision, deciding, onChooseAgain }: OutcomePanelProps) {
  const { outcome, receipt, difference, shows, possibleAt } = decision;
  return (
    <section className={classes.outcome} aria-labelledby="outcome" role="alert">
      <h2 id="outcome">
        {outcome === "budget_empty" ? budgetWords(possibleAt) : OUTCOME_WORDS[outcome]}
      </h2>
      {outcome === "budget_empty" ? (
        <p>
          Nothing was decided, because it needs a fresh read. Your choice and reason are kept
          {possibleAt === null
            ? "."
            : `; Confirm is possible again from ${formatMoment(possibleAt)}.`}
        </p>
      ) : null}
      {shows === null ? null : <p>{shows}</p>}
      {outcome === "override_refused" && decision.second !== null ? (
        <p>
          {capital(personWords(decision.second.by))} refused: “{decision.second.reason ?? "…"}”
        </p>
      ) : null}
      {difference === null || difference.length === 0 ? null : (
        <ItemDifference
          caption="What the fresh read shows"
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
      <div className={classes.actions}>
        <Button
          variant="default"
          onClick={() => {
            deciding.again();
            onChooseAgain();
          }}
        >
          {outcome === "budget_empty" ? "Back to the decision" : "Choose again"}
        </Button>
        {decision.mayAskSecond ? (
          <Button
            loading={deciding.phase !== "idle"}
            classNames={{ label: classes.label ?? "" }}
            onClick={() => deciding.answer("override")}
          >
            Ask a second person to confirm against the read
          </Button>
        ) : null}
      </div>
      <p className={classes.code}>
        <code>{outcome}</code>
        {receipt === null ? null : <code> {receipt.id}</code>}
      </p>
    </section>
  );
}

function budgetWords(possibleAt: string | null): string {
  return possibleAt === null
    ? "No read is free on this connection now."
    : `No read is free on this connection until ${formatMoment(possibleAt)}.`;
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
