"use client";

import { useRouter } from "next/navigation";
import { useRef } from "react";
import { useLive } from "@/components/frame/live";
import { ListEmpty, ListError, ListNoMatch, NewRows } from "@/components/list-states";
import { Pager } from "@/components/pager";
import { useRowKeys } from "@/components/row-keys";
import { useStableRows } from "@/components/stable-rows";
import { ViewTabs } from "@/components/view-tabs";
import type { ReviewListPage, ReviewRow, ReviewsQuery } from "@/lib/queries/review-list-page";
import { ReviewTable } from "./review-table";
import classes from "./reviews.module.css";

interface ReviewListProps {
  readonly tenant: string;
  readonly query: ReviewsQuery;
  readonly initial: ReviewListPage;
}

/** Open items with their reason, evidence, age and owner. Deciding is not part of this list. */
export function ReviewList({ tenant, query, initial }: ReviewListProps) {
  const path = `/t/${tenant}/reviews`;
  const place = placeText(query);
  const live = useLive<ReviewListPage>(
    [tenant, "reviews", place],
    `/api/v1${path}${place}`,
    initial,
  );
  const { data } = live;
  const stable = useStableRows(place, data.rows, NONE, idOf);
  const settled = stable.missing.length;
  const list = useRef<HTMLDivElement>(null);
  useRowKeys({ list, showNew: stable.show });
  const router = useRouter();
  const view = (name: "mine" | "all") =>
    `${path}${placeText({ ...query, view: name, after: undefined })}`;
  return (
    <div className={classes.list} ref={list}>
      <ViewTabs
        label="Views"
        tabs={[
          {
            label: "Mine and my team's",
            href: view("mine"),
            count: data.counts.mine,
            active: query.view === "mine",
          },
          {
            label: "All open",
            href: view("all"),
            count: data.counts.all,
            active: query.view === "all",
          },
        ]}
      />
      {live.failed ? (
        <ListError failed={live.failed} again={live.again}>
          The queue could not be loaded. Alerts go out all the same.
        </ListError>
      ) : null}
      <NewRows count={stable.fresh} show={stable.show} />
      {settled === 0 ? null : (
        <p role="status" className={classes.note}>
          {settled} of the items below {settled === 1 ? "is" : "are"} no longer open.
        </p>
      )}
      {stable.rows.length > 0 ? (
        <ReviewTable tenant={tenant} rows={stable.rows} gone={stable.missing} />
      ) : (
        <Empty query={query} all={data.counts.all} clear={() => router.push(path)} />
      )}
      <Pager
        noun={["item", "items"]}
        count={query.view === "mine" ? data.counts.mine : data.counts.all}
        more={false}
        newer={query.after === undefined ? null : view(query.view)}
        older={data.older === null ? null : `${path}${placeText({ ...query, after: data.older })}`}
        size={query.size}
        sizes={[50, 100, 200]}
        sizeHref={(size) => `${path}${placeText({ ...query, size, after: undefined })}`}
      />
    </div>
  );
}

const NONE: readonly ReviewRow[] = [];

function idOf(row: ReviewRow): string {
  return row.id;
}

type Place = Partial<Record<keyof ReviewsQuery, string | number | undefined>>;

/** The address of a list; the API takes the same. */
function placeText({ view, reason, request, size, after }: Place): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries({ view, reason, request, size, after })) {
    if (value !== undefined && !(name === "size" && value === 50)) params.set(name, String(value));
  }
  return `?${params}`;
}

interface EmptyProps {
  readonly query: ReviewsQuery;
  readonly all: number;
  clear(): void;
}

function Empty({ query, all, clear }: EmptyProps) {
  if (query.reason !== undefined || query.request !== undefined)
    return <ListNoMatch onClear={clear} />;
  if (query.view === "mine" && all > 0) {
    return (
      <ListEmpty>
        Nothing of yours or your team's needs a decision. {all} open for others.
      </ListEmpty>
    );
  }
  return <ListEmpty>Nothing needs a decision.</ListEmpty>;
}
