"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { parseAsString, useQueryStates } from "nuqs";
import { useRef, useState } from "react";
import { FilterBar, type FilterField, type FilterValues } from "@/components/filter-bar";
import { useLive } from "@/components/frame/live";
import { ListEmpty, ListError, ListNoMatch, NewRows } from "@/components/list-states";
import { Pager } from "@/components/pager";
import { useRowKeys } from "@/components/row-keys";
import { useStableRows } from "@/components/stable-rows";
import { ViewTabs } from "@/components/view-tabs";
import {
  DELIVERY_STATES,
  DELIVERY_WORDS,
  OUTBOX_TYPE_WORDS,
  OUTBOX_TYPES,
  TEST_TYPE,
} from "@/lib/domain/outbox";
import { filled } from "@/lib/domain/sentence";
import type { OutboxPage } from "@/lib/queries/outbox-page";
import type { OutboxRow } from "@/lib/queries/outbox-row";
import { type Address, addressText, isFiltered } from "./address";
import classes from "./outbox.module.css";
import { OutboxTable } from "./outbox-table";
import { SendAgain } from "./send-again";

interface OutboxListProps {
  readonly tenant: string;
  readonly address: Address;
  readonly size: number;
  readonly initial: OutboxPage;
  readonly mayAct: boolean;
}

/** Every delivery of the tenant, the newest first, with what can be sent again. */
export function OutboxList({ tenant, address, size, initial, mayAct }: OutboxListProps) {
  const path = `/t/${tenant}/outbox`;
  const place = addressText(address);
  const missing = useRef<readonly string[]>([]);
  const live = useLive<OutboxPage>(
    [tenant, "outbox", place],
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
  const shownIds = stable.rows.map(idOf);
  const selected = chosen.filter((id) => shownIds.includes(id));
  return (
    <div className={classes.list} ref={list}>
      <Tabs path={path} address={address} data={data} />
      <FilterBar
        fields={fieldsOf(data.subscribers)}
        values={valuesOf(address)}
        onChange={patch}
        onClear={clear}
        boxRef={box}
        example="state:dead request:req_7006 from:2026-11-30"
      />
      {live.failed ? (
        <ListError failed={live.failed} again={live.again}>
          The outbox could not be loaded. Deliveries go on.
        </ListError>
      ) : null}
      <NewRows count={stable.fresh} show={stable.show} />
      {mayAct && selected.length > 0 ? (
        <SendAgain
          tenant={tenant}
          ids={selected}
          clear={() => setChosen([])}
          done={() => live.again()}
        />
      ) : null}
      {stable.rows.length === 0 ? (
        <Empty filtered={isFiltered(address)} data={data} path={path} clear={clear} />
      ) : (
        <OutboxTable
          tenant={tenant}
          rows={stable.rows}
          {...(mayAct ? { chosen: selected, choose: setChosen } : {})}
        />
      )}
      <Pages path={path} address={address} size={size} data={data} />
    </div>
  );
}

interface PagesProps extends TabsProps {
  readonly size: number;
}

function Pages({ path, address, size, data }: PagesProps) {
  const at = (patch: Record<string, string>) => `${path}${addressText(address, patch)}`;
  return (
    <Pager
      noun={["delivery", "deliveries"]}
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

function idOf(row: OutboxRow): string {
  return row.id;
}

/** Rows that left the page are asked for by id, so that what stays on screen is never old news. */
function withAlso(place: string, missing: { readonly current: readonly string[] }): string {
  if (missing.current.length === 0) return place;
  return `${place === "" ? "?" : `${place}&`}also=${missing.current.join(",")}`;
}

const WAITING = "queued,held,retrying";

interface TabsProps {
  readonly path: string;
  readonly address: Address;
  readonly data: OutboxPage;
}

function Tabs({ path, address, data }: TabsProps) {
  const tab = (label: string, state: string | null, count: number) => ({
    label,
    href: `${path}${addressText(address, { state })}`,
    count,
    active: (address.state ?? null) === state,
  });
  return (
    <ViewTabs
      label="Views"
      tabs={[
        tab("All", null, data.counts.all),
        tab("Waiting", WAITING, data.counts.waiting),
        tab("Dead letters", "dead", data.counts.dead),
      ]}
    />
  );
}

interface EmptyProps {
  readonly filtered: boolean;
  readonly data: OutboxPage;
  readonly path: string;
  clear(): void;
}

function Empty({ filtered, data, path, clear }: EmptyProps) {
  if (filtered) return <ListNoMatch onClear={clear} />;
  if (data.subscribers.length > 0) {
    return <ListEmpty>Nothing to tell yet. Ends of requests appear here.</ListEmpty>;
  }
  return (
    <ListEmpty action={<Link href={`${path}/subscribers`}>Add a subscriber</Link>}>
      No subscribers. Add one to tell other systems.
    </ListEmpty>
  );
}

const FILTERS = ["state", "subscriber", "event", "request", "from", "to"] as const;
const PARSERS = Object.fromEntries(
  [...FILTERS, "after", "before"].map((name) => [name, parseAsString]),
);

/** Changes filters in the address; every change begins at the first page and is a step that Back undoes. */
function useFilterChange() {
  const [, setQuery] = useQueryStates(PARSERS, { shallow: false, history: "push" });
  return (values: FilterValues) => {
    const texts = Object.entries(values).map(([name, list]) => {
      const kept = name === "state" ? list.join(",") : list.at(-1);
      return [name, kept || null];
    });
    void setQuery({ ...Object.fromEntries(texts), after: null, before: null });
  };
}

function fieldsOf(subscribers: readonly string[]): readonly FilterField[] {
  return [
    {
      name: "state",
      label: "State",
      many: true,
      options: DELIVERY_STATES.map((state) => ({
        value: state,
        label: filled(DELIVERY_WORDS[state].label, {}),
      })),
    },
    {
      name: "subscriber",
      label: "Subscriber",
      options: subscribers.map((name) => ({ value: name, label: name })),
    },
    {
      name: "event",
      label: "Event",
      options: ([...OUTBOX_TYPES, TEST_TYPE] as const).map((type) => ({
        value: type,
        label: OUTBOX_TYPE_WORDS[type],
      })),
    },
    { name: "request", label: "Request" },
    { name: "from", label: "From" },
    { name: "to", label: "To" },
  ];
}

function valuesOf(address: Address): FilterValues {
  return Object.fromEntries(
    FILTERS.flatMap((name) => {
      const text = address[name];
      if (text === undefined) return [];
      return [[name, name === "state" ? text.split(",") : [text]]];
    }),
  );
}
