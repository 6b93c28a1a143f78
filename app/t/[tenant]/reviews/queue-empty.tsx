"use client";

import { ListEmpty, ListNoMatch } from "@/components/list-states";
import { TimeAgo } from "@/components/time-ago";
import type { ReviewListPage } from "@/lib/queries/review-list-page";
import { type Address, isFiltered } from "./address";
import { viewOf } from "./queue-views";

interface QueueEmptyProps {
  readonly address: Address;
  readonly data: ReviewListPage;
  clear(): void;
}

/** Why nothing is listed: filters, nothing of one's own, or nothing at all. */
export function QueueEmpty({ address, data, clear }: QueueEmptyProps) {
  if (isFiltered(address)) return <ListNoMatch onClear={clear} />;
  const view = viewOf(address);
  const { all } = data.counts;
  if (view === "closed") return <ListEmpty>No item was closed yet.</ListEmpty>;
  if (all > 0) {
    const here =
      view === "mine" ? "Nothing of yours or your team's needs a decision." : "None in this view.";
    return (
      <ListEmpty>
        {here} {all} open in all.
      </ListEmpty>
    );
  }
  return (
    <ListEmpty>
      Nothing needs a decision.{" "}
      {data.lastClosedAt === null ? null : (
        <>
          Last item closed <TimeAgo instant={data.lastClosedAt} />.
        </>
      )}
    </ListEmpty>
  );
}
