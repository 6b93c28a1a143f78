import type { FilterField, FilterValues } from "@/components/filter-bar";
import { INBOX_OUTCOMES, INBOX_WORDS, SOURCE_WORDS } from "@/lib/domain/inbox-words";
import { type Address, FILTERS } from "./address";

/** The filters of the list, as its bar offers them. */
export function fieldsOf(
  connections: readonly { readonly name: string }[],
): readonly FilterField[] {
  return [
    {
      name: "outcome",
      label: "Outcome",
      many: true,
      options: INBOX_OUTCOMES.map((value) => ({ value, label: INBOX_WORDS[value].label })),
    },
    {
      name: "connection",
      label: "Connection",
      options: connections.map(({ name }) => ({ value: name, label: name })),
    },
    {
      name: "source",
      label: "Source",
      options: Object.entries(SOURCE_WORDS).map(([value, label]) => ({ value, label })),
    },
    {
      name: "copies",
      label: "Copies",
      options: [{ value: "yes", label: "more than one" }],
    },
    { name: "type", label: "Type" },
    { name: "request", label: "Request" },
    { name: "from", label: "From" },
    { name: "to", label: "To" },
  ];
}

/** The filters that are on. */
export function valuesOf(address: Address): FilterValues {
  return Object.fromEntries(
    FILTERS.flatMap((name) => {
      const text = address[name];
      if (text === undefined) return [];
      return [[name, name === "outcome" ? text.split(",") : [text]]];
    }),
  );
}
