"use client";

import Link from "next/link";
import classes from "@/app/t/[tenant]/privacy/privacy.module.css";
import cards from "@/components/card-table.module.css";
import { ListEmpty } from "@/components/list-states";
import { personWords } from "@/components/person-words";
import { StateBadge } from "@/components/state-badge";
import { TimeWithZone } from "@/components/time-with-zone";
import type { ErasureRow, ErasuresPage } from "@/lib/queries/erasures-page";
import { AskErasure } from "./ask-erasure";

interface ErasuresViewProps {
  readonly tenant: string;
  readonly page: ErasuresPage;
  readonly mayAsk: boolean;
}

/** Every erasure with where it stands, and the form that asks for one. */
export function ErasuresView({ tenant, page, mayAsk }: ErasuresViewProps) {
  return (
    <div className={classes.page}>
      {page.rows.length === 0 ? (
        <ListEmpty>No erasure requests.</ListEmpty>
      ) : (
        <div className={cards.scroll}>
          <table className={cards.table}>
            <caption>Erasure requests</caption>
            <thead>
              <tr>
                <th scope="col">Subject</th>
                <th scope="col">Asked</th>
                <th scope="col">By</th>
                <th scope="col">State</th>
                <th scope="col" className={cards.number}>
                  Open operations
                </th>
              </tr>
            </thead>
            <tbody>
              {page.rows.map((row) => (
                <Row key={row.id} tenant={tenant} row={row} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {mayAsk ? <AskErasure tenant={tenant} /> : null}
    </div>
  );
}

function Row({ tenant, row }: { readonly tenant: string; readonly row: ErasureRow }) {
  return (
    <tr>
      <th scope="row">
        <Link href={`/t/${tenant}/privacy/erasures/${row.id}`} className={classes.mono} data-row>
          {row.subjectRef}
        </Link>
      </th>
      <td data-label="Asked">
        <TimeWithZone instant={row.askedAt} kind="moment" form="one" />
      </td>
      <td data-label="By">{personWords(row.askedBy)}</td>
      <td data-label="State">
        <StateBadge family="erasure" code={row.state} />
      </td>
      <td data-label="Open operations" className={cards.number}>
        {row.openOperations}
      </td>
    </tr>
  );
}
