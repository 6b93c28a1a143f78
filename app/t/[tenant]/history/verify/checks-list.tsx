"use client";

import Link from "next/link";
import classes from "@/app/t/[tenant]/history/history.module.css";
import { ScopeForm } from "@/app/t/[tenant]/history/scope-form";
import cards from "@/components/card-table.module.css";
import { useLive } from "@/components/frame/live";
import { ListEmpty, ListError } from "@/components/list-states";
import { TimeWithZone } from "@/components/time-with-zone";
import type { CheckRow, NewestSealRow } from "@/lib/queries/history-checks-page";
import { resultWords } from "./check-words";

export interface ChecksPage {
  readonly checks: readonly CheckRow[];
  readonly seal: NewestSealRow;
}

interface ChecksListProps {
  readonly tenant: string;
  readonly initial: ChecksPage;
}

/** Checks of the history, the newest first, and a form for one more. */
export function ChecksList({ tenant, initial }: ChecksListProps) {
  const path = `/t/${tenant}/history`;
  const live = useLive<ChecksPage>([tenant, "checks"], `/api/v1${path}/checks`, initial);
  const { checks } = live.data;
  return (
    <div className={classes.list}>
      <ScopeForm
        url={`/api/v1${path}/checks`}
        kinds={["all", "request", "operation", "period"]}
        action="Check now"
        pageOf={(id) => `${path}/verify/${id}`}
      />
      <Seal seal={live.data.seal} />
      {live.failed ? (
        <ListError failed={live.failed} again={live.again}>
          The checks could not be loaded. No result yet; this is not a pass.
        </ListError>
      ) : null}
      {checks.length === 0 ? (
        <ListEmpty>No check yet. One runs by itself every day.</ListEmpty>
      ) : (
        <Checks path={`${path}/verify`} rows={checks} />
      )}
    </div>
  );
}

function Seal({ seal }: { readonly seal: NewestSealRow }) {
  if (seal === null) return <p className={classes.sealed}>Not sealed yet.</p>;
  return (
    <p className={classes.sealed}>
      Seal {seal.seq} of <TimeWithZone instant={seal.madeAt} kind="moment" form="one" />
      {seal.stampedAt === null ? (
        ", without a time stamp."
      ) : (
        <>
          , stamped by an authority at{" "}
          <TimeWithZone instant={seal.stampedAt} kind="moment" form="one" />.
        </>
      )}
    </p>
  );
}

function Checks({ path, rows }: { readonly path: string; readonly rows: readonly CheckRow[] }) {
  return (
    <div className={cards.scroll}>
      <table className={cards.table}>
        <caption>Checks of the history</caption>
        <thead>
          <tr>
            <th scope="col">Scope</th>
            <th scope="col">Asked</th>
            <th scope="col">Result</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <th scope="row">
                <Link href={`${path}/${row.id}`} data-row>
                  {row.about}
                </Link>
              </th>
              <td data-label="Asked">
                <TimeWithZone instant={row.askedAt} kind="moment" />
              </td>
              <td data-label="Result">{resultWords(row)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
