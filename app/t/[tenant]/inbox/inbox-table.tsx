"use client";

import { Checkbox } from "@mantine/core";
import Link from "next/link";
import cards from "@/components/card-table.module.css";
import { StateBadge } from "@/components/state-badge";
import { TimeWithZone } from "@/components/time-with-zone";
import { formatDuration } from "@/lib/domain/deadline";
import { SOURCE_WORDS } from "@/lib/domain/inbox-words";
import type { InboxRow } from "@/lib/queries/inbox-page";
import classes from "./inbox.module.css";

interface InboxTableProps {
  readonly tenant: string;
  readonly rows: readonly InboxRow[];
  /** Ids that are selected; without them nothing can be selected. */
  readonly chosen?: readonly string[];
  readonly choose?: (ids: readonly string[]) => void;
}

/** One row per event; each opens by the link in its first cell. */
export function InboxTable(props: InboxTableProps) {
  const { rows, chosen = [], choose } = props;
  const here = rows.map(({ id }) => id);
  const all = here.every((id) => chosen.includes(id));
  return (
    <div className={cards.scroll}>
      <table className={cards.table}>
        <caption>Events</caption>
        <thead>
          <tr>
            <th scope="col" aria-sort="descending">
              Received ↓
            </th>
            <th scope="col">Connection</th>
            <th scope="col">Type</th>
            <th scope="col">Request</th>
            <th scope="col">Outcome</th>
            <th scope="col" className={cards.number}>
              Copies
            </th>
            <th scope="col">Event time</th>
            <th scope="col" className={cards.number}>
              Delay
            </th>
            <th scope="col">Source</th>
            {choose ? (
              <th scope="col">
                <Checkbox
                  aria-label="Select all on this page"
                  checked={all}
                  indeterminate={!all && here.some((id) => chosen.includes(id))}
                  onChange={() => choose(all ? [] : here)}
                />
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.id} {...props} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps extends InboxTableProps {
  readonly row: InboxRow;
}

function Row({ tenant, row, chosen = [], choose }: RowProps) {
  const path = `/t/${tenant}`;
  const { occurredAt, delayMs, requestRef, platformRef } = row;
  return (
    <tr>
      <th scope="row">
        <Link href={`${path}/inbox/${row.id}`} data-row>
          <TimeWithZone instant={row.receivedAt} kind="moment" zone={row.zone} />
        </Link>
      </th>
      <td data-label="Connection">{row.connection}</td>
      <td data-label="Type">
        <code>{row.type}</code>
      </td>
      <td data-label="Request">
        {requestRef === null ? (
          <span className={classes.mono}>{platformRef ?? "–"}</span>
        ) : (
          <Link href={`${path}/requests/${requestRef}`}>{requestRef}</Link>
        )}
      </td>
      <td data-label="Outcome">
        <div>
          <StateBadge family="inbox" code={row.outcome} />
          <Further row={row} />
        </div>
      </td>
      <td data-label="Copies" className={cards.number} data-empty={row.copies === 1}>
        {row.copies}
      </td>
      <td data-label="Event time" data-empty={occurredAt === null}>
        {occurredAt === null ? (
          "–"
        ) : (
          <TimeWithZone instant={occurredAt} kind="moment" zone={row.zone} form="one" />
        )}
      </td>
      <td data-label="Delay" className={cards.number} data-empty={delayMs === null}>
        {delayMs === null ? "–" : delayWords(delayMs)}
      </td>
      <td data-label="Source">{SOURCE_WORDS[row.source]}</td>
      {choose ? <Select row={row} chosen={chosen} choose={choose} /> : null}
    </tr>
  );
}

function Select({ row, chosen, choose }: Required<Pick<RowProps, "row" | "chosen" | "choose">>) {
  const isChosen = chosen.includes(row.id);
  const toggle = () =>
    choose(isChosen ? chosen.filter((id) => id !== row.id) : [...chosen, row.id]);
  return (
    <td data-label="Select" className={classes.select}>
      <Checkbox
        aria-label={`Select event ${row.id.slice(0, 8)}, ${row.type}`}
        checked={isChosen}
        onChange={toggle}
      />
    </td>
  );
}

/** Why it is not applied, or what it contradicts. */
function Further({ row }: { readonly row: InboxRow }) {
  const { contradicts, attempts, lastError, outcome } = row;
  if (contradicts !== null) {
    return <span className={cards.second}>contradicts "{contradicts}"</span>;
  }
  if (lastError === null || (outcome !== "received" && outcome !== "dead")) return null;
  return (
    <span className={cards.second}>
      {attempts} {attempts === 1 ? "try" : "tries"}, <code>{lastError}</code>
    </span>
  );
}

/** A platform's clock may be ahead of ours; that is no delay. */
function delayWords(ms: number): string {
  if (ms < 1000) return ms < -1000 ? `−${formatDuration(-ms)}` : "< 1 s";
  return formatDuration(ms);
}
