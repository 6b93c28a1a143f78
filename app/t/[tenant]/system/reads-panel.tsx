import Link from "next/link";
import cards from "@/components/card-table.module.css";
import panel from "@/components/panel.module.css";
import { StateBadge } from "@/components/state-badge";
import { TimeWithZone } from "@/components/time-with-zone";
import type { SystemPage } from "@/lib/queries/system-page";
import classes from "./system.module.css";

type Reads = SystemPage["reads"][number];

interface ReadsPanelProps {
  readonly tenant: string;
  readonly reads: readonly Reads[];
}

/** What each connection has read of its hour, what is left, and what it would read at the present rate (PL-7). */
export function ReadsPanel({ tenant, reads }: ReadsPanelProps) {
  return (
    <section className={panel.panel} aria-label="Reads per connection">
      <h2 className={panel.heading}>
        Reads per connection
        <code className={classes.metric}>deadline_ledger_connection_reads_left</code>
      </h2>
      {reads.length === 0 ? (
        <p className={classes.none}>No connection yet.</p>
      ) : (
        <div className={cards.scroll}>
          <table className={cards.table}>
            <caption>Reads per connection</caption>
            <thead>
              <tr>
                <th scope="col">Connection</th>
                <th scope="col" className={cards.number}>
                  Used in the last hour
                </th>
                <th scope="col" className={cards.number}>
                  Left
                </th>
                <th scope="col" className={cards.number}>
                  Forecast per hour
                </th>
                <th scope="col">State</th>
              </tr>
            </thead>
            <tbody>
              {reads.map((row) => (
                <Row key={row.connectionId} tenant={tenant} row={row} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function Row({ tenant, row }: { readonly tenant: string; readonly row: Reads }) {
  const { connectionId, name, used, limit, hourlyRate, freeAt } = row;
  return (
    <tr>
      <th scope="row">
        <Link data-row href={`/t/${tenant}/settings/connections/${connectionId}`}>
          {name}
        </Link>
      </th>
      <td data-label="Used" className={cards.number}>
        {used}
      </td>
      <td data-label="Left" className={cards.number}>
        {limit === null ? "no limit known" : Math.max(0, limit - used)}
      </td>
      <td data-label="Forecast per hour" className={cards.number}>
        {hourlyRate}
      </td>
      <td data-label="State">
        {freeAt !== null ? (
          <span className={classes.alert}>
            Next read <TimeWithZone instant={freeAt} kind="moment" />{" "}
            <Link data-row href={`/t/${tenant}/runbooks/LedgerReadBudgetEmpty`}>
              What to do
            </Link>
          </span>
        ) : limit !== null && hourlyRate > limit ? (
          <StateBadge family="connection" code="budget_low" />
        ) : (
          "Enough"
        )}
      </td>
    </tr>
  );
}
