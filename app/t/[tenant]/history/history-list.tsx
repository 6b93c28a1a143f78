"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { parseAsString, useQueryStates } from "nuqs";
import { useRef } from "react";
import { FilterBar, type FilterField, type FilterValues } from "@/components/filter-bar";
import { ListEmpty, ListNoMatch } from "@/components/list-states";
import { Pager } from "@/components/pager";
import { useRowKeys } from "@/components/row-keys";
import { TimeWithZone } from "@/components/time-with-zone";
import { ViewTabs } from "@/components/view-tabs";
import { ACTION_CODES, actionWords } from "@/lib/domain/history-words";
import { OPERATION_KINDS, OPERATION_STATES } from "@/lib/domain/operation";
import { ROLE_LABELS, type Role } from "@/lib/domain/role";
import { filled } from "@/lib/domain/sentence";
import { OPERATION_WORDS } from "@/lib/domain/words";
import type { HistoryPage } from "@/lib/queries/history-page";
import { type Address, addressText, FILTERS, isFiltered } from "./address";
import { ExportButton } from "./export-button";
import classes from "./history.module.css";
import { HistoryTable } from "./history-table";

interface HistoryListProps {
  readonly tenant: string;
  readonly address: Address;
  readonly size: number;
  readonly initial: HistoryPage;
  /** Whether the role may export, verify and make packs. */
  readonly mayProve: boolean;
}

/** The history as it was when the page was opened: it does not move while somebody reads in it. */
export function HistoryList({ tenant, address, size, initial, mayProve }: HistoryListProps) {
  const path = `/t/${tenant}/history`;
  const patch = useFilterChange();
  const router = useRouter();
  const clear = () => router.push(path);
  const box = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  useRowKeys({ list, box, showNew: () => router.refresh() });
  const at = (changes: Record<string, string>) => `${path}${addressText(address, changes)}`;
  return (
    <div className={classes.list} ref={list}>
      <Views path={path} address={address} />
      <FilterBar
        fields={fieldsOf(initial)}
        values={valuesOf(address)}
        onChange={patch}
        onClear={clear}
        boxRef={box}
        example="action:approved kind:extend from:2026-10-01 to:2027-01-01"
      />
      <Proof path={path} page={initial} tenant={tenant} address={address} mayProve={mayProve} />
      {initial.rows.length === 0 ? (
        isFiltered(address) ? (
          <ListNoMatch onClear={clear} />
        ) : (
          <ListEmpty>No entries yet.</ListEmpty>
        )
      ) : (
        <HistoryTable tenant={tenant} rows={initial.rows} />
      )}
      <Pager
        noun={["entry", "entries"]}
        count={initial.count}
        more={initial.more}
        newer={initial.newer === null ? null : at({ before: initial.newer })}
        older={initial.older === null ? null : at({ after: initial.older })}
        size={size}
        sizes={[50, 100, 200]}
        sizeHref={(count) => at({ size: String(count) })}
      />
    </div>
  );
}

/** Filters that compliance asks for again and again. */
function Views({ path, address }: { readonly path: string; readonly address: Address }) {
  const view = (label: string, query: Record<string, string>) => ({
    label,
    href: `${path}${addressText(query)}`,
    active: addressText(address, { size: null }) === addressText(query),
  });
  return (
    <ViewTabs
      label="Views"
      tabs={[
        view("Everything", {}),
        view("Approvals", { action: "approved" }),
        view("Overrides", { action: "review_override_confirmed" }),
        view("Contacts revealed", { action: "contact_revealed" }),
        view("Kill switch", { action: "paused" }),
        view("Exports", { action: "history_exported" }),
      ]}
    />
  );
}

interface ProofProps {
  readonly path: string;
  readonly tenant: string;
  readonly page: HistoryPage;
  readonly address: Address;
  readonly mayProve: boolean;
}

/** What holds the list together, and how to take it elsewhere. */
function Proof({ path, tenant, page, address, mayProve }: ProofProps) {
  const { seal, check } = page;
  return (
    <div className={classes.proof}>
      <p className={classes.sealed}>
        {seal === null ? (
          "Not sealed yet."
        ) : (
          <>
            Seal {seal.seq} of <TimeWithZone instant={seal.at} kind="moment" form="one" />.
          </>
        )}{" "}
        {check === null ? (
          "No check has ended yet."
        ) : (
          <>
            Checked <TimeWithZone instant={check.at} kind="moment" form="one" />:{" "}
            {check.findings === 0 ? "everything fits." : `${check.findings} do not fit.`}
          </>
        )}
      </p>
      {mayProve ? (
        <div className={classes.actions}>
          <Link href={`${path}/verify`}>Verify</Link>
          <Link href={`${path}/packs`}>Evidence packs</Link>
          <ExportButton tenant={tenant} address={address} count={page.count} more={page.more} />
        </div>
      ) : null}
    </div>
  );
}

const PARSERS = Object.fromEntries(
  [...FILTERS, "after", "before"].map((name) => [name, parseAsString]),
);

/** Changes filters in the address; every change begins at the first page and is a step that Back undoes. */
function useFilterChange() {
  const [, setQuery] = useQueryStates(PARSERS, { shallow: false, history: "push" });
  return (values: FilterValues) => {
    const texts = Object.entries(values).map(([name, list]) => [name, list.at(-1) || null]);
    void setQuery({ ...Object.fromEntries(texts), after: null, before: null });
  };
}

function fieldsOf({ members }: HistoryPage): readonly FilterField[] {
  const who = members.map(({ name, role, login }) => ({
    value: name,
    label: `${login} (${ROLE_LABELS[role as Role]})`,
  }));
  return [
    { name: "who", label: "Who", ...(who.length > 0 ? { options: who } : {}) },
    {
      name: "action",
      label: "Action",
      options: ["approved", "rejected", "withdrawn", ...ACTION_CODES].map((code) => ({
        value: code,
        label: actionWords(code),
      })),
    },
    {
      name: "kind",
      label: "Kind",
      options: OPERATION_KINDS.map((kind) => ({ value: kind, label: kind })),
    },
    {
      name: "state",
      label: "State",
      options: OPERATION_STATES.map((state) => ({
        value: state,
        label: filled(OPERATION_WORDS[state].label, {}),
      })),
    },
    {
      name: "source",
      label: "Source",
      options: [
        { value: "operations", label: "operations" },
        { value: "operators", label: "operators" },
      ],
    },
    { name: "request", label: "Request" },
    { name: "op", label: "Operation" },
    { name: "from", label: "From" },
    { name: "to", label: "To" },
  ];
}

function valuesOf(address: Address): FilterValues {
  return Object.fromEntries(
    FILTERS.flatMap((name) => (address[name] === undefined ? [] : [[name, [address[name]]]])),
  );
}
