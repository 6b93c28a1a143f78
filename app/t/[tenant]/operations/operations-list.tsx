"use client";

import { useRouter } from "next/navigation";
import { parseAsString, useQueryStates } from "nuqs";
import { useRef } from "react";
import { type SavedView, SavedViews } from "@/app/t/[tenant]/saved-views";
import { FilterBar, type FilterField, type FilterValues } from "@/components/filter-bar";
import { useLive } from "@/components/frame/live";
import { ListEmpty, ListError, ListNoMatch, NewRows } from "@/components/list-states";
import { Pager } from "@/components/pager";
import { useRowKeys } from "@/components/row-keys";
import { useStableRows } from "@/components/stable-rows";
import { StateStrip } from "@/components/state-strip";
import { TimeAgo } from "@/components/time-ago";
import { kindNoun } from "@/lib/domain/asked";
import { OPERATION_KINDS, OPERATION_STATES, type OperationState } from "@/lib/domain/operation";
import { OPERATION_WORDS } from "@/lib/domain/words";
import type { OperationsPage } from "@/lib/queries/operations-page";
import type { OperationRow } from "@/lib/queries/operations-row";
import { type Address, addressText } from "./address";
import classes from "./operations.module.css";
import { OperationsTable } from "./operations-table";

interface OperationsListProps {
  readonly tenant: string;
  readonly address: Address;
  readonly size: number;
  readonly filtered: boolean;
  readonly initial: OperationsPage;
  readonly saved: readonly SavedView[];
}

const FILTERS = ["state", "kind", "reason", "connection", "request", "age", "q"] as const;
const PARSERS = Object.fromEntries(
  [...FILTERS, "after", "before"].map((name) => [name, parseAsString]),
);

/** Every operation of the tenant: a count per state, the filters, and rows that stay where they are. */
export function OperationsList(props: OperationsListProps) {
  const { tenant, address, size, filtered, initial, saved } = props;
  const path = `/t/${tenant}/operations`;
  const place = addressText(address);
  const missing = useRef<readonly string[]>([]);
  const live = useLive<OperationsPage>(
    [tenant, "operations", place],
    `/api/v1${path}${withAlso(place, missing)}`,
    initial,
  );
  const { data } = live;
  const stable = useStableRows(place, data.rows, data.also, idOf);
  missing.current = stable.missing;
  const change = useFilterChange(address);
  const router = useRouter();
  const clear = () => router.push(path);
  const box = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  useRowKeys({ list, box, showNew: stable.show });
  return (
    <div className={classes.list} ref={list}>
      <Strip data={data} address={address} onToggle={change.toggleState} />
      <SavedViews tenant={tenant} page="operations" views={saved} query={place} />
      <FilterBar
        fields={fieldsOf(data.connections)}
        values={valuesOf(address)}
        onChange={change.patch}
        onClear={clear}
        boxRef={box}
        example="state:needs_reconcile age:>1h req_7006"
      />
      {live.failed ? (
        <ListError failed={live.failed} again={live.again}>
          Operations could not be loaded. This says nothing about their state.
        </ListError>
      ) : null}
      <NewRows count={stable.fresh} show={stable.show} />
      {stable.rows.length === 0 ? (
        <Empty filtered={filtered} clear={clear} />
      ) : (
        <OperationsTable tenant={tenant} address={address} sort={data.sort} rows={stable.rows} />
      )}
      <Pager
        noun={["operation", "operations"]}
        count={data.count}
        more={data.more}
        newer={
          data.newer === null ? null : `${path}${addressText(address, { before: data.newer })}`
        }
        older={data.older === null ? null : `${path}${addressText(address, { after: data.older })}`}
        size={size}
        sizes={[50, 100, 200]}
        sizeHref={(count) => `${path}${addressText(address, { size: String(count) })}`}
      />
    </div>
  );
}

function idOf(row: OperationRow): string {
  return row.opId;
}

/** Rows that left the page are asked for by id, so that what stays on screen is never old news. */
function withAlso(place: string, missing: { readonly current: readonly string[] }): string {
  if (missing.current.length === 0) return place;
  return `${place === "" ? "?" : `${place}&`}also=${missing.current.join(",")}`;
}

function Empty({ filtered, clear }: { readonly filtered: boolean; clear(): void }) {
  if (filtered) return <ListNoMatch onClear={clear} />;
  return <ListEmpty>No operations yet. They begin as proposals on a request.</ListEmpty>;
}

/** Changes filters in the address; every change begins at the first page and is a step that Back undoes. */
function useFilterChange(address: Address) {
  const [, setQuery] = useQueryStates(PARSERS, { shallow: false, history: "push" });
  const patch = (values: FilterValues) => {
    const texts = Object.entries(values).map(([name, list]) => {
      const kept = name === "state" || name === "kind" ? list.join(",") : list.at(-1);
      return [name, kept || null];
    });
    void setQuery({ ...Object.fromEntries(texts), after: null, before: null });
  };
  const toggleState = (state: OperationState) => {
    const on = statesIn(address);
    patch({ state: on.includes(state) ? on.filter((each) => each !== state) : [state] });
  };
  return { patch, toggleState };
}

function statesIn(address: Address): readonly OperationState[] {
  const words = address.state?.split(",") ?? [];
  return OPERATION_STATES.filter((state) => words.includes(state));
}

interface StripProps {
  readonly data: OperationsPage;
  readonly address: Address;
  readonly onToggle: (state: OperationState) => void;
}

function Strip({ data, address, onToggle }: StripProps) {
  const unknown = data.states
    .filter(({ state }) => state === "needs_reconcile" || state === "reconciling")
    .reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      <StateStrip
        label="Operations by state"
        items={data.states.map(({ state, ...rest }) => ({
          code: state,
          word: OPERATION_WORDS[state],
          ...rest,
        }))}
        selected={statesIn(address)}
        onToggle={onToggle}
      />
      <p className={classes.unknown}>
        Unknown now {unknown}
        {data.oldestUnknownSince === null ? null : (
          <>
            , oldest <TimeAgo instant={data.oldestUnknownSince} />
          </>
        )}
        .
      </p>
    </>
  );
}

function fieldsOf(connections: readonly string[]): readonly FilterField[] {
  return [
    {
      name: "state",
      label: "State",
      many: true,
      options: OPERATION_STATES.map((state) => ({
        value: state,
        label: OPERATION_WORDS[state].label,
      })),
    },
    {
      name: "kind",
      label: "Kind",
      options: OPERATION_KINDS.map((kind) => ({ value: kind, label: kindNoun(kind) })),
    },
    {
      name: "connection",
      label: "Connection",
      options: connections.map((name) => ({ value: name, label: name })),
    },
    {
      name: "age",
      label: "In its state",
      options: [
        { value: ">10m", label: "over 10 min" },
        { value: ">1h", label: "over 1 h" },
        { value: ">1d", label: "over 1 d" },
      ],
    },
    { name: "reason", label: "Reason" },
    { name: "request", label: "Request" },
  ];
}

function valuesOf(address: Address): FilterValues {
  return Object.fromEntries(
    FILTERS.flatMap((name) => {
      const text = address[name];
      if (text === undefined) return [];
      return [[name, name === "state" || name === "kind" ? text.split(",") : [text]]];
    }),
  );
}
