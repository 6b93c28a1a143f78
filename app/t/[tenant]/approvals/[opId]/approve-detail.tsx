"use client";

import { useLive } from "@/components/frame/live";
import { PageHead } from "@/components/frame/page-head";
import { ListError } from "@/components/list-states";
import { personWords } from "@/components/person-words";
import { StateBadge } from "@/components/state-badge";
import { TimeAgo } from "@/components/time-ago";
import { kindNoun } from "@/lib/domain/asked";
import { choiceWords } from "@/lib/domain/business-deadline";
import type { OperationState } from "@/lib/domain/operation";
import type { ApproveView } from "@/lib/queries/approve-page";
import { ActionBar } from "./action-bar";
import classes from "./approve.module.css";
import { ApproveBlocks } from "./approve-blocks";
import { ChangedNotice } from "./changed-notice";
import { useDecision } from "./use-decision";
import { useReview } from "./use-review";

interface ApproveDetailProps {
  readonly tenant: string;
  readonly initial: ApproveView;
  /** What the proposer wrote, read once from the vault. */
  readonly reason: string | null;
  readonly mayReveal: boolean;
  readonly asksReason: boolean;
}

/** Everything that one has to know before letting exactly this happen, and the two answers (AP-1). */
export function ApproveDetail(props: ApproveDetailProps) {
  const { tenant, initial, reason, mayReveal, asksReason } = props;
  const live = useLive<ApproveView>(
    [tenant, "approval", initial.opId],
    `/api/v1/t/${tenant}/approvals/${initial.opId}`,
    initial,
  );
  const view = live.data;
  const review = useReview(tenant, view, live.again);
  const decision = useDecision(tenant, view, review.pin, live.again);
  return (
    <>
      <Head tenant={tenant} view={view} reason={reason} />
      {live.failed ? (
        <ListError failed={live.failed} again={live.again}>
          The proposal could not be loaded. Nothing was approved.
        </ListError>
      ) : null}
      <div className={classes.page}>
        <ChangedNotice tenant={tenant} view={view} review={review} decision={decision} />
        <ApproveBlocks
          tenant={tenant}
          view={view}
          review={review}
          mayReveal={mayReveal}
          asksReason={asksReason}
        />
        <ActionBar
          tenant={tenant}
          view={view}
          review={review}
          decision={decision}
          reason={reason}
          waitedOnOpening={initial.state === "proposed"}
        />
      </div>
    </>
  );
}

interface HeadProps {
  readonly tenant: string;
  readonly view: ApproveView;
  readonly reason: string | null;
}

function Head({ tenant, view, reason }: HeadProps) {
  const { opId, kind, state, version, have, rule, proposedBy, editedBy, plain, asked } = view;
  const { ref } = view.request;
  const answer = asked?.deadline ? choiceWords(asked.deadline) : null;
  return (
    <>
      <PageHead
        title={`Approve: ${kindNoun(kind)} of ${ref}`}
        here={`op ${opId.slice(0, 8)}`}
        crumbs={[{ label: "Approvals", href: `/t/${tenant}/approvals` }]}
        badge={
          <>
            <StateBadge family="operation" code={state as OperationState} reason={view.reason} />
            <span>
              version {version} · {have} of {rule.quorum}
            </span>
          </>
        }
      />
      <div className={classes.lead}>
        <p className={classes.sentence}>
          {plain === null ? "This payload cannot be understood and will not be executed." : null}
          {plain === null ? null : `${plain.sentence}.`} {answer}
        </p>
        <p>
          Proposed by {personWords(proposedBy)} <TimeAgo instant={view.createdAt} />
          {reason === null ? "." : `: “${reason}”`}
          {editedBy === null ? null : ` Last edited by ${personWords(editedBy)}.`}
        </p>
      </div>
    </>
  );
}
