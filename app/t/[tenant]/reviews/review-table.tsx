"use client";

import { Checkbox } from "@mantine/core";
import { Bell } from "lucide-react";
import Link from "next/link";
import { AgeBar } from "@/components/age-bar";
import cards from "@/components/card-table.module.css";
import { useFrame } from "@/components/frame/frame-facts";
import { useNow } from "@/components/frame/live";
import { TimeAgo } from "@/components/time-ago";
import { TimeWithZone } from "@/components/time-with-zone";
import { CONSEQUENCE_WORDS } from "@/lib/domain/consequence";
import { ownerWords } from "@/lib/domain/waiting";
import type { ReviewRow } from "@/lib/queries/review-rows";
import type { OfferedAct } from "./item-acts";
import { ItemStatus } from "./item-status";
import { ItemSubject } from "./item-subject";
import classes from "./reviews.module.css";
import { RowMenu } from "./row-menu";
import { markOpened } from "./trail";

interface ReviewTableProps {
  readonly tenant: string;
  readonly rows: readonly ReviewRow[];
  /** Ids of rows that are shown and no longer part of this list. */
  readonly gone: readonly string[];
  readonly chosen: readonly string[];
  readonly toggle: (id: string) => void;
  readonly act: (act: OfferedAct, row: ReviewRow) => void;
}

/** One row per item; it opens the item by the link in its reason. */
export function ReviewTable(props: ReviewTableProps) {
  const { rows, gone, chosen } = props;
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
            <th scope="col">Owner</th>
            <th scope="col">Status</th>
            <th scope="col">Age</th>
            <th scope="col">New evidence</th>
            <th scope="col">Act</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row
              key={row.id}
              {...props}
              row={row}
              isGone={gone.includes(row.id)}
              isChosen={chosen.includes(row.id)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps extends ReviewTableProps {
  readonly row: ReviewRow;
  readonly isGone: boolean;
  readonly isChosen: boolean;
}

function Row({ tenant, row, isGone, isChosen, toggle, act }: RowProps) {
  const now = useNow();
  const { account } = useFrame();
  return (
    <tr data-id={row.id}>
      <LosesAt row={row} />
      <td data-label="Consequence">{CONSEQUENCE_WORDS[row.consequence]}</td>
      <td data-label="Reason">
        <div className={classes.reason}>
          <Link
            href={`/t/${tenant}/reviews/${row.id}`}
            data-row
            onClick={() => markOpened(row.id)}
            className={classes.open}
          >
            {row.sentence}
          </Link>{" "}
          <code className={classes.code}>{row.reason}</code>
        </div>
      </td>
      <td data-label="About">
        <ItemSubject tenant={tenant} item={row} />
      </td>
      <td data-label="Owner">
        {row.owner === `account:${account.id}` ? "you" : ownerWords(row.owner)}
      </td>
      <td data-label="Status">
        <ItemStatus item={row} now={now} />
        {isGone ? <span className={cards.second}>left this list</span> : null}
      </td>
      <td data-label="Age">
        {row.closedAt === null ? (
          <AgeBar since={row.openedAt} limitMs={row.limitMs} now={now} />
        ) : (
          <span>
            closed <TimeAgo instant={row.closedAt} />
          </span>
        )}
      </td>
      <td data-label="New evidence" data-empty={row.regressedAt === null}>
        {row.regressedAt === null ? (
          "–"
        ) : (
          <span className={classes.bell}>
            <Bell size={14} aria-hidden /> <TimeAgo instant={row.regressedAt} />
          </span>
        )}
      </td>
      <td data-label="Act">
        <span className={classes.act}>
          <RowMenu row={row} act={act} />
          <Checkbox
            aria-label={`Select ${row.reason} of ${row.requestRef ?? row.id.slice(0, 8)}`}
            checked={isChosen}
            onChange={() => toggle(row.id)}
          />
        </span>
      </td>
    </tr>
  );
}

/** What ends first, with which of the two clocks it is. */
function LosesAt({ row }: { readonly row: ReviewRow }) {
  return (
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
  );
}
