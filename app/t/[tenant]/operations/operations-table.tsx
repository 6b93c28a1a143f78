"use client";

import Link from "next/link";
import cards from "@/components/card-table.module.css";
import { useNow } from "@/components/frame/live";
import { StateBadge } from "@/components/state-badge";
import { TimeWithZone } from "@/components/time-with-zone";
import { kindNoun } from "@/lib/domain/asked";
import { DEFAULT_BOUNDS } from "@/lib/domain/bounds";
import { formatDuration } from "@/lib/domain/deadline";
import { clockWords, ownerWords } from "@/lib/domain/waiting";
import { epochOf } from "@/lib/domain/zone";
import type { OperationsPage } from "@/lib/queries/operations-page";
import type { OperationRow } from "@/lib/queries/operations-row";
import { type Address, addressText } from "./address";
import classes from "./operations.module.css";

interface OperationsTableProps {
  readonly tenant: string;
  readonly address: Address;
  readonly sort: OperationsPage["sort"];
  readonly rows: readonly OperationRow[];
}

/** The rows of the list; each opens by the link in its first cell. */
export function OperationsTable({ tenant, address, sort, rows }: OperationsTableProps) {
  const path = `/t/${tenant}/operations`;
  // Oldest change first is the same as the highest age first.
  const next = sort === "changed" ? "-changed" : "changed";
  return (
    <div className={cards.scroll}>
      <table className={cards.table}>
        <caption>Operations</caption>
        <thead>
          <tr>
            <th scope="col" aria-sort={sort === "risk" ? "descending" : "none"}>
              <Link href={`${path}${addressText(address, { sort: "risk" })}`}>
                State {sort === "risk" ? "↓" : ""}
              </Link>
            </th>
            <th scope="col">Kind</th>
            <th scope="col">Request</th>
            <th scope="col">Reason</th>
            <th scope="col">Due</th>
            <th scope="col" className={cards.number} aria-sort={ageSort(sort)}>
              <Link href={`${path}${addressText(address, { sort: next })}`}>
                Age in state {sort === "risk" ? "" : sort === "changed" ? "↓" : "↑"}
              </Link>
            </th>
            <th scope="col" className={cards.number}>
              Attempts
            </th>
            <th scope="col">Owner / worker</th>
            <th scope="col">Connection</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.opId} tenant={tenant} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ageSort(sort: OperationsPage["sort"]): "ascending" | "descending" | "none" {
  if (sort === "risk") return "none";
  return sort === "changed" ? "descending" : "ascending";
}

function Row({ tenant, row }: { readonly tenant: string; readonly row: OperationRow }) {
  const now = useNow();
  const path = `/t/${tenant}`;
  return (
    <tr>
      <th scope="row">
        <StateBadge
          family="operation"
          code={row.state}
          reason={row.reason}
          values={{
            next: row.nextLookAt === null ? null : clockWords(row.nextLookAt, now),
            owner: ownerWords(row.owner),
            age: row.unknownSince === null ? null : age(row.unknownSince, now),
          }}
        />
        <Link
          href={`${path}/operations/${row.opId}`}
          data-row
          className={`${cards.second} ${classes.op}`}
        >
          op {row.opId.slice(0, 8)}
        </Link>
      </th>
      <td data-label="Kind">{kindNoun(row.kind)}</td>
      <td data-label="Request">
        <Link href={`${path}/requests/${row.requestRef}`}>{row.requestRef}</Link>
      </td>
      <td data-label="Reason">
        <div className={classes.reason}>
          {row.sentence} <code className={classes.code}>{row.reason}</code>
        </div>
      </td>
      <td data-label="Due" className={classes.whole}>
        <TimeWithZone instant={row.dueAt} kind="moment" zone={row.zone} form="one" />
      </td>
      <td data-label="Age in state" className={cards.number}>
        <time dateTime={row.changedAt}>{age(row.changedAt, now)}</time>
      </td>
      <td data-label="Attempts" className={cards.number}>
        {row.attempts} / {DEFAULT_BOUNDS.attemptsMax}
      </td>
      <td data-label="Owner / worker" data-empty={holderOf(row) === null}>
        {holderOf(row) ?? "–"}
      </td>
      <td data-label="Connection" className={classes.whole}>
        {row.connection}
      </td>
    </tr>
  );
}

function holderOf(row: OperationRow): string | null {
  if (row.worker !== null) return `worker ${row.worker}`;
  return row.owner === null ? null : ownerWords(row.owner);
}

function age(since: string, now: string): string {
  return formatDuration(Math.max(0, epochOf(now) - epochOf(since)));
}
