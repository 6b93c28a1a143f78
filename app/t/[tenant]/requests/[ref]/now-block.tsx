"use client";

import { Button } from "@mantine/core";
import Link from "next/link";
import { useState } from "react";
import { postJson } from "@/components/api-call";
import { useNow } from "@/components/frame/live";
import { freshId } from "@/components/fresh-id";
import panel from "@/components/panel.module.css";
import { StateBadge } from "@/components/state-badge";
import { Countdown } from "@/components/ticking";
import { askedSentence } from "@/lib/domain/asked";
import { DEFAULT_BOUNDS } from "@/lib/domain/bounds";
import { formatDuration } from "@/lib/domain/deadline";
import type { OperationState } from "@/lib/domain/operation";
import { reasonSentence } from "@/lib/domain/reason-sentence";
import { clockWords } from "@/lib/domain/waiting";
import { epochOf, instantOf } from "@/lib/domain/zone";
import type { RequestOperation, RequestView } from "@/lib/queries/request-page";
import classes from "./request.module.css";

interface NowBlockProps {
  readonly tenant: string;
  readonly view: RequestView;
  readonly mayCheck: boolean;
}

/** The operation that is in flight or next, in plain words; "Nothing is in flight." otherwise. */
export function NowBlock({ tenant, view, mayCheck }: NowBlockProps) {
  const operation = nowOf(view.operations);
  return (
    <section className={panel.panel} aria-labelledby="now">
      <h2 id="now" className={panel.heading}>
        Now
      </h2>
      {operation === null ? (
        <p className={classes.line}>Nothing is in flight.</p>
      ) : (
        <Operation tenant={tenant} view={view} operation={operation} mayCheck={mayCheck} />
      )}
    </section>
  );
}

/** What deserves the place, first to last: in flight or unknown, waits for a person, planned, proposed. */
const ORDER: readonly (readonly string[])[] = [
  ["claimed", "submitting", "needs_reconcile", "reconciling"],
  ["quarantined", "needs_review"],
  ["scheduled"],
  ["proposed"],
];

function nowOf(operations: readonly RequestOperation[]): RequestOperation | null {
  for (const states of ORDER) {
    const found = operations
      .filter(({ state }) => states.includes(state))
      .sort((left, right) => left.dueAt.localeCompare(right.dueAt))[0];
    if (found) return found;
  }
  return null;
}

interface OperationProps extends NowBlockProps {
  readonly operation: RequestOperation;
}

function Operation({ tenant, view, operation, mayCheck }: OperationProps) {
  const { opId, state, reason, asked, kind } = operation;
  const path = `/t/${tenant}/${state === "proposed" ? "approvals" : "operations"}/${opId}`;
  return (
    <>
      <p className={classes.line}>
        <StateBadge family="operation" code={state as OperationState} reason={reason} />{" "}
        {askedSentence(asked, kind, view.zone)}
      </p>
      {state === "needs_reconcile" || state === "reconciling" ? (
        <Unknown operation={operation} />
      ) : (
        <p className={classes.line}>{sentenceOf(operation, view.now)}</p>
      )}
      <p className={classes.actions}>
        {state === "needs_reconcile" && mayCheck ? <CheckNow tenant={tenant} opId={opId} /> : null}
        <Link href={path}>{state === "proposed" ? "Open approval" : "Open operation"}</Link>
      </p>
    </>
  );
}

function sentenceOf({ state, reason, dueAt }: RequestOperation, now: string): string {
  switch (state) {
    case "proposed":
      return "Nothing happens before it is approved.";
    case "scheduled":
      return epochOf(dueAt) > epochOf(now)
        ? `Approved. Due ${clockWords(dueAt, now)}.`
        : "Approved. A worker takes it when nothing else on the request is in the way.";
    case "claimed":
      return "A worker holds it and reads the platform. Nothing has been sent.";
    case "submitting":
      return "The worker recorded its intent and the call may be under way.";
    default:
      return reasonSentence(reason);
  }
}

/** The exact words for an effect that nobody can confirm yet (screens 4.5). */
function Unknown({ operation }: { readonly operation: RequestOperation }) {
  const now = useNow();
  const { state, nextLookAt, looks, unknownSince, reason } = operation;
  const { looksMax, unknownToldAfterMs } = DEFAULT_BOUNDS;
  const toldAt = unknownSince && instantOf(epochOf(unknownSince) + unknownToldAfterMs);
  const isTold = toldAt !== null && epochOf(toldAt) <= epochOf(now);
  return (
    <div className={classes.unknown}>
      <p>
        <strong>We could not confirm that the platform applied this.</strong>
      </p>
      <p>It may have been applied. We do not send it again; we look at the platform.</p>
      <p>
        {state === "reconciling" ? "Looking now. Nothing is being changed." : null}
        {state === "needs_reconcile" && nextLookAt ? (
          <>
            Checking again at {clockWords(nextLookAt, now)} (
            <Countdown to={nextLookAt} now={now} />
            ). Look {Math.min(looks + 1, looksMax)} of {looksMax}
            {toldAt && reason !== "unknown_past_age"
              ? `; at ${clockWords(toldAt, now)} an owner ${isTold ? "was" : "is"} told.`
              : "."}
          </>
        ) : null}
        {reason === "unknown_past_age" && unknownSince
          ? ` Unknown for ${formatDuration(epochOf(now) - epochOf(unknownSince))}. An owner was told; we go on looking.`
          : null}
      </p>
    </div>
  );
}

function CheckNow({ tenant, opId }: { readonly tenant: string; readonly opId: string }) {
  const [said, setSaid] = useState("");
  const [busy, setBusy] = useState(false);
  const check = async () => {
    setBusy(true);
    const url = `/api/v1/t/${tenant}/operations/${opId}/checks`;
    const answer = await postJson(url, {}, freshId());
    setBusy(false);
    if (answer.kind === "ok") setSaid("A look was asked for.");
    else setSaid(answer.kind === "refused" ? answer.problem.detail : "We did not hear back.");
  };
  return (
    <>
      <Button size="compact-sm" variant="default" loading={busy} onClick={() => void check()}>
        Check now
      </Button>
      <output>{said}</output>
    </>
  );
}
