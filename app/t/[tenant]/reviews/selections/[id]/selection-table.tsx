"use client";

import Link from "next/link";
import cards from "@/components/card-table.module.css";
import type { BulkResult } from "@/lib/domain/decision";
import type { DecisionSelectionPage, SelectionItem } from "@/lib/queries/decision-selection-page";

interface SelectionTableProps {
  readonly tenant: string;
  readonly page: DecisionSelectionPage;
}

const RESULT_WORDS: Record<BulkResult, string> = {
  waiting: "waits for its read",
  proven: "proven and closed",
  not_proven: "not proven, still open",
  not_attempted: "not attempted",
};

/** What needs another look comes first. */
const ORDER: readonly (BulkResult | null)[] = [
  "not_proven",
  "not_attempted",
  "waiting",
  "proven",
  null,
];

/** Every item of the frozen list with what came of it. */
export function SelectionTable({ tenant, page }: SelectionTableProps) {
  const rows = [...page.items].sort((a, b) => ORDER.indexOf(a.result) - ORDER.indexOf(b.result));
  return (
    <div className={cards.scroll}>
      <table className={cards.table}>
        <caption>Items of this selection</caption>
        <thead>
          <tr>
            <th scope="col">Item</th>
            <th scope="col">Request</th>
            <th scope="col">Operation</th>
            <th scope="col">Result</th>
            <th scope="col">What the read shows</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.itemId} tenant={tenant} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ tenant, row }: { readonly tenant: string; readonly row: SelectionItem }) {
  const path = `/t/${tenant}`;
  return (
    <tr data-result={row.result ?? "undecided"}>
      <th scope="row">
        <Link href={`${path}/reviews/${row.itemId}`} data-row>
          item {row.itemId.slice(0, 8)}
        </Link>
      </th>
      <td data-label="Request" data-empty={row.requestRef === null}>
        {row.requestRef === null ? (
          "–"
        ) : (
          <Link href={`${path}/requests/${row.requestRef}`}>{row.requestRef}</Link>
        )}
      </td>
      <td data-label="Operation" data-empty={row.opId === null}>
        {row.opId === null ? (
          "–"
        ) : (
          <Link href={`${path}/operations/${row.opId}`}>op {row.opId.slice(0, 8)}</Link>
        )}
      </td>
      <td data-label="Result">{row.result === null ? "not decided" : RESULT_WORDS[row.result]}</td>
      <td data-label="What the read shows" data-empty={row.shows === null}>
        {row.shows ?? "–"}
      </td>
    </tr>
  );
}
