"use client";

import { useRouter } from "next/navigation";
import { parseAsString, useQueryStates } from "nuqs";
import { useRef } from "react";
import { queryText } from "@/app/t/[tenant]/list-address";
import { type SavedView, SavedViews } from "@/app/t/[tenant]/saved-views";
import { FilterBar, type FilterField, type FilterValues } from "@/components/filter-bar";
import { useLive } from "@/components/frame/live";
import { ListEmpty, ListError, ListNoMatch } from "@/components/list-states";
import { Pager } from "@/components/pager";
import { useRowKeys } from "@/components/row-keys";
import { ViewTabs } from "@/components/view-tabs";
import { REQUEST_WORD_CODES, REQUEST_WORDS } from "@/lib/domain/words";
import type { RequestsQuery } from "@/lib/queries/page-query";
import type { RequestsPage } from "@/lib/queries/requests-page";
import { RequestsTable } from "./requests-table";

interface RequestsListProps {
  readonly tenant: string;
  readonly query: RequestsQuery;
  readonly initial: RequestsPage;
  readonly saved: readonly SavedView[];
}

const FILTERS = ["status", "connection", "drift", "due", "unknown", "owner", "q"] as const;
const PARSERS = {
  ...Object.fromEntries(FILTERS.map((name) => [name, parseAsString])),
  after: parseAsString,
  before: parseAsString,
};
/** Exact counts end here. */
const COUNT_MAX = 10_000;

/** The signing requests of a tenant with their clocks; filters, order and place stand in the address. */
export function RequestsList({ tenant, query, initial, saved }: RequestsListProps) {
  const path = `/t/${tenant}/requests`;
  const live = useLive<RequestsPage>(
    [tenant, "requests", query],
    `/api/v1/t/${tenant}/requests${queryText(query)}`,
    initial,
  );
  const { data } = live;
  const list = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLInputElement>(null);
  useRowKeys({ list, box });
  const router = useRouter();
  const [, setQuery] = useQueryStates(PARSERS, { shallow: false, history: "push" });
  const change = (patch: FilterValues) => {
    const values = Object.entries(patch).map(([name, list]) => [name, list.at(-1) ?? null]);
    void setQuery({ ...Object.fromEntries(values), after: null, before: null });
  };
  const clear = () => router.push(path);
  const filtered = FILTERS.some((name) => query[name] !== undefined);
  return (
    <>
      <ViewTabs label="Views" tabs={viewsOf(path, query, data)} />
      <SavedViews tenant={tenant} page="requests" views={saved} query={queryText(query)} />
      <FilterBar
        fields={fieldsOf(data.connections)}
        values={valuesOf(query)}
        onChange={change}
        onClear={clear}
        boxRef={box}
        example="status:viewed due:48h req_7006"
      />
      {live.failed ? (
        <ListError failed={live.failed} again={live.again}>
          Requests could not be loaded.
        </ListError>
      ) : null}
      <div ref={list}>
        <Rows tenant={tenant} query={query} data={data} filtered={filtered} clear={clear} />
      </div>
      <Pages path={path} query={query} data={data} />
    </>
  );
}

const FIRST = { after: undefined, before: undefined };

function place(
  path: string,
  query: RequestsQuery,
  to: { after?: string | undefined; before?: string | undefined },
): string | null {
  if (to.after === undefined && to.before === undefined) return null;
  return `${path}${queryText(query, { ...FIRST, ...to })}`;
}

interface PagesProps {
  readonly path: string;
  readonly query: RequestsQuery;
  readonly data: RequestsPage;
}

function Pages({ path, query, data }: PagesProps) {
  return (
    <Pager
      noun={["request", "requests"]}
      count={Math.min(data.total, COUNT_MAX)}
      more={data.total > COUNT_MAX}
      newer={place(path, query, { before: data.newer ?? undefined })}
      older={place(path, query, { after: data.older ?? undefined })}
      size={query.size}
      sizes={[50, 100, 200]}
      sizeHref={(size) => `${path}${queryText(query, { size, ...FIRST })}`}
    />
  );
}

interface RowsProps {
  readonly tenant: string;
  readonly query: RequestsQuery;
  readonly data: RequestsPage;
  readonly filtered: boolean;
  clear(): void;
}

function Rows({ tenant, query, data, filtered, clear }: RowsProps) {
  if (data.rows.length > 0) return <RequestsTable tenant={tenant} query={query} rows={data.rows} />;
  if (filtered) return <ListNoMatch onClear={clear} />;
  return (
    <ListEmpty>
      No signing requests yet. They appear when you propose a send, or when a connection reports
      one.
    </ListEmpty>
  );
}

function viewsOf(path: string, query: RequestsQuery, { views, all }: RequestsPage) {
  const on = FILTERS.filter((name) => query[name] !== undefined);
  const only = (name: (typeof FILTERS)[number], value: string) =>
    on.length === 1 && query[name] === value;
  const view = (label: string, name: (typeof FILTERS)[number], value: string, count: number) => ({
    label,
    href: `${path}?${name}=${value}`,
    count,
    active: only(name, value),
  });
  return [
    { label: "All", href: path, count: all, active: on.length === 0 },
    view("Expires in 48 h", "due", "48h", views.due),
    view("Differs from the platform", "drift", "yes", views.drift),
    view("Unknown now", "unknown", "yes", views.unknown),
    view("Mine", "owner", "me", views.mine),
  ];
}

function fieldsOf(connections: readonly string[]): readonly FilterField[] {
  return [
    {
      name: "status",
      label: "Status",
      options: REQUEST_WORD_CODES.map((code) => ({
        value: code,
        label: REQUEST_WORDS[code].label,
      })),
    },
    {
      name: "connection",
      label: "Connection",
      options: connections.map((name) => ({ value: name, label: name })),
    },
    { name: "due", label: "Due within" },
    { name: "drift", label: "Differs" },
    { name: "unknown", label: "Unknown now" },
    { name: "owner", label: "Owner" },
  ];
}

function valuesOf(query: RequestsQuery): FilterValues {
  return Object.fromEntries(
    FILTERS.flatMap((name) => (query[name] === undefined ? [] : [[name, [query[name]]]])),
  );
}
