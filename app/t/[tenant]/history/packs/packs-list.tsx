"use client";

import Link from "next/link";
import classes from "@/app/t/[tenant]/history/history.module.css";
import { ScopeForm } from "@/app/t/[tenant]/history/scope-form";
import cards from "@/components/card-table.module.css";
import { useLive } from "@/components/frame/live";
import { ListEmpty, ListError } from "@/components/list-states";
import { TimeWithZone } from "@/components/time-with-zone";
import type { PackRow } from "@/lib/queries/packs-page";
import { PACK_STATES, sizeWords } from "./pack-words";

interface PacksListProps {
  readonly tenant: string;
  readonly initial: readonly PackRow[];
}

/** Packs that were asked for, the newest first, and a form for the next one. */
export function PacksList({ tenant, initial }: PacksListProps) {
  const path = `/t/${tenant}/history/packs`;
  const live = useLive<readonly PackRow[]>([tenant, "packs"], `/api/v1${path}`, initial);
  return (
    <div className={classes.list}>
      <ScopeForm
        url={`/api/v1${path}`}
        kinds={["request", "operation", "period"]}
        action="Make a pack"
        pageOf={(id) => `${path}/${id}`}
      />
      {live.failed ? (
        <ListError failed={live.failed} again={live.again}>
          The packs could not be loaded. Those under way go on.
        </ListError>
      ) : null}
      {live.data.length === 0 ? (
        <ListEmpty>No packs yet. A pack holds everything needed to check offline.</ListEmpty>
      ) : (
        <Packs path={path} rows={live.data} />
      )}
    </div>
  );
}

function Packs({ path, rows }: { readonly path: string; readonly rows: readonly PackRow[] }) {
  return (
    <div className={cards.scroll}>
      <table className={cards.table}>
        <caption>Evidence packs</caption>
        <thead>
          <tr>
            <th scope="col">Scope</th>
            <th scope="col">Made</th>
            <th scope="col" className={cards.number}>
              Operations
            </th>
            <th scope="col" className={cards.number}>
              Size
            </th>
            <th scope="col">State</th>
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
              <td data-label="Made">
                <TimeWithZone instant={row.finishedAt ?? row.askedAt} kind="moment" />
              </td>
              <td data-label="Operations" className={cards.number}>
                {row.operations}
              </td>
              <td data-label="Size" className={cards.number}>
                {sizeWords(row.bytes)}
              </td>
              <td data-label="State">{PACK_STATES[row.state]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
