"use client";

import Link from "next/link";
import { AgeBar } from "@/components/age-bar";
import cards from "@/components/card-table.module.css";
import { useFrame } from "@/components/frame/frame-facts";
import { useNow } from "@/components/frame/live";
import { shortReceipt } from "@/components/read-receipt";
import { StateBadge } from "@/components/state-badge";
import { TimeAgo } from "@/components/time-ago";
import { TimeWithZone } from "@/components/time-with-zone";
import { kindNoun } from "@/lib/domain/asked";
import { CONSEQUENCE_WORDS } from "@/lib/domain/consequence";
import { formatLocal } from "@/lib/domain/deadline";
import { ownerWords } from "@/lib/domain/waiting";
import { REQUEST_WORDS, type RequestWordCode } from "@/lib/domain/words";
import type { ReviewRow } from "@/lib/queries/review-list-page";
import classes from "./reviews.module.css";

interface ReviewTableProps {
  readonly tenant: string;
  readonly rows: readonly ReviewRow[];
  /** Ids of rows that are shown and no longer open. */
  readonly gone: readonly string[];
}

/** One row per open item; it opens the operation with all that is known. */
export function ReviewTable({ tenant, rows, gone }: ReviewTableProps) {
  return (
    <div className={cards.scroll}>
      <table className={cards.table}>
        <caption>Items that need a person</caption>
        <thead>
          <tr>
            <th scope="col">Loses at</th>
            <th scope="col">Consequence</th>
            <th scope="col">Reason</th>
            <th scope="col">About</th>
            <th scope="col">Evidence</th>
            <th scope="col">Owner</th>
            <th scope="col">Status</th>
            <th scope="col">Age</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.id} tenant={tenant} row={row} gone={gone.includes(row.id)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  readonly tenant: string;
  readonly row: ReviewRow;
  readonly gone: boolean;
}

function Row({ tenant, row, gone }: RowProps) {
  const now = useNow();
  const { account } = useFrame();
  const mine = row.owner === `account:${account.id}`;
  return (
    <tr>
      <th scope="row">
        {row.losesAt === null ? (
          "nothing ends"
        ) : (
          <TimeWithZone instant={row.losesAt} kind="deadline" zone={row.zone} />
        )}
        {row.losesClock === null ? null : (
          <span className={cards.second}>
            {row.losesClock === "platform" ? "platform expiry" : "business deadline"}
          </span>
        )}
      </th>
      <td data-label="Consequence">{CONSEQUENCE_WORDS[row.consequence]}</td>
      <td data-label="Reason">
        <div className={classes.reason}>
          {row.sentence} <code className={classes.code}>{row.reason}</code>
        </div>
      </td>
      <td data-label="About">
        <div>
          <About tenant={tenant} row={row} />
        </div>
      </td>
      <td data-label="Evidence">
        <Evidence row={row} />
      </td>
      <td data-label="Owner">{mine ? "you" : ownerWords(row.owner)}</td>
      <td data-label="Status">
        {gone ? (
          "no longer open"
        ) : (
          <StateBadge family="review" code="open" values={{ team: ownerWords(row.owner) }} />
        )}
      </td>
      <td data-label="Age">
        <AgeBar since={row.openedAt} limitMs={row.limitMs} now={now} />
      </td>
    </tr>
  );
}

function About({ tenant, row }: { readonly tenant: string; readonly row: ReviewRow }) {
  const path = `/t/${tenant}`;
  return (
    <>
      {row.opId === null ? null : (
        <Link href={`${path}/operations/${row.opId}`} data-row>
          {row.kind === null ? "operation" : kindNoun(row.kind)} op {row.opId.slice(0, 8)}
        </Link>
      )}
      {row.subscriber === null ? null : (
        <Link href={`${path}/outbox/subscribers/${row.subscriber.id}`} data-row>
          {row.subscriber.name}
        </Link>
      )}
      {row.requestRef === null ? null : (
        <span className={cards.second}>
          <Link
            href={`${path}/requests/${row.requestRef}`}
            {...(row.opId === null ? { "data-row": true } : {})}
          >
            {row.requestRef}
          </Link>
        </span>
      )}
    </>
  );
}

/** What was wanted beside what the last read showed. */
function Evidence({ row }: { readonly row: ReviewRow }) {
  const { askedExpiresAt, lastRead, reads } = row.evidence;
  return (
    <div className={classes.evidence}>
      {askedExpiresAt === null ? null : <div>asked {formatLocal(askedExpiresAt, row.zone)}</div>}
      {lastRead === null ? (
        <div>no read for it</div>
      ) : (
        <div>
          saw {seenWords(lastRead, row.zone)}
          <span className={cards.second}>
            {shortReceipt(lastRead.id)}, <TimeAgo instant={lastRead.at} /> · {reads}{" "}
            {reads === 1 ? "read" : "reads"}
          </span>
        </div>
      )}
    </div>
  );
}

function seenWords(read: NonNullable<ReviewRow["evidence"]["lastRead"]>, zone: string): string {
  if (read.outcome !== "read") return read.outcome.replaceAll("_", " ");
  if (read.matches > 1) return `${read.matches} matches`;
  const { status } = read;
  const word =
    status !== null && Object.hasOwn(REQUEST_WORDS, status)
      ? REQUEST_WORDS[status as RequestWordCode].label
      : status;
  const parts = [word, read.expiresAt === null ? null : formatLocal(read.expiresAt, zone)];
  return parts.filter((part) => part !== null).join(", ");
}
