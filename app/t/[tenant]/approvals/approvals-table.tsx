"use client";

import Link from "next/link";
import cards from "@/components/card-table.module.css";
import { useNow } from "@/components/frame/live";
import { personWords } from "@/components/person-words";
import { StateBadge } from "@/components/state-badge";
import { TimeAgo } from "@/components/time-ago";
import { TimeWithZone } from "@/components/time-with-zone";
import { askedSentence, kindNoun } from "@/lib/domain/asked";
import type { OperationState } from "@/lib/domain/operation";
import { epochOf } from "@/lib/domain/zone";
import type { ApprovalRow, ApprovalTab } from "@/lib/queries/approvals-page";

interface ApprovalsTableProps {
  readonly tenant: string;
  readonly tab: ApprovalTab;
  readonly rows: readonly ApprovalRow[];
}

/** The rows lead to the approval page and hold no button: one sees before one approves. */
export function ApprovalsTable({ tenant, tab, rows }: ApprovalsTableProps) {
  return (
    <div className={cards.scroll}>
      <table className={cards.table}>
        <caption>Approvals</caption>
        <thead>
          <tr>
            <th scope="col">In one sentence</th>
            <th scope="col">Request</th>
            <th scope="col">{tab === "decided" ? "State" : "Flags"}</th>
            <th scope="col">Proposed by</th>
            <th scope="col">{tab === "decided" ? "Decided" : "Age"}</th>
            <th scope="col" className={cards.number}>
              Have / need
            </th>
            <th scope="col">Approval expires</th>
            <th scope="col">Earliest clock</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.opId} tenant={tenant} tab={tab} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  readonly tenant: string;
  readonly tab: ApprovalTab;
  readonly row: ApprovalRow;
}

function Row({ tenant, tab, row }: RowProps) {
  const { opId, kind, requestRef, asked, zone, proposedBy, have, need, earliestClock } = row;
  return (
    <tr>
      <th scope="row">
        <Link href={`/t/${tenant}/approvals/${opId}`} data-row>
          {askedSentence(asked, kind, zone)}
        </Link>
        <span className={cards.second}>
          {kindNoun(kind)} · op {opId.slice(0, 8)}
        </span>
      </th>
      <td data-label="Request">
        <Link href={`/t/${tenant}/requests/${requestRef}`}>{requestRef}</Link>
      </td>
      <td data-label={tab === "decided" ? "State" : "Flags"}>
        {tab === "decided" ? (
          <StateBadge family="operation" code={row.state as OperationState} reason={row.reason} />
        ) : (
          <Flags row={row} />
        )}
      </td>
      <td data-label="Proposed by">{personWords(proposedBy)}</td>
      <td data-label={tab === "decided" ? "Decided" : "Age"}>
        <TimeAgo instant={tab === "decided" ? row.changedAt : row.createdAt} />
      </td>
      <td data-label="Have / need" className={cards.number}>
        {have} / {need}
      </td>
      <td data-label="Approval expires" data-empty={row.approvalExpiresAt === null}>
        {row.approvalExpiresAt === null ? (
          "–"
        ) : (
          <TimeWithZone instant={row.approvalExpiresAt} kind="moment" zone={zone} form="one" />
        )}
      </td>
      <td data-label="Earliest clock" data-empty={earliestClock === null}>
        {earliestClock === null ? (
          "–"
        ) : (
          <div>
            {earliestClock.clock === "business" ? "Business deadline" : "Platform expiry"}
            <span className={cards.second}>
              <TimeWithZone instant={earliestClock.at} kind="deadline" zone={zone} form="one" />
            </span>
          </div>
        )}
      </td>
    </tr>
  );
}

/** A read older than this is pointed out; opening the approval makes a new one. */
const OLD_READ_MS = 10 * 60_000;

function Flags({ row }: { readonly row: ApprovalRow }) {
  const now = useNow();
  const { asked, mirror, version } = row;
  const expected = asked?.expected?.status;
  const flags = [
    expected !== undefined && mirror.status !== null && mirror.status !== expected
      ? "state changed"
      : null,
    version > 1 ? `edited, version ${version}` : null,
    mirror.readAt === null || epochOf(now) - epochOf(mirror.readAt) > OLD_READ_MS
      ? "read old"
      : null,
  ].filter((flag) => flag !== null);
  return flags.length === 0 ? "–" : flags.join(", ");
}
