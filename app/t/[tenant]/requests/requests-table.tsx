"use client";

import { GitCompare } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import type { KeyboardEvent } from "react";
import { queryText } from "@/app/t/[tenant]/list-address";
import cards from "@/components/card-table.module.css";
import { singleKeysAreOn } from "@/components/frame/single-keys";
import { StateBadge } from "@/components/state-badge";
import { TimeAgo } from "@/components/time-ago";
import { TimeWithZone } from "@/components/time-with-zone";
import { kindNoun } from "@/lib/domain/asked";
import { formatDuration } from "@/lib/domain/deadline";
import type { OperationState } from "@/lib/domain/operation";
import type { RequestWordCode } from "@/lib/domain/words";
import type { RequestsQuery } from "@/lib/queries/page-query";
import type { RequestRow } from "@/lib/queries/requests-page";

interface RequestsTableProps {
  readonly tenant: string;
  readonly query: RequestsQuery;
  readonly rows: readonly RequestRow[];
}

/** The rows. `e` on a row opens the form for a new deadline. */
export function RequestsTable({ tenant, query, rows }: RequestsTableProps) {
  const path = `/t/${tenant}/requests`;
  const down = query.sort === "-deadline";
  return (
    <div className={cards.scroll}>
      <table className={cards.table}>
        <caption>Requests</caption>
        <thead>
          <tr>
            <th scope="col">Request</th>
            <th scope="col">Status</th>
            <th scope="col" className={cards.number}>
              Signers
            </th>
            <th scope="col" aria-sort={down ? "descending" : "ascending"}>
              <Link
                href={`${path}${queryText(query, { sort: down ? "deadline" : "-deadline", after: undefined, before: undefined })}`}
              >
                Business deadline {down ? "↓" : "↑"}
              </Link>
            </th>
            <th scope="col">Platform expiry</th>
            <th scope="col">Next look</th>
            <th scope="col">Drift</th>
            <th scope="col">In flight</th>
            <th scope="col">Owner</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.ref} tenant={tenant} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  readonly tenant: string;
  readonly row: RequestRow;
}

function Row({ tenant, row }: RowProps) {
  const router = useRouter();
  const path = `/t/${tenant}/requests/${row.ref}`;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "e" || event.ctrlKey || event.metaKey || !singleKeysAreOn()) return;
    if (!row.ended) router.push(`${path}/propose/extend`);
  };
  return (
    <tr onKeyDown={onKeyDown}>
      <th scope="row">
        <Link href={path} data-row>
          {row.ref}
        </Link>
        <span className={cards.second}>
          {row.connection}
          {row.sandbox ? " · sandbox" : ""}
        </span>
      </th>
      <td data-label="Status">
        <div>
          <StateBadge
            family="request"
            code={row.status as RequestWordCode}
            values={{ k: row.signed, n: row.signers, raw: row.rawStatus }}
          />
          {row.readAt === null ? null : (
            <span className={cards.second}>
              as of <TimeAgo instant={row.readAt} />
            </span>
          )}
        </div>
      </td>
      <td data-label="Signers" className={cards.number}>
        {row.signers === null ? "–" : `${row.signed ?? 0} / ${row.signers}`}
      </td>
      <td data-label="Business deadline">
        {row.businessDeadlineAt === null ? (
          "–"
        ) : (
          <TimeWithZone instant={row.businessDeadlineAt} kind="deadline" zone={row.zone} />
        )}
      </td>
      <PlatformCells row={row} />
      <WorkCells tenant={tenant} row={row} />
    </tr>
  );
}

function PlatformCells({ row }: { readonly row: RequestRow }) {
  const { platformExpiresAt, readAt, zone, nextLook, driftMs } = row;
  return (
    <>
      <td data-label="Platform expiry">
        <div>
          {platformExpiresAt === null ? (
            "–"
          ) : (
            <TimeWithZone instant={platformExpiresAt} kind="deadline" zone={zone} />
          )}
          {platformExpiresAt === null || readAt === null ? null : (
            <span className={cards.second}>
              as of <TimeAgo instant={readAt} />
            </span>
          )}
        </div>
      </td>
      <td data-label="Next look" data-empty={nextLook === null}>
        {nextLook === null ? (
          "–"
        ) : (
          <div>
            {nextLook.kind === "look" ? "Look" : kindNoun(nextLook.kind)}
            <span className={cards.second}>
              <TimeWithZone instant={nextLook.at} kind="moment" zone={zone} form="one" />
            </span>
          </div>
        )}
      </td>
      <td data-label="Drift" data-empty={driftMs === null}>
        {driftMs === null ? null : (
          <span>
            <GitCompare size={14} aria-hidden="true" /> differs by {formatDuration(driftMs)}
          </span>
        )}
      </td>
    </>
  );
}

function WorkCells({ tenant, row }: RowProps) {
  const { inFlight, owner } = row;
  return (
    <>
      <td data-label="In flight" data-empty={inFlight === null}>
        {inFlight === null ? (
          "–"
        ) : (
          <div>
            <Link href={`/t/${tenant}/operations/${inFlight.opId}`}>{kindNoun(inFlight.kind)}</Link>{" "}
            <StateBadge
              family="operation"
              code={inFlight.state as OperationState}
              reason={inFlight.reason}
            />
          </div>
        )}
      </td>
      <td data-label="Owner" data-empty={owner === "nobody"}>
        {OWNER_WORDS[owner]}
      </td>
    </>
  );
}

const OWNER_WORDS: Record<RequestRow["owner"], string> = {
  you: "you",
  someone: "account manager",
  nobody: "–",
};
