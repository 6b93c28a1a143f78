"use client";

import { Checkbox } from "@mantine/core";
import Link from "next/link";
import cards from "@/components/card-table.module.css";
import { StateBadge } from "@/components/state-badge";
import { TimeWithZone } from "@/components/time-with-zone";
import { answerWords, DELIVERY_TRIES_MAX, OUTBOX_TYPE_WORDS } from "@/lib/domain/outbox";
import type { OutboxRow } from "@/lib/queries/outbox-row";
import classes from "./outbox.module.css";

interface OutboxTableProps {
  readonly tenant: string;
  readonly rows: readonly OutboxRow[];
  /** Ids that are selected; without them nothing can be selected. */
  readonly chosen?: readonly string[];
  readonly choose?: (ids: readonly string[]) => void;
  /** Left out where all rows are about one subscriber. */
  readonly withSubscriber?: boolean;
}

/** One row per event and subscriber; each opens by the link in its first cell. */
export function OutboxTable(props: OutboxTableProps) {
  const { rows, chosen, choose, withSubscriber = true } = props;
  return (
    <div className={cards.scroll}>
      <table className={cards.table}>
        <caption>Deliveries</caption>
        <thead>
          <tr>
            <th scope="col" aria-sort="descending">
              Created ↓
            </th>
            <th scope="col">Event</th>
            <th scope="col">Request</th>
            {withSubscriber ? <th scope="col">Subscriber</th> : null}
            <th scope="col">State</th>
            <th scope="col" className={cards.number}>
              Tries
            </th>
            <th scope="col">Last answer</th>
            <th scope="col">Next try</th>
            <th scope="col">Order</th>
            {choose ? <th scope="col">Select</th> : null}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row
              key={row.id}
              {...props}
              withSubscriber={withSubscriber}
              row={row}
              isChosen={chosen?.includes(row.id) ?? false}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps extends OutboxTableProps {
  readonly row: OutboxRow;
  readonly isChosen: boolean;
}

function Row({ tenant, row, chosen = [], choose, withSubscriber, isChosen }: RowProps) {
  const path = `/t/${tenant}`;
  const answer = answerWords(row.lastStatus, row.lastError);
  const toggle = () =>
    choose?.(isChosen ? chosen.filter((id) => id !== row.id) : [...chosen, row.id]);
  return (
    <tr>
      <th scope="row">
        <Link href={`${path}/outbox/${row.id}`} data-row>
          <TimeWithZone instant={row.createdAt} kind="moment" />
        </Link>
      </th>
      <td data-label="Event">{OUTBOX_TYPE_WORDS[row.type]}</td>
      <td data-label="Request" data-empty={row.requestRef === null}>
        {row.requestRef === null ? (
          "–"
        ) : (
          <Link href={`${path}/requests/${row.requestRef}`}>{row.requestRef}</Link>
        )}
      </td>
      {withSubscriber ? (
        <td data-label="Subscriber">
          <Link href={`${path}/outbox/subscribers/${row.subscriberId}`}>{row.subscriber}</Link>
          {row.subscriberStopped ? <span className={cards.second}>stopped</span> : null}
        </td>
      ) : null}
      <td data-label="State">
        <StateBadge family="delivery" code={row.state} values={{ n: row.tries }} />
      </td>
      <td data-label="Tries" className={cards.number}>
        {row.tries} / {DELIVERY_TRIES_MAX}
      </td>
      <td data-label="Last answer" data-empty={answer === null}>
        {answer ?? "–"}
      </td>
      <td data-label="Next try" data-empty={row.nextTryAt === null}>
        {row.nextTryAt === null ? "–" : <TimeWithZone instant={row.nextTryAt} kind="moment" />}
      </td>
      <td data-label="Order" data-empty={orderOf(row) === null}>
        <Order tenant={tenant} row={row} />
      </td>
      {choose ? (
        <td data-label="Select" className={classes.select}>
          <Checkbox
            aria-label={`Select ${OUTBOX_TYPE_WORDS[row.type]} of ${row.requestRef ?? "no request"} to ${row.subscriber}`}
            checked={isChosen}
            onChange={toggle}
          />
        </td>
      ) : null}
    </tr>
  );
}

function orderOf(row: OutboxRow): string | null {
  if (row.blockedBy !== null) return "blocked";
  return row.heldReason;
}

/** What must come first: an earlier event of the same request, or a read that agrees (IN-9). */
function Order({ tenant, row }: { readonly tenant: string; readonly row: OutboxRow }) {
  if (row.blockedBy !== null) {
    return <Link href={`/t/${tenant}/outbox/${row.blockedBy}`}>after an earlier event</Link>;
  }
  if (row.heldReason === "awaiting_read") return <span>waits for a read that agrees</span>;
  if (row.heldReason === "read_disagrees")
    return <span>a read disagrees; see the review queue</span>;
  return <span>–</span>;
}
