"use client";

import Link from "next/link";
import { parseAsString, useQueryStates } from "nuqs";
import { useRef } from "react";
import { queryText } from "@/app/t/[tenant]/list-address";
import { FilterBar, type FilterField, type FilterValues } from "@/components/filter-bar";
import { useLive } from "@/components/frame/live";
import { ListEmpty, ListError, ListNoMatch } from "@/components/list-states";
import { Pager } from "@/components/pager";
import { useRowKeys } from "@/components/row-keys";
import { ViewTabs } from "@/components/view-tabs";
import { KIND_WORDS } from "@/lib/domain/payload-words";
import type { ApprovalsPage, ApprovalTab } from "@/lib/queries/approvals-page";
import type { ApprovalsQuery } from "@/lib/queries/page-query";
import { ApprovalsTable } from "./approvals-table";

interface ApprovalsListProps {
  readonly tenant: string;
  readonly query: ApprovalsQuery;
  readonly initial: ApprovalsPage;
}

const TABS: readonly { readonly tab: ApprovalTab; readonly label: string }[] = [
  { tab: "mine", label: "Waiting for me" },
  { tab: "others", label: "Waiting for others" },
  { tab: "proposed_by_me", label: "Proposed by me" },
  { tab: "decided", label: "Decided" },
];
const FIELDS: readonly FilterField[] = [
  {
    name: "kind",
    label: "Kind",
    options: Object.entries(KIND_WORDS).map(([value, { noun }]) => ({ value, label: noun })),
  },
  { name: "request", label: "Request" },
];
const PARSERS = { kind: parseAsString, request: parseAsString, after: parseAsString };

/** What waits for the reader, what for others, and what was decided (AP-5). */
export function ApprovalsList({ tenant, query, initial }: ApprovalsListProps) {
  const path = `/t/${tenant}/approvals`;
  const live = useLive<ApprovalsPage>(
    [tenant, "approvals", query],
    `/api/v1/t/${tenant}/approvals${queryText(query)}`,
    initial,
  );
  const { data } = live;
  const list = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLInputElement>(null);
  useRowKeys({ list, box });
  const [, setQuery] = useQueryStates(PARSERS, { shallow: false, history: "push" });
  const change = ({ kind, request, q }: FilterValues) => {
    // Words without a name can only mean the request here.
    const ref = request ?? q;
    void setQuery({
      after: null,
      ...(kind === undefined ? {} : { kind: kind.at(-1) ?? null }),
      ...(ref === undefined ? {} : { request: ref.at(-1) ?? null }),
    });
  };
  const clear = () => void setQuery({ kind: null, request: null, after: null });
  const { kind, request } = query;
  return (
    <>
      <ViewTabs label="Approvals by who has to act" tabs={tabsOf(path, query, data)} />
      <FilterBar
        fields={FIELDS}
        values={{ ...(kind ? { kind: [kind] } : {}), ...(request ? { request: [request] } : {}) }}
        onChange={change}
        onClear={clear}
        boxRef={box}
        example="kind:extend request:req_7006"
      />
      {live.failed ? (
        <ListError failed={live.failed} again={live.again}>
          Approvals could not be loaded. They expire by the server's clock all the same.
        </ListError>
      ) : null}
      <div ref={list}>
        {data.rows.length > 0 ? (
          <ApprovalsTable tenant={tenant} tab={query.tab} rows={data.rows} />
        ) : (
          <Empty path={path} query={query} data={data} clear={clear} />
        )}
      </div>
      <Pages path={path} query={query} data={data} />
    </>
  );
}

const FIRST = { after: undefined };

interface PagesProps {
  readonly path: string;
  readonly query: ApprovalsQuery;
  readonly data: ApprovalsPage;
}

function Pages({ path, query, data }: PagesProps) {
  return (
    <Pager
      noun={["approval", "approvals"]}
      count={data.counts[query.tab]}
      more={false}
      newer={query.after === undefined ? null : `${path}${queryText(query, FIRST)}`}
      older={data.older === null ? null : `${path}${queryText(query, { after: data.older })}`}
      size={query.size}
      sizes={[50, 100, 200]}
      sizeHref={(size) => `${path}${queryText(query, { size, ...FIRST })}`}
    />
  );
}

function tabsOf(path: string, query: ApprovalsQuery, { counts }: ApprovalsPage) {
  return TABS.map(({ tab, label }) => ({
    label,
    href: `${path}?tab=${tab}`,
    count: counts[tab],
    active: tab === query.tab,
  }));
}

interface EmptyProps {
  readonly path: string;
  readonly query: ApprovalsQuery;
  readonly data: ApprovalsPage;
  clear(): void;
}

function Empty({ path, query, data, clear }: EmptyProps) {
  if (query.kind || query.request) return <ListNoMatch onClear={clear} />;
  switch (query.tab) {
    case "mine":
      return (
        <ListEmpty action={<Link href={`${path}?tab=others`}>See what waits for others</Link>}>
          Nothing waits for you. {data.counts.others} wait for others.
        </ListEmpty>
      );
    case "others":
      return <ListEmpty>Nothing waits for others.</ListEmpty>;
    case "proposed_by_me":
      return <ListEmpty>Nothing that you proposed waits for an approval.</ListEmpty>;
    case "decided":
      return <ListEmpty>Nothing was decided in the last 30 days.</ListEmpty>;
  }
}
