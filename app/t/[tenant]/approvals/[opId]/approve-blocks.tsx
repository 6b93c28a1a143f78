"use client";

import { Button } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { type ReactNode, useEffect, useState } from "react";
import { Clocks } from "@/app/t/[tenant]/requests/[ref]/request-clocks";
import { BeforeAfter } from "@/components/before-after";
import { useNow } from "@/components/frame/live";
import panel from "@/components/panel.module.css";
import { PayloadView, payloadSize } from "@/components/payload-view";
import { Reveal } from "@/components/reveal";
import { TimeAgo } from "@/components/time-ago";
import { formatAge, formatLocal } from "@/lib/domain/deadline";
import { raceSentence, resendSentence, roundingSentence } from "@/lib/domain/promise-words";
import { ROLE_LABELS } from "@/lib/domain/role";
import { REQUEST_WORDS, type RequestWordCode } from "@/lib/domain/words";
import { epochOf } from "@/lib/domain/zone";
import type { ApproveView } from "@/lib/queries/approve-page";
import classes from "./approve.module.css";
import { changedFields } from "./changed-fields";
import type { Review } from "./use-review";

interface BlocksProps {
  readonly tenant: string;
  readonly view: ApproveView;
  readonly review: Review;
  readonly mayReveal: boolean;
  readonly asksReason: boolean;
}

/** The six blocks of the approval, in the order in which one thinks. On a narrow page the last four begin folded. */
export function ApproveBlocks(props: BlocksProps) {
  const { view, review } = props;
  const { request, asked, rule } = view;
  const zone = asked?.deadline?.zone ?? request.zone;
  const rounding =
    asked?.targetAt && (view.kind === "send" || view.kind === "extend")
      ? roundingSentence(request.descriptor, asked.targetAt, zone)
      : null;
  return (
    <>
      <Block number={1} title="What changes">
        <BeforeAfter
          caption="Before and after"
          beforeLabel="Before (approved basis)"
          fields={changedFields(view)}
        />
      </Block>
      <Block number={2} title="Read against" summary={statusWords(request.status)}>
        <ReadAgainst view={view} review={review} />
      </Block>
      <Block number={3} title="Three clocks" summary="business, platform, scheduler" folds>
        <Clocks request={request} timer={view.nextTimer} />
      </Block>
      <Block number={4} title="What the platform can promise" summary="race window" folds>
        <p>{raceSentence(request.descriptor, view.raceWindow)}</p>
        {rounding === null ? null : <p>{rounding}</p>}
        {view.kind === "resend" ? <p>{resendSentence(request.descriptor)}</p> : null}
      </Block>
      <Block number={5} title="Exact payload" summary={payloadSize(view.payload)} folds>
        <PayloadView text={view.payload} rows={view.plain?.rows} />
        <Recipients {...props} />
      </Block>
      <Block number={6} title="Rule" summary={`${rule.quorum} needed`} folds>
        <p>{ruleWords(view)}</p>
      </Block>
    </>
  );
}

interface BlockProps {
  readonly number: number;
  readonly title: string;
  readonly summary?: string;
  /** True for a block that begins folded on a narrow page. */
  readonly folds?: boolean;
  readonly children: ReactNode;
}

function Block({ number, title, summary, folds = false, children }: BlockProps) {
  const narrow = useMediaQuery("(max-width: 767px)", false);
  const [open, setOpen] = useState(true);
  useEffect(() => {
    if (folds) setOpen(!narrow);
  }, [folds, narrow]);
  return (
    <details
      className={`${panel.panel} ${classes.block}`}
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className={classes.summary}>
        <h2>
          <span className={classes.number}>{number}</span> {title}
        </h2>
        {summary === undefined ? null : <span className={classes.short}>{summary}</span>}
      </summary>
      <div className={classes.body}>{children}</div>
    </details>
  );
}

/** After so long a read is pointed out as old. */
const OLD_MS = 10 * 60_000;

function ReadAgainst({ view, review }: Pick<BlocksProps, "view" | "review">) {
  const now = useNow();
  const { request } = view;
  if (view.kind === "send" && request.platformRef === null) {
    return <p>Nothing exists at the platform yet: a send has no earlier state to compare with.</p>;
  }
  const { receipt, read } = review;
  const at = receipt?.finishedAt ?? request.readAt;
  const old = at !== null && epochOf(now) - epochOf(at) >= OLD_MS;
  return (
    <>
      <p>{factsOf(view, review, now)}</p>
      <p className={classes.read}>
        {at === null ? (
          "Never read."
        ) : (
          <span>
            receipt r_{(receipt?.id ?? request.receiptId ?? "").slice(0, 8)}, read{" "}
            <TimeAgo instant={at} />
            {receipt?.id === read.receiptId && read.receiptId !== null ? " by this page" : ""}
          </span>
        )}
        <Button
          size="compact-xs"
          variant="default"
          loading={read.state === "reading"}
          onClick={review.again}
        >
          Read again
        </Button>
      </p>
      {old ? (
        <p role="status">This read is {formatAge(at, now).replace(" ago", "")} old. Read again.</p>
      ) : null}
      {read.state === "failed" ? (
        <p role="status">
          No fresh read could be had. {read.problem} What you see is the last one. Approving is
          possible: the worker reads again before it acts.
        </p>
      ) : null}
    </>
  );
}

function factsOf(view: ApproveView, review: Review, now: string): string {
  const { request, asked } = view;
  const { receipt } = review;
  const zone = asked?.deadline?.zone ?? request.zone;
  const expiresAt = receipt === null ? request.platformExpiresAt : receipt.expiresAt;
  const version = receipt === null ? request.version : receipt.version;
  const reminded = receipt === null ? request.lastReminderAt : receipt.lastReminderAt;
  return [
    statusWords(receipt?.status ?? request.status),
    expiresAt === null ? "no expiry shown" : `expiry ${formatLocal(expiresAt, zone)} (${zone})`,
    version === null ? "no version given" : `version ${version}`,
    reminded === null ? "no reminder shown" : `last reminder ${formatAge(reminded, now)}`,
  ].join(" · ");
}

function statusWords(status: string): string {
  return REQUEST_WORDS[status as RequestWordCode].label;
}

function Recipients({ tenant, view, mayReveal, asksReason }: BlocksProps) {
  if (view.signers.length === 0) return null;
  return (
    <>
      <h3 className={classes.sub}>Recipients</h3>
      <ul className={classes.recipients}>
        {view.signers.map(({ subjectRef, order, role, erasedAt }) => (
          <li key={subjectRef}>
            {order} subject {subjectRef}, {role}{" "}
            <Reveal
              tenant={tenant}
              subjectRef={subjectRef}
              erasedAt={erasedAt}
              permitted={mayReveal}
              asksReason={asksReason}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

function ruleWords({ kind, policyVersion, rule }: ApproveView): string {
  const roles = rule.approverRoles.map((role) => ROLE_LABELS[role]).join(" or ");
  const count = `${rule.quorum} ${roles}${rule.quorum === 1 ? "" : "s"}`;
  const others = rule.fourEyes ? ", not the proposer or the last editor" : "";
  return `Policy ${kind} v${policyVersion}: ${count}${others}, within ${rule.validityHours} h.`;
}
