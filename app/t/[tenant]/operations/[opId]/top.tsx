"use client";

import { StateBadge } from "@/components/state-badge";
import { Countdown } from "@/components/ticking";
import { TimeAgo } from "@/components/time-ago";
import { clockWords, ownerWords } from "@/lib/domain/waiting";
import { epochOf } from "@/lib/domain/zone";
import type { OperationPage } from "@/lib/queries/operation-page";
import { Actions } from "./actions";
import classes from "./operation.module.css";

interface TopProps {
  readonly tenant: string;
  readonly page: OperationPage;
  again(): void;
}

/** The state, since when, what it means in plain words, and what one may do about it. */
export function Top({ tenant, page, again }: TopProps) {
  const { operation, sentences } = page;
  return (
    <section className={classes.top} aria-label="State">
      <div className={classes.line}>
        <StateBadge
          family="operation"
          code={operation.state}
          reason={operation.reason}
          size="large"
          values={{
            owner: ownerWords(operation.owner),
            next: operation.nextLookAt === null ? null : clockWords(operation.nextLookAt, page.now),
          }}
        />
        <span>
          since <TimeAgo instant={operation.changedAt} />
        </span>
        <div className={classes.actions}>
          <Actions tenant={tenant} page={page} again={again} />
        </div>
      </div>
      {sentences.map((sentence) => (
        <p key={sentence} className={classes.sentence}>
          {sentence}
        </p>
      ))}
      <NextLook page={page} />
    </section>
  );
}

/** "Checking again at 16:24 UTC (in 1 min 40 s). Look 3 of 12; an owner is told at 16:52 UTC." */
function NextLook({ page }: { readonly page: OperationPage }) {
  const { operation, ownerToldAt, now } = page;
  const { state, nextLookAt, looks, looksMax } = operation;
  if (state !== "needs_reconcile" || nextLookAt === null) return null;
  const told = ownerToldAt === null ? null : clockWords(ownerToldAt, now);
  const isTold = ownerToldAt !== null && epochOf(ownerToldAt) <= epochOf(now);
  return (
    <p className={classes.sentence}>
      Checking again at {clockWords(nextLookAt, now)} (<Countdown to={nextLookAt} now={now} />
      ). Look {Math.min(looks + 1, looksMax)} of {looksMax}
      {told === null ? "." : `; an owner ${isTold ? "was" : "is"} told at ${told}.`}
    </p>
  );
}
