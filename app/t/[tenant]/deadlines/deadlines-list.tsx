"use client";

import { Button } from "@mantine/core";
import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import type { SavedView } from "@/app/t/[tenant]/saved-views";
import { useLive } from "@/components/frame/live";
import { ListEmpty, ListError, ListNoMatch, NewRows } from "@/components/list-states";
import { Pager } from "@/components/pager";
import { useRowKeys } from "@/components/row-keys";
import { useStableRows } from "@/components/stable-rows";
import type { DeadlinesPage } from "@/lib/queries/deadlines-page";
import type { DeadlineRow } from "@/lib/queries/deadlines-row";
import { type Address, addressText, FIRST, listText, viewOf } from "./address";
import classes from "./deadlines.module.css";
import { cleared, DeadlinesHead, isFiltered } from "./deadlines-head";
import { DeadlinesTable } from "./deadlines-table";
import { DeadlinesTimeline } from "./deadlines-timeline";
import { type DeadlineGroup, groupOf } from "./groups";
import { useDeadlineKeys } from "./use-deadline-keys";

interface DeadlinesListProps {
  readonly tenant: string;
  readonly address: Address;
  readonly size: number;
  readonly initial: DeadlinesPage;
  readonly saved: readonly SavedView[];
}

/** Open requests by one of their clocks, as a table or a timeline. Rows and groups stay still until one asks. */
export function DeadlinesList({ tenant, address, size, initial, saved }: DeadlinesListProps) {
  const path = `/t/${tenant}/deadlines`;
  const list = listText(address);
  const missing = useRef<readonly string[]>([]);
  const live = useLive<DeadlinesPage>(
    [tenant, "deadlines", list],
    `/api/v1${path}${withAlso(list, missing)}`,
    initial,
  );
  const { data } = live;
  const stable = useStableRows(list, data.rows, data.also, refOf);
  missing.current = stable.missing;
  const groups = useStillGroups(list, data, stable.rows);
  const show = () => {
    stable.show();
    groups.again();
  };
  const box = useRef<HTMLInputElement>(null);
  const rows = useRef<HTMLDivElement>(null);
  useRowKeys({ list: rows, box, showNew: show });
  useDeadlineKeys(path, address);
  const router = useRouter();
  return (
    <div className={classes.list}>
      <DeadlinesHead {...{ path, tenant, address, data, saved }} boxRef={box} />
      {live.failed ? (
        <ListError failed={live.failed} again={live.again}>
          Deadlines could not be loaded. The worker does not depend on this page.
        </ListError>
      ) : null}
      <NewRows count={stable.fresh} show={show} />
      {stable.fresh === 0 && !sameOrder(data.rows, stable.rows) ? (
        <Button variant="light" size="compact-sm" fullWidth onClick={show}>
          Changed since, show
        </Button>
      ) : null}
      <div ref={rows}>
        {stable.rows.length === 0 ? (
          <Empty
            filtered={isFiltered(address)}
            clear={() => router.push(`${path}${cleared(address)}`)}
          />
        ) : (
          <View tenant={tenant} address={address} rows={stable.rows} groups={groups.of} />
        )}
      </div>
      <Pages path={path} address={address} data={data} size={size} />
    </div>
  );
}

/** False when something moved in the list or left it since the rows were put in this order. */
function sameOrder(now: readonly DeadlineRow[], shown: readonly DeadlineRow[]): boolean {
  return now.map(refOf).join() === shown.map(refOf).join();
}

function refOf(row: DeadlineRow): string {
  return row.ref;
}

function withAlso(list: string, missing: { readonly current: readonly string[] }): string {
  if (missing.current.length === 0) return list;
  return `${list === "" ? "?" : `${list}&`}also=${missing.current.join(",")}`;
}

/** The group of each row as it was when the row was first shown here, until `again`. */
function useStillGroups(place: string, { now }: DeadlinesPage, rows: readonly DeadlineRow[]) {
  const [begun, setBegun] = useState({ place, turn: 0 });
  if (begun.place !== place) setBegun({ place, turn: begun.turn + 1 });
  const held = useRef({ turn: -1, groups: new Map<string, DeadlineGroup>() });
  if (held.current.turn !== begun.turn) {
    held.current = { turn: begun.turn, groups: new Map() };
  }
  const { groups } = held.current;
  for (const row of rows) {
    if (!groups.has(row.ref)) groups.set(row.ref, groupOf(row.placeAt, now));
  }
  return {
    of: (row: DeadlineRow) => groups.get(row.ref) ?? groupOf(row.placeAt, now),
    again: () => setBegun({ place, turn: begun.turn + 1 }),
  };
}

interface ViewProps {
  readonly tenant: string;
  readonly address: Address;
  readonly rows: readonly DeadlineRow[];
  readonly groups: (row: DeadlineRow) => DeadlineGroup;
}

function View({ tenant, address, rows, groups }: ViewProps) {
  if (viewOf(address) === "timeline") return <DeadlinesTimeline tenant={tenant} rows={rows} />;
  return <DeadlinesTable tenant={tenant} rows={rows} groupOf={groups} />;
}

function Empty({ filtered, clear }: { readonly filtered: boolean; clear(): void }) {
  if (filtered) return <ListNoMatch onClear={clear} />;
  return <ListEmpty>No open deadlines.</ListEmpty>;
}

interface PagesProps {
  readonly path: string;
  readonly address: Address;
  readonly data: DeadlinesPage;
  readonly size: number;
}

function Pages({ path, address, data, size }: PagesProps) {
  const to = (patch: Parameters<typeof addressText>[1]) => `${path}${addressText(address, patch)}`;
  return (
    <Pager
      noun={["open request", "open requests"]}
      count={data.count}
      more={data.more}
      newer={data.newer === null ? null : to({ ...FIRST, before: data.newer })}
      older={data.older === null ? null : to({ ...FIRST, after: data.older })}
      size={size}
      sizes={[50, 100, 200]}
      sizeHref={(count) => to({ ...FIRST, size: String(count) })}
    />
  );
}
