"use client";

import { useRouter } from "next/navigation";
import { type RefObject, useEffect, useRef, useState } from "react";
import { type SavedView, SavedViews } from "@/app/t/[tenant]/saved-views";
import { FilterBar } from "@/components/filter-bar";
import { type Live, useLive } from "@/components/frame/live";
import { ListError, NewRows } from "@/components/list-states";
import type { OwnerChoice } from "@/components/owner-picker";
import { Pager } from "@/components/pager";
import { useRowKeys } from "@/components/row-keys";
import { useStableRows } from "@/components/stable-rows";
import { ViewTabs } from "@/components/view-tabs";
import type { ReviewListPage } from "@/lib/queries/review-list-page";
import type { ReviewRow } from "@/lib/queries/review-rows";
import { ActDialog } from "./act-dialog";
import { type Address, addressText } from "./address";
import { QueueEmpty } from "./queue-empty";
import { fieldsOf, useFilterChange, valuesOf } from "./queue-filters";
import { QueueHead } from "./queue-head";
import { viewTabs } from "./queue-views";
import { ReviewTable } from "./review-table";
import classes from "./reviews.module.css";
import { SelectionBar } from "./selection-bar";
import { leaveTrail, markOpened, takeOpened } from "./trail";
import { useItemActs } from "./use-item-acts";
import { useQueueKeys } from "./use-queue-keys";

interface ReviewListProps {
  readonly tenant: string;
  readonly address: Address;
  readonly size: number;
  readonly initial: ReviewListPage;
  readonly owners: readonly OwnerChoice[];
  readonly saved: readonly SavedView[];
}

/** Everything that needs a person: ageing on top, views and filters, rows that stay where they are. */
export function ReviewList(props: ReviewListProps) {
  const { tenant, address, size, initial, owners, saved } = props;
  const path = `/t/${tenant}/reviews`;
  const place = addressText(address);
  const missing = useRef<readonly string[]>([]);
  const live = useLive<ReviewListPage>(
    [tenant, "reviews", place],
    `/api/v1${path}${withAlso(place, missing)}`,
    initial,
  );
  const { data } = live;
  const router = useRouter();
  const box = useRef<HTMLInputElement>(null);
  const patch = useFilterChange();
  return (
    <div className={classes.list}>
      <QueueHead path={path} address={address} data={data} />
      <ViewTabs label="Views" tabs={viewTabs(path, address, data.counts)} />
      <SavedViews tenant={tenant} page="reviews" views={saved} query={place} />
      <FilterBar
        fields={fieldsOf(data)}
        values={valuesOf(address)}
        onChange={patch}
        onClear={() => router.push(path)}
        boxRef={box}
        example="reason:neither_old_nor_new kind:extend request:req_7006"
      />
      <Rows {...{ tenant, path, place, address, live, missing, owners, box }} />
      <Pager
        noun={["item", "items"]}
        count={data.count}
        more={data.more}
        newer={
          address.after === undefined ? null : `${path}${addressText(address, { after: null })}`
        }
        older={data.older === null ? null : `${path}${addressText(address, { after: data.older })}`}
        size={size}
        sizes={[50, 100, 200]}
        sizeHref={(count) => `${path}${addressText(address, { size: String(count) })}`}
      />
    </div>
  );
}

interface RowsProps {
  readonly tenant: string;
  readonly path: string;
  readonly place: string;
  readonly address: Address;
  readonly live: Live<ReviewListPage>;
  readonly missing: { current: readonly string[] };
  readonly owners: readonly OwnerChoice[];
  readonly box: RefObject<HTMLInputElement | null>;
}

/** The rows with all that is done on them; keys work on the row that has the focus. */
function Rows(props: RowsProps) {
  const { tenant, path, place, address, live, missing, owners, box } = props;
  const { data } = live;
  const stable = useStableRows(place, data.rows, data.also, idOf);
  missing.current = stable.missing;
  const acts = useItemActs(tenant, live.again);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const router = useRouter();
  const list = useRef<HTMLDivElement>(null);
  const ids = stable.rows.map(idOf);
  const rowOf = (id: string) => stable.rows.find((row) => row.id === id);
  const toggle = (id: string) =>
    setChosen((now) => (now.includes(id) ? now.filter((one) => one !== id) : [...now, id]));
  useRowKeys({ list, box, showNew: stable.show });
  useQueueKeys({
    list,
    act: (act, id) => {
      const row = rowOf(id);
      if (row) acts.begin(act, row);
    },
    decide: (id) => {
      markOpened(id);
      router.push(`${path}/${id}/decide`);
    },
    select: toggle,
    selectAll: () => setChosen(ids),
    clear: () => setChosen([]),
  });
  useTrail(list, `${path}${place}`, ids);
  const selected = stable.rows.filter(({ id }) => chosen.includes(id));
  return (
    <div className={classes.list} ref={list}>
      {live.failed ? (
        <ListError failed={live.failed} again={live.again}>
          The queue could not be loaded. Alerts go out all the same.
        </ListError>
      ) : null}
      <NewRows count={stable.fresh} show={stable.show} />
      <p role="status" className={classes.said}>
        {acts.said?.text}
      </p>
      {selected.length === 0 ? null : (
        <SelectionBar tenant={tenant} chosen={selected} clear={() => setChosen([])} />
      )}
      {stable.rows.length === 0 ? (
        <QueueEmpty address={address} data={data} clear={() => router.push(path)} />
      ) : (
        <ReviewTable
          tenant={tenant}
          rows={stable.rows}
          gone={stable.missing}
          chosen={chosen}
          toggle={toggle}
          act={acts.begin}
        />
      )}
      <ActDialog acts={acts} owners={owners} />
    </div>
  );
}

function idOf(row: ReviewRow): string {
  return row.id;
}

/** Rows that left the page are asked for by id, so that what stays on screen is never old news. */
function withAlso(place: string, missing: { readonly current: readonly string[] }): string {
  if (missing.current.length === 0) return place;
  return `${place === "" ? "?" : `${place}&`}also=${missing.current.join(",")}`;
}

/** Leaves the list as a trail for the item's page, and puts the focus back on the row that one came from. */
function useTrail(list: RefObject<HTMLElement | null>, href: string, ids: readonly string[]): void {
  const text = ids.join();
  useEffect(() => {
    leaveTrail({ href, ids: text === "" ? [] : text.split(",") });
  }, [href, text]);
  useEffect(() => {
    const opened = takeOpened();
    const row =
      opened === null ? null : list.current?.querySelector<HTMLElement>(`[data-id="${opened}"]`);
    const first = list.current?.querySelector<HTMLElement>("[data-row]");
    // An item that left the queue gives the focus to the first of those that wait.
    if (opened !== null) (row?.querySelector<HTMLElement>("[data-row]") ?? first)?.focus();
  }, [list]);
}
