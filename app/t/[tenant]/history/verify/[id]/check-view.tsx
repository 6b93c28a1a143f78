"use client";

import Link from "next/link";
import { resultWords } from "@/app/t/[tenant]/history/verify/check-words";
import cards from "@/components/card-table.module.css";
import { useLive } from "@/components/frame/live";
import { ListError } from "@/components/list-states";
import panel from "@/components/panel.module.css";
import type { CheckRow, FindingRow } from "@/lib/queries/history-checks-page";

interface Found {
  readonly check: CheckRow;
  readonly findings: readonly FindingRow[];
}

interface CheckViewProps {
  readonly tenant: string;
  readonly initial: Found;
}

/** How far a check is, and each finding by operation and entry. */
export function CheckView({ tenant, initial }: CheckViewProps) {
  const { id } = initial.check;
  const url = `/api/v1/t/${tenant}/history/checks/${id}`;
  const live = useLive<Found>([tenant, "check", id], url, initial);
  const { check, findings } = live.data;
  return (
    <>
      {live.failed ? (
        <ListError failed={live.failed} again={live.again}>
          The check could not be loaded. No result yet; this is not a pass.
        </ListError>
      ) : null}
      <p role="status">{resultWords(check)}</p>
      {findings.length === 0 ? null : <Findings tenant={tenant} rows={findings} />}
    </>
  );
}

function Findings({
  tenant,
  rows,
}: {
  readonly tenant: string;
  readonly rows: readonly FindingRow[];
}) {
  return (
    <section className={panel.panel} aria-labelledby="findings">
      <h2 id="findings" className={panel.heading}>
        What does not fit
      </h2>
      <p>Do not repair anything. Export these findings and tell the owner of record keeping.</p>
      <div className={cards.scroll}>
        <table className={cards.table}>
          <caption>Findings</caption>
          <thead>
            <tr>
              <th scope="col">Operation</th>
              <th scope="col">Entry</th>
              <th scope="col">Fault</th>
              <th scope="col">What</th>
              <th scope="col">Expected</th>
              <th scope="col">Found</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Finding key={JSON.stringify(row)} tenant={tenant} row={row} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Finding({ tenant, row }: { readonly tenant: string; readonly row: FindingRow }) {
  const { opId, entry, sealSeq, fault, detail, expected, found } = row;
  return (
    <tr>
      <th scope="row">
        {opId === null ? (
          `seal ${sealSeq ?? ""}`
        ) : (
          <Link href={`/t/${tenant}/operations/${opId}`} data-row>
            op {opId.slice(0, 8)}
          </Link>
        )}
      </th>
      <td data-label="Entry">{entry ?? "–"}</td>
      <td data-label="Fault">{fault}</td>
      <td data-label="What">{detail}</td>
      <td data-label="Expected" className={panel.mono}>
        {expected ?? "–"}
      </td>
      <td data-label="Found" className={panel.mono}>
        {found ?? "–"}
      </td>
    </tr>
  );
}
