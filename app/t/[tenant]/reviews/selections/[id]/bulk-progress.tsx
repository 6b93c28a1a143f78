"use client";

import { Button, Progress } from "@mantine/core";
import Link from "next/link";
import panel from "@/components/panel.module.css";
import { personWords } from "@/components/person-words";
import { TimeAgo } from "@/components/time-ago";
import { decisionWord } from "@/lib/domain/decision-words";
import type { DecisionSelectionPage } from "@/lib/queries/decision-selection-page";
import { readsWords } from "./bulk-form";
import classes from "./selection.module.css";
import type { Bulk } from "./use-bulk";

interface BulkProgressProps {
  readonly tenant: string;
  readonly page: DecisionSelectionPage;
  readonly bulk: Bulk;
}

/** How far the bulk decision is, and what came of it; the three groups and what waits add up to the whole. */
export function BulkProgress({ tenant, page, bulk }: BulkProgressProps) {
  const { results, count, running, stoppedAt, option, decidedAt, decidedBy } = page;
  const through = count - results.waiting;
  return (
    <section className={panel.panel} aria-label="Progress">
      <p className={classes.plain}>
        {option === null ? "" : `“${decisionWord(option, page.family).decided}”`}
        {decidedBy === null ? "" : ` by ${personWords(decidedBy)}`}
        {decidedAt === null ? null : (
          <>
            , <TimeAgo instant={decidedAt} />
          </>
        )}
        {stoppedAt === null ? "" : ". Stopped: what no worker had taken is not attempted"}.
      </p>
      <Progress
        aria-label={`${through} of ${count} through`}
        value={(through / count) * 100}
        size="md"
        transitionDuration={0}
      />
      <p role="status" className={classes.plain}>
        {running ? `${through} of ${count} through. ${readsWords(page)}` : `All ${count} through.`}
      </p>
      <Results results={results} />
      {bulk.problem === null ? null : <p role="alert">{bulk.problem}</p>}
      {running && stoppedAt === null ? (
        <Button variant="default" loading={bulk.busy} onClick={bulk.stop}>
          Stop the rest
        </Button>
      ) : (
        <Link href={`/t/${tenant}/reviews`}>Back to the queue</Link>
      )}
    </section>
  );
}

function Results({ results }: Pick<DecisionSelectionPage, "results">) {
  return (
    <dl className={classes.results}>
      <div>
        <dt>Proven and closed</dt> <dd>{results.proven}</dd>
      </div>
      <div>
        <dt>Not proven, still open</dt> <dd>{results.not_proven}</dd>
      </div>
      <div>
        <dt>Not attempted</dt> <dd>{results.not_attempted}</dd>
      </div>
      {results.waiting === 0 ? null : (
        <div>
          <dt>Waiting for its read</dt> <dd>{results.waiting}</dd>
        </div>
      )}
    </dl>
  );
}
