"use client";

import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useEffect, useRef } from "react";
import { ConfirmConsequence } from "@/components/confirm-consequence";
import { useNow } from "@/components/frame/live";
import { Hash } from "@/components/hash";
import { askedObject, kindNoun, signerCount } from "@/lib/domain/asked";
import { formatLocal, formatMoment } from "@/lib/domain/deadline";
import { REFUSALS } from "@/lib/domain/refusal-words";
import { epochOf } from "@/lib/domain/zone";
import type { ApproveView } from "@/lib/queries/approve-page";
import classes from "./approve.module.css";
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

function Buttons({ view, review, decision }: ActionBarProps) {
  const [confirming, confirm] = useDisclosure(false);
  const button = useRef<HTMLButtonElement>(null);
  useApproveKey(button);
  const { asked, kind, request, approvalExpiresAt, paused } = view;
  const object = askedObject(asked, kind, request.zone, request.ref);
  const busy = decision.phase !== "open" || review.pin === null;
  const needsDialog = kind !== "extend" && kind !== "remind";
  return (
    <>
      {paused ? <p>Approving is possible. It will not start while {kind} is paused.</p> : null}
      <Problem decision={decision} />
      <div className={classes.buttons}>
        <Button
          ref={button}
          disabled={busy}
          onClick={needsDialog ? confirm.open : decision.approve}
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
      <ConfirmConsequence
        opened={confirming}
        onClose={confirm.close}
        question={questionOf(view)}
        action={`Approve ${object}`}
        keep="Not yet"
        onConfirm={() => {
          confirm.close();
          decision.approve();
        }}
        {...(kind === "void" ? { typed: request.ref } : {})}
      >
        {consequenceOf(view)}
      </ConfirmConsequence>
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

function questionOf({ asked, kind, request }: ApproveView): string {
  if (asked !== null && kind === "send") return `Approve sending to ${signerCount(asked)}?`;
  if (kind === "resend") return `Approve resending ${request.ref}?`;
  if (kind === "void") return `Approve voiding ${request.ref}?`;
  if (kind === "expire") return `Approve closing ${request.ref} now?`;
  return `Approve ${kindNoun(kind)} of ${request.ref}?`;
}

function consequenceOf({ asked, kind, request }: ApproveView): string {
  const until =
    asked?.targetAt == null
      ? null
      : formatLocal(asked.targetAt, asked.deadline?.zone ?? request.zone);
  switch (kind) {
    case "send": {
      const digests = (asked?.documentDigests ?? []).map((digest) => digest.slice(0, 8)).join(", ");
      return `Documents ${asked?.documentDigests.length ?? 0}, digests ${digests}; deadline ${until}. It cannot be unsent, only voided.`;
    }
    case "void":
      return `${request.signed ?? 0} of ${request.signerCount ?? 0} signers has signed. A void cannot be undone.`;
    case "expire":
      return "Nobody can sign after this.";
    default:
      return "The signers are contacted again.";
  }
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
