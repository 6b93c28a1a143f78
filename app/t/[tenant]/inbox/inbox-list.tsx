"use client";

import { useRouter } from "next/navigation";
import { parseAsString, useQueryStates } from "nuqs";
import { useRef, useState } from "react";
import { type SavedView, SavedViews } from "@/app/t/[tenant]/saved-views";
import { FilterBar, type FilterValues } from "@/components/filter-bar";
import { useLive } from "@/components/frame/live";
import { ListError, NewRows } from "@/components/list-states";
import { Pager } from "@/components/pager";
import { useRowKeys } from "@/components/row-keys";
import { useStableRows } from "@/components/stable-rows";
import type { InboxPage, InboxRow } from "@/lib/queries/inbox-page";
import { type Address, addressText, FILTERS, filterText, isFiltered } from "./address";
import classes from "./inbox.module.css";
import { fieldsOf, valuesOf } from "./inbox-filters";
import { type Door, InboxEmpty, InboxStripNote, InboxTabs } from "./inbox-head";
import { InboxTable } from "./inbox-table";
import { ReplaySelection } from "./replay-selection";

interface InboxListProps {
  readonly tenant: string;
  readonly address: Address;
  readonly size: number;
  readonly initial: InboxPage;
  readonly saved: readonly SavedView[];
  readonly mayReplay: boolean;
  readonly doors: readonly Door[];
}

/** Every event of the tenant, the newest first, with what can be replayed. */
export function InboxList(props: InboxListProps) {
  const { tenant, address, size, initial, saved, mayReplay, doors } = props;
  const path = `/t/${tenant}/inbox`;
  const place = addressText(address);
  const missing = useRef<readonly string[]>([]);
  const live = useLive<InboxPage>(
    [tenant, "inbox", place],
    `/api/v1${path}${withAlso(place, missing)}`,
    initial,
  );
  const { data } = live;
  const stable = useStableRows(place, data.rows, data.also, idOf);
  missing.current = stable.missing;
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const patch = useFilterChange();
  const router = useRouter();
  const clear = () => router.push(path);
  const box = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  useRowKeys({ list, box, showNew: stable.show });
  return (
    <div className={classes.list} ref={list}>
      <InboxTabs path={path} address={address} data={data} />
      <InboxStripNote data={data} />
      <SavedViews tenant={tenant} page="inbox" views={saved} query={place} />
      <FilterBar
        fields={fieldsOf(data.connections)}
        values={valuesOf(address)}
        onChange={patch}
        onClear={clear}
        boxRef={box}
        example="outcome:quarantined request:req_7006 from:2026-11-30"
      />
      {live.failed ? (
        <ListError failed={live.failed} again={live.again}>
          The inbox could not be loaded. Events are recorded all the same.
        </ListError>
      ) : null}
      <NewRows count={stable.fresh} show={stable.show} />
      {mayReplay ? (
        <ReplaySelection
          key={filterText(address)}
          tenant={tenant}
          filters={filterText(address)}
          matching={{ count: data.count, more: data.more }}
          chosen={chosen}
          choose={setChosen}
          done={live.again}
        />
      ) : null}
      {stable.rows.length === 0 ? (
        <InboxEmpty filtered={isFiltered(address)} doors={doors} clear={clear} />
      ) : (
        <InboxTable
          tenant={tenant}
          rows={stable.rows}
          {...(mayReplay ? { chosen, choose: setChosen } : {})}
        />
      )}
      <Pages path={path} address={address} size={size} data={data} />
    </div>
  );
}

interface PagesProps {
  readonly path: string;
  readonly address: Address;
  readonly size: number;
  readonly data: InboxPage;
}

function Pages({ path, address, size, data }: PagesProps) {
  const at = (patch: Record<string, string>) => `${path}${addressText(address, patch)}`;
  return (
    <Pager
      noun={["event", "events"]}
      count={data.count}
      more={data.more}
      newer={data.newer === null ? null : at({ before: data.newer })}
      older={data.older === null ? null : at({ after: data.older })}
      size={size}
      sizes={[50, 100, 200]}
      sizeHref={(count) => at({ size: String(count) })}
    />
  );
}

function idOf(row: InboxRow): string {
  return row.id;
}

/** Rows that left the page are asked for by id, so that what stays on screen is never old news. */
function withAlso(place: string, missing: { readonly current: readonly string[] }): string {
  if (missing.current.length === 0) return place;
  return `${place === "" ? "?" : `${place}&`}also=${missing.current.join(",")}`;
}

const PARSERS = Object.fromEntries(
  [...FILTERS, "after", "before"].map((name) => [name, parseAsString]),
);

/** Changes filters in the address; every change begins at the first page and is a step that Back undoes. */
function useFilterChange() {
  const [, setQuery] = useQueryStates(PARSERS, { shallow: false, history: "push" });
  return (values: FilterValues) => {
    const texts = Object.entries(values).map(([name, list]) => {
      const kept = name === "outcome" ? list.join(",") : list.at(-1);
      return [name, kept || null];
    });
    void setQuery({ ...Object.fromEntries(texts), after: null, before: null });
  };
}
