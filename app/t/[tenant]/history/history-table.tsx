"use client";

import Link from "next/link";
import cards from "@/components/card-table.module.css";
import { Hash } from "@/components/hash";
import { personWords } from "@/components/person-words";
import { StateBadge } from "@/components/state-badge";
import { TimeWithZone } from "@/components/time-with-zone";
import { actionWords, entryWords } from "@/lib/domain/history-words";
import { filled } from "@/lib/domain/sentence";
import { REQUEST_WORDS, type RequestWordCode } from "@/lib/domain/words";
import type { HistoryRead, HistoryRow } from "@/lib/queries/history-row";
import classes from "./history.module.css";

interface HistoryTableProps {
  readonly tenant: string;
  readonly rows: readonly HistoryRow[];
}

/** One row for each entry: who, what, about what, and what the platform showed. */
export function HistoryTable({ tenant, rows }: HistoryTableProps) {
  return (
    <div className={cards.scroll}>
      <table className={cards.table}>
        <caption>Entries of the history</caption>
        <thead>
          <tr>
            <th scope="col" aria-sort="descending">
              When ↓
            </th>
            <th scope="col">Who</th>
            <th scope="col">What</th>
            <th scope="col">About</th>
            <th scope="col">Platform before</th>
            <th scope="col">Platform after</th>
            <th scope="col">Reason</th>
            <th scope="col">Entry</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.id} tenant={tenant} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  readonly tenant: string;
  readonly row: HistoryRow;
}

function Row({ tenant, row }: RowProps) {
  const { operation, about } = row;
  const href = operation ? `/t/${tenant}/operations/${operation.opId}` : placeOf(tenant, about);
  const when = <TimeWithZone instant={row.at} kind="moment" zone={operation?.zone ?? null} />;
  return (
    <tr>
      <th scope="row">
        {href === null ? (
          when
        ) : (
          <Link href={href} data-row>
            {when}
          </Link>
        )}
      </th>
      <td data-label="Who">
        {personWords(row.who)}
        {row.reference === null ? null : (
          <span className={`${cards.second} ${classes.mono}`}>{row.reference}</span>
        )}
      </td>
      <td data-label="What">
        <What row={row} />
      </td>
      <td data-label="About">
        <About tenant={tenant} row={row} />
      </td>
      <Shown label="Platform before" read={operation?.before ?? null} zone={operation?.zone} />
      <Shown label="Platform after" read={operation?.after ?? null} zone={operation?.zone} />
      <td data-label="Reason" className={classes.mono} data-empty={reasonOf(row) === null}>
        {reasonOf(row) ?? "–"}
      </td>
      <td data-label="Entry" data-empty={operation === null}>
        {operation === null ? "–" : <Hash value={operation.hash} kind="entry" />}
      </td>
    </tr>
  );
}

function reasonOf({ operation, action, reason }: HistoryRow): string | null {
  return operation === null ? reason : action;
}

function What({ row }: { readonly row: HistoryRow }) {
  const { operation, action } = row;
  if (operation === null) return <span>{actionWords(action)}</span>;
  const words = entryWords(operation.entry);
  return (
    <>
      {words === null ? (
        <StateBadge family="operation" code={operation.to} reason={action} />
      ) : (
        <span>{words}</span>
      )}
      {operation.version === null ? null : (
        <span className={cards.second}>version {operation.version}</span>
      )}
    </>
  );
}

function About({ tenant, row }: RowProps) {
  const { operation, about } = row;
  const path = `/t/${tenant}`;
  if (operation !== null) {
    return (
      <>
        <Link className={classes.target} href={`${path}/operations/${operation.opId}`}>
          {operation.kind} op {operation.opId.slice(0, 8)}
        </Link>
        <span className={cards.second}>
          <Link className={classes.target} href={`${path}/requests/${operation.requestRef}`}>
            {operation.requestRef}
          </Link>
        </span>
      </>
    );
  }
  const place = placeOf(tenant, about);
  const text = shortAbout(about);
  return place === null ? (
    <span>{text}</span>
  ) : (
    <Link className={classes.target} href={place}>
      {text}
    </Link>
  );
}

/** `review:0f2c…` as "review 0f2c1234": ids are cut to what a person can compare. */
function shortAbout(about: string | null): string {
  if (about === null) return "–";
  const [what = "", id = ""] = about.split(":", 2);
  const short = /^[0-9a-f]{8}-/.test(id) ? id.slice(0, 8) : id;
  return `${what} ${short}`.trim();
}

/** The page of what an operator acted on; null where there is none of its own. */
function placeOf(tenant: string, about: string | null): string | null {
  const [what = "", id = ""] = (about ?? "").split(":", 2);
  const path = `/t/${tenant}`;
  switch (what) {
    case "review":
      return `${path}/reviews/${id}`;
    case "event":
      return `${path}/inbox/${id}`;
    case "subscriber":
      return `${path}/outbox/subscribers/${id}`;
    case "connection":
      return `${path}/settings/connections/${id}`;
    case "member":
      return `${path}/settings/members`;
    case "switch":
    case "kind":
      return `${path}/controls`;
    default:
      return null;
  }
}

interface ShownProps {
  readonly label: string;
  readonly read: HistoryRead | null;
  readonly zone: string | undefined;
}

function Shown({ label, read, zone }: ShownProps) {
  if (read === null) {
    return (
      <td data-label={label} data-empty>
        –
      </td>
    );
  }
  const status = REQUEST_WORDS[(read.status ?? "unread") as RequestWordCode];
  return (
    <td data-label={label}>
      {filled(status?.label ?? read.status ?? "–", {})}
      {read.expiresAt === null ? null : (
        <span className={cards.second}>
          expiry{" "}
          <TimeWithZone instant={read.expiresAt} kind="deadline" zone={zone ?? null} form="one" />
        </span>
      )}
    </td>
  );
}
