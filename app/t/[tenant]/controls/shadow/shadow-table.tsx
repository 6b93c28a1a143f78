"use client";

import Link from "next/link";
import cards from "@/components/card-table.module.css";
import { TimeWithZone } from "@/components/time-with-zone";
import { KIND_WORDS } from "@/lib/domain/payload-words";
import type { ShadowRow } from "@/lib/queries/shadow-report";

interface ShadowTableProps {
  readonly tenant: string;
  readonly rows: readonly ShadowRow[];
}

/** The newest records with what they would have done and what the platform showed afterwards. */
export function ShadowTable({ tenant, rows }: ShadowTableProps) {
  return (
    <div className={cards.scroll}>
      <table className={cards.table}>
        <caption>Shadow records, the newest 100</caption>
        <thead>
          <tr>
            <th scope="col">Request</th>
            <th scope="col">Kind</th>
            <th scope="col">Due</th>
            <th scope="col">Would have</th>
            <th scope="col">Afterwards</th>
            <th scope="col">Platform showed</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <th scope="row">
                <Link href={`/t/${tenant}/requests/${row.requestRef}`}>{row.requestRef}</Link>
              </th>
              <td data-label="Kind">
                {row.opId === null ? (
                  wordOf(row.kind)
                ) : (
                  <Link href={`/t/${tenant}/operations/${row.opId}`}>
                    {wordOf(row.kind)} op {row.opId.slice(0, 8)}
                  </Link>
                )}
              </td>
              <td data-label="Due">
                <TimeWithZone instant={row.dueAt} kind="moment" />
              </td>
              <td data-label="Would have">{saidOf(row)}</td>
              <td data-label="Afterwards">
                {COMPARED[row.comparison ?? ""] ?? "not compared yet"}
              </td>
              <td data-label="Platform showed">{row.observed ?? "–"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const COMPARED: Readonly<Record<string, string>> = {
  same: "same",
  different: "different",
  not_comparable: "not comparable",
};

function wordOf(kind: string): string {
  return KIND_WORDS[kind as keyof typeof KIND_WORDS].verb;
}

function saidOf({ state, wouldAct, reason }: ShadowRow): string {
  if (state === "released") return "became an operation when the kind went live";
  if (wouldAct === null) return "waits for its time";
  return wouldAct ? "acted" : `not acted: ${reason ?? "(not recorded)"}`;
}
