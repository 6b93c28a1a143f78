"use client";

import { parseAsString, useQueryStates } from "nuqs";
import type { FilterField, FilterValues } from "@/components/filter-bar";
import { kindNoun } from "@/lib/domain/asked";
import { CONSEQUENCE_WORDS } from "@/lib/domain/consequence";
import { OPERATION_KINDS } from "@/lib/domain/operation";
import { AGE_BAND_WORDS } from "@/lib/domain/system-words";
import { ownerWords } from "@/lib/domain/waiting";
import { REVIEW_WORDS } from "@/lib/domain/words";
import type { ReviewListPage } from "@/lib/queries/review-list-page";
import type { Address } from "./address";

const FILTERS = [
  "reason",
  "owner",
  "team",
  "status",
  "consequence",
  "kind",
  "connection",
  "age",
  "request",
] as const;

const PARSERS = Object.fromEntries([...FILTERS, "after"].map((name) => [name, parseAsString]));

/** Changes filters in the address; every change begins at the first page and is a step that Back undoes. */
export function useFilterChange() {
  const [, setQuery] = useQueryStates(PARSERS, { shallow: false, history: "push" });
  return (values: FilterValues) => {
    const texts = Object.entries(values).map(([name, list]) => [name, list.at(-1) || null]);
    void setQuery({ ...Object.fromEntries(texts), after: null });
  };
}

/** The filters that stand in an address. */
export function valuesOf(address: Address): FilterValues {
  return Object.fromEntries(
    FILTERS.flatMap((name) => {
      const text = address[name];
      return text === undefined ? [] : [[name, [text]]];
    }),
  );
}

const TEAMS = ["team:on-call", "team:account-managers", "team:compliance", "team:admins"];

/** Every filter of the queue; those with few values are offered, all others are typed into the box. */
export function fieldsOf({
  connections,
}: Pick<ReviewListPage, "connections">): readonly FilterField[] {
  const words = (table: Readonly<Record<string, { readonly label: string }>>, codes: string[]) =>
    codes.map((value) => ({ value, label: table[value]?.label ?? value }));
  return [
    {
      name: "consequence",
      label: "Consequence",
      options: Object.entries(CONSEQUENCE_WORDS).map(([value, label]) => ({ value, label })),
    },
    { name: "age", label: "Age", options: words(AGE_BAND_WORDS, Object.keys(AGE_BAND_WORDS)) },
    {
      name: "kind",
      label: "Kind",
      options: OPERATION_KINDS.map((value) => ({ value, label: kindNoun(value) })),
    },
    {
      name: "team",
      label: "Team",
      options: TEAMS.map((value) => ({ value, label: ownerWords(value) })),
    },
    {
      name: "status",
      label: "Status",
      options: words(REVIEW_WORDS, [
        "open",
        "claimed",
        "acknowledged",
        "snoozed",
        "second_person",
        "settled",
      ]),
    },
    {
      name: "connection",
      label: "Connection",
      options: connections.map((name) => ({ value: name, label: name })),
    },
    { name: "reason", label: "Reason" },
    { name: "owner", label: "Owner" },
    { name: "request", label: "Request" },
  ];
}
