"use client";

import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useEffect, useRef } from "react";
import { ConfirmConsequence } from "@/components/confirm-consequence";
import { useNow } from "@/components/frame/live";
import { Hash } from "@/components/hash";
import { askedObject, kindNoun } from "@/lib/domain/asked";
import { formatMoment } from "@/lib/domain/deadline";
import { REFUSALS } from "@/lib/domain/refusal-words";
import { epochOf } from "@/lib/domain/zone";
import type { ApproveView } from "@/lib/queries/approve-page";
import classes from "./approve.module.css";
import { approveQuestion } from "./approve-question";
import { changeOf } from "./changed-notice";
import { DecidedFact } from "./decided-fact";
import { RejectDialog, WithdrawDialog } from "./end-dialogs";
import type { Decision } from "./use-decision";
import type { Review } from "./use-review";

interface ActionBarProps {
  readonly tenant: string;
  readonly view: ApproveView;
  readonly review: Review;
  readonly decision: Decision;
  /** What the proposer wrote; null where it can no longer be read. */
  readonly reason: string | null;
  /** False when the page came with a decision already made: its fact then leaves the focus alone. */
  readonly waitedOnOpening: boolean;
}

/** The hash, and beside it either the two answers or the fact that stands in their place. */
export function ActionBar(props: ActionBarProps) {
  const { view, decision } = props;
  return (
    <section className={classes.bar} aria-label="Decision">
      <p className={classes.bound}>
        <Hash value={view.hash} kind="payload" />{" "}
        {view.hashFits ? (
          <span>Your approval is bound to this hash and version {view.version}.</span>
        ) : (
          <strong>
            The stored payload no longer matches this hash. It was not and will not be sent.
          </strong>
        )}
      </p>
      <output className={classes.status}>{decision.status}</output>
      <Answers {...props} />
    </section>
  );
}

function Answers(props: ActionBarProps) {
  const { tenant, view, review, decision, waitedOnOpening } = props;
  const now = useNow();
  const { state, may, approvalExpiresAt } = view;
  const own = view.decisions.some(
    (one) => one.by.you && one.version === view.version && !one.revoked,
  );
  if (state !== "proposed" || own || decision.approved !== null) {
    return (
      <DecidedFact tenant={tenant} view={view} decision={decision} takesFocus={waitedOnOpening} />
    );
  }
  if (approvalExpiresAt !== null && epochOf(approvalExpiresAt) <= epochOf(now)) {
    return (
      <p>
        Nobody approved before {formatMoment(approvalExpiresAt)}. Propose again if it is still
        wanted.
      </p>
    );
  }
  if (may.why !== null) return <NotYours {...props} />;
  const change = changeOf(view, review, decision);
  if (change === "version") return null;
  if (change === "request" || !view.hashFits) return <RejectButton {...props} />;
  return <Buttons {...props} />;
}

function NotYours({ view, decision }: ActionBarProps) {
  const [opened, dialog] = useDisclosure(false);
  const { why, withdraw } = view.may;
  return (
    <>
      {why === null ? null : <p>{REFUSALS[why].sentence}</p>}
      <Problem decision={decision} />
      {withdraw ? (
        <Button variant="default" loading={decision.phase !== "open"} onClick={dialog.open}>
          Withdraw proposal
        </Button>
      ) : null}
      <WithdrawDialog opened={opened} onClose={dialog.close} onConfirm={decision.withdraw} />
    </>
  );
}

function Buttons({ view, review, decision, reason }: ActionBarProps) {
  const [confirming, confirm] = useDisclosure(false);
  const button = useRef<HTMLButtonElement>(null);
  useApproveKey(button);
  const { asked, kind, request, approvalExpiresAt, paused } = view;
  const object = askedObject(asked, kind, request.zone, request.ref);
  const busy = decision.phase !== "open" || review.pin === null;
  const question = approveQuestion(view, reason);
  return (
    <>
      {paused ? <p>Approving is possible. It will not start while {kind} is paused.</p> : null}
      <Problem decision={decision} />
      <div className={classes.buttons}>
        <Button
          ref={button}
          disabled={busy}
          onClick={question === null ? decision.approve : confirm.open}
          classNames={{ label: classes.label ?? "" }}
        >
          Approve {object}
        </Button>
        <RejectButton view={view} review={review} decision={decision} />
        {approvalExpiresAt === null ? null : (
          <span className={classes.until}>Open until {formatMoment(approvalExpiresAt)}</span>
        )}
      </div>
      {review.pin === null ? <output>Reading the request before you decide…</output> : null}
      {question === null ? null : (
        <ConfirmConsequence
          opened={confirming}
          onClose={confirm.close}
          question={question.heading}
          action={`Approve ${object}`}
          keep="Not yet"
          onConfirm={() => {
            confirm.close();
            decision.approve();
          }}
          danger={question.typed}
          {...(question.typed ? { typed: request.ref } : {})}
        >
          {question.body}
        </ConfirmConsequence>
      )}
    </>
  );
}

function RejectButton({
  view,
  review,
  decision,
}: Pick<ActionBarProps, "view" | "review" | "decision">) {
  const [opened, dialog] = useDisclosure(false);
  return (
    <>
      <Button
        variant="default"
        disabled={decision.phase !== "open" || review.pin === null}
        onClick={dialog.open}
      >
        Reject…
      </Button>
      <RejectDialog
        opened={opened}
        onClose={dialog.close}
        noun={kindNoun(view.kind)}
        requestRef={view.request.ref}
        onConfirm={decision.reject}
      />
    </>
  );
}

function Problem({ decision: { problem } }: { readonly decision: Decision }) {
  if (problem === null) return null;
  return <p role="alert">{problem.detail} Nothing was recorded.</p>;
}

/** Ctrl+Enter moves the focus to the button; Enter then presses it, so that no single chord approves. */
function useApproveKey(button: { readonly current: HTMLButtonElement | null }): void {
  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        button.current?.focus();
      }
    };
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, [button]);
}
