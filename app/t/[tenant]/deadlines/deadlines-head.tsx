"use client";

import { useRouter } from "next/navigation";
import { parseAsString, useQueryStates } from "nuqs";
import type { RefObject } from "react";
import { type SavedView, SavedViews } from "@/app/t/[tenant]/saved-views";
import { FilterBar, type FilterField, type FilterValues } from "@/components/filter-bar";
import { ViewTabs } from "@/components/view-tabs";
import { kindNoun } from "@/lib/domain/asked";
import { DEADLINE_ORDERS, type DeadlineOrder } from "@/lib/domain/deadline-order";
import { OPERATION_KINDS } from "@/lib/domain/operation";
import { REQUEST_WORD_CODES, REQUEST_WORDS } from "@/lib/domain/words";
import type { DeadlinesPage } from "@/lib/queries/deadlines-page";
import {
  type Address,
  addressText,
  DEADLINE_FILTERS,
  DEADLINE_VIEWS,
  type DeadlineView,
  FIRST,
  orderOf,
  viewOf,
} from "./address";
import classes from "./deadlines.module.css";

const PARSERS = Object.fromEntries(
  [...DEADLINE_FILTERS, "after", "before"].map((name) => [name, parseAsString]),
);

const VIEW_LABELS: Record<DeadlineView, string> = {
  table: "Table",
  timeline: "Timeline",
  month: "Month",
};

export const ORDER_LABELS: Record<DeadlineOrder, string> = {
  earliest: "Earliest",
  business: "Business",
  platform: "Platform",
  timer: "Next timer",
};

interface DeadlinesHeadProps {
  readonly path: string;
  readonly tenant: string;
  readonly address: Address;
  readonly data: DeadlinesPage;
  readonly saved: readonly SavedView[];
  readonly boxRef: RefObject<HTMLInputElement | null>;
}

/** What stands above every view of the deadlines: views, order, built-in and own views, filters. */
export function DeadlinesHead(props: DeadlinesHeadProps) {
  const { path, tenant, address, data, saved, boxRef } = props;
  const router = useRouter();
  const [, setQuery] = useQueryStates(PARSERS, { shallow: false, history: "push" });
  const change = (patch: FilterValues) => {
    const values = Object.entries(patch).map(([name, list]) => [name, list.at(-1) ?? null]);
    void setQuery({ ...Object.fromEntries(values), after: null, before: null });
  };
  const clear = () => router.push(`${path}${cleared(address)}`);
  return (
    <>
      <div className={classes.switches}>
        <Switches path={path} address={address} />
      </div>
      {viewOf(address) === "month" ? null : (
        <>
          <ViewTabs label="Views" tabs={viewsOf(path, address, data)} />
          <SavedViews
            tenant={tenant}
            page="deadlines"
            views={saved}
            query={addressText(address, FIRST)}
          />
          <FilterBar
            fields={fieldsOf(data.connections)}
            values={valuesOf(address)}
            onChange={change}
            onClear={clear}
            boxRef={boxRef}
            example="due:7d status:viewed req_7006"
          />
        </>
      )}
    </>
  );
}

function Switches({ path, address }: Pick<DeadlinesHeadProps, "path" | "address">) {
  const views = DEADLINE_VIEWS.map((view) => ({
    label: VIEW_LABELS[view],
    href: `${path}${addressText(address, { view })}`,
    active: viewOf(address) === view,
  }));
  const orders = DEADLINE_ORDERS.map((by) => ({
    label: ORDER_LABELS[by],
    href: `${path}${addressText(address, { by, ...FIRST })}`,
    active: orderOf(address) === by,
  }));
  return (
    <>
      <ViewTabs label="View" tabs={views} />
      {viewOf(address) === "month" ? null : <ViewTabs label="Order by" tabs={orders} />}
    </>
  );
}

/** The same view and order without any filter. */
export function cleared(address: Address): string {
  const none = Object.fromEntries(DEADLINE_FILTERS.map((name) => [name, undefined]));
  return addressText(address, { ...none, ...FIRST });
}

export function isFiltered(address: Address): boolean {
  return DEADLINE_FILTERS.some((name) => address[name] !== undefined);
}

function viewsOf(path: string, address: Address, { views }: DeadlinesPage) {
  const on = DEADLINE_FILTERS.filter((name) => address[name] !== undefined);
  const { by, view: shown } = address;
  const only = { ...(by ? { by } : {}), ...(shown ? { view: shown } : {}) };
  const view = (
    label: string,
    name: (typeof DEADLINE_FILTERS)[number],
    value: string,
    count: number,
  ) => ({
    label,
    href: `${path}${addressText(only, { [name]: value })}`,
    count,
    active: on.length === 1 && address[name] === value,
  });
  return [
    { label: "All open", href: `${path}${addressText(only)}`, active: on.length === 0 },
    view("Expires in 48 h", "due", "48h", views.due),
    view("Waiting for me", "waiting", "me", views.waiting),
    view("Unknown now", "unknown", "yes", views.unknown),
    view("Differs from the platform", "drift", "yes", views.drift),
    view("Passed, still open", "passed", "yes", views.passed),
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
      name: "kind",
      label: "Open operation",
      options: OPERATION_KINDS.map((kind) => ({ value: kind, label: kindNoun(kind) })),
    },
    {
      name: "connection",
      label: "Connection",
      options: connections.map((name) => ({ value: name, label: name })),
    },
    { name: "due", label: "Due within" },
    { name: "owner", label: "Owner" },
    { name: "drift", label: "Differs" },
    { name: "clock_conflict", label: "Open item about its clocks" },
    { name: "waiting", label: "Waiting for" },
    { name: "unknown", label: "Unknown now" },
    { name: "passed", label: "Passed" },
  ];
}

function valuesOf(address: Address): FilterValues {
  return Object.fromEntries(
    DEADLINE_FILTERS.flatMap((name) => {
      const text = address[name];
      return text === undefined ? [] : [[name, [text]]];
    }),
  );
}
