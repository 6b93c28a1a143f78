"use client";

import Link from "next/link";
import { Fact } from "@/components/fact";
import { useNow } from "@/components/frame/live";
import { personWords } from "@/components/person-words";
import { formatMoment } from "@/lib/domain/deadline";
import type { ApproveView } from "@/lib/queries/approve-page";
import type { Decision } from "./use-decision";

interface DecidedFactProps {
  readonly tenant: string;
  readonly view: ApproveView;
  readonly decision: Decision;
  readonly takesFocus: boolean;
}

/** What was decided, by whom and when, in the place where the buttons were (screens 4.2). */
export function DecidedFact({ tenant, view, decision, takesFocus }: DecidedFactProps) {
  const now = useNow();
  const { next, opId } = view;
  return (
    <Fact
      takesFocus={takesFocus}
      actions={
        <>
          <Link href={`/t/${tenant}/operations/${opId}`}>Open operation</Link>
          {next.opId === null ? null : (
            <Link href={`/t/${tenant}/approvals/${next.opId}`}>
              Next waiting for you ({next.count})
            </Link>
          )}
        </>
      }
    >
      {sentenceOf(view, decision, takesFocus, now)}
    </Fact>
  );
}

function sentenceOf(
  view: ApproveView,
  { approved }: Decision,
  justNow: boolean,
  now: string,
): string {
  const own = view.decisions.find((one) => one.by.you && one.version === view.version);
  const mine = own?.decision === "approve" && !own.revoked ? own.at : null;
  if (approved?.byYou || mine !== null) {
    const at = clockOf(mine ?? approved?.approvedAt ?? view.now, now);
    if (approved?.already || !justNow) return `Already approved by you at ${at}.`;
    return `Approved by you at ${at}. ${progress(view, approved)}`;
  }
  const last = view.decisions.filter(({ revoked }) => !revoked).at(-1);
  if (view.reason === "rejected" && last) {
    return `Rejected by ${personWords(last.by)} at ${clockOf(last.at, now)}. It ends as no longer needed.`;
  }
  if (view.reason === "withdrawn") {
    return `Withdrawn at ${clockOf(view.changedAt, now)}. Nothing was sent. It ends as no longer needed.`;
  }
  if (view.reason === "approval_expired") {
    return `Nobody approved before ${formatMoment(view.approvalExpiresAt ?? view.changedAt)}. Propose again if it is still wanted.`;
  }
  if (last?.decision === "approve") {
    return `Already approved by ${personWords(last.by)} at ${clockOf(last.at, now)}. One approval was enough. Nothing was done twice.`;
  }
  return `Decided at ${clockOf(view.changedAt, now)}.`;
}

function progress({ have, rule }: ApproveView, approved: Decision["approved"]): string {
  const waits = approved?.state === "proposed" && have < rule.quorum;
  return waits ? `${have} of ${rule.quorum} approvals are there.` : "It starts when it is due.";
}

/** `16:22:41Z` on the same day, else with its date. */
function clockOf(instant: string, now: string): string {
  const whole = formatMoment(instant);
  return instant.slice(0, 10) === now.slice(0, 10) ? whole.slice(11) : whole;
}
