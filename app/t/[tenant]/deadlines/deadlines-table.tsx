"use client";

import { GitCompare } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import type { KeyboardEvent } from "react";
import cards from "@/components/card-table.module.css";
import { useFrame } from "@/components/frame/frame-facts";
import { singleKeysAreOn } from "@/components/frame/single-keys";
import { StateBadge } from "@/components/state-badge";
import { TimeAgo } from "@/components/time-ago";
import { TimeWithZone } from "@/components/time-with-zone";
import { kindNoun } from "@/lib/domain/asked";
import { accessOf } from "@/lib/domain/navigation";
import type { OperationState } from "@/lib/domain/operation";
import type { RequestWordCode } from "@/lib/domain/words";
import type { DeadlineRow } from "@/lib/queries/deadlines-row";
import classes from "./deadlines.module.css";
import { EXTRA_COLUMNS, type ExtraColumn, useExtraColumns } from "./extra-columns";
import { DEADLINE_GROUPS, type DeadlineGroup } from "./groups";
import { driftWords, signedDrift } from "./marks";

interface DeadlinesTableProps {
  readonly tenant: string;
  readonly rows: readonly DeadlineRow[];
  readonly groupOf: (row: DeadlineRow) => DeadlineGroup;
}

/** The rows in groups by how soon something falls due. `e` on a row opens the form for a new deadline. */
export function DeadlinesTable({ tenant, rows, groupOf }: DeadlinesTableProps) {
  const { shown, chooser } = useExtraColumns();
  const columns = 7 + shown.length;
  return (
    <>
      {chooser}
      <div className={cards.scroll}>
        <table className={cards.table}>
          <caption>Deadlines</caption>
          <thead>
            <tr>
              <th scope="col">Request</th>
              <th scope="col">Status</th>
              <th scope="col">Business deadline</th>
              <th scope="col">Platform expiry</th>
              <th scope="col">Next timer</th>
              <th scope="col">In flight</th>
              <th scope="col">Owner</th>
              {shown.map((column) => (
                <th key={column} scope="col">
                  {EXTRA_COLUMNS[column]}
                </th>
              ))}
            </tr>
          </thead>
          {DEADLINE_GROUPS.map((group) => ({
            group,
            members: rows.filter((row) => groupOf(row) === group),
          })).map(({ group, members }) =>
            members.length === 0 ? null : (
              <tbody key={group}>
                <tr className={classes.group}>
                  <th scope="rowgroup" colSpan={columns}>
                    {group} ({members.length})
                  </th>
                </tr>
                {members.map((row) => (
                  <Row key={row.ref} tenant={tenant} row={row} extra={shown} />
                ))}
              </tbody>
            ),
          )}
        </table>
      </div>
    </>
  );
}

interface RowProps {
  readonly tenant: string;
  readonly row: DeadlineRow;
}

function Row({ tenant, row, extra }: RowProps & { readonly extra: readonly ExtraColumn[] }) {
  const router = useRouter();
  const { role } = useFrame();
  const path = `/t/${tenant}/requests/${row.ref}`;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "e" || event.ctrlKey || event.metaKey || !singleKeysAreOn()) return;
    if (!row.ended && accessOf(role, "request_propose") === "act") {
      router.push(`${path}/propose/extend`);
    }
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
        <StateBadge
          family="request"
          code={row.status as RequestWordCode}
          values={{ k: row.signed, n: row.signers, raw: row.rawStatus }}
        />
      </td>
      <ClockCells row={row} />
      <WorkCells tenant={tenant} row={row} />
      {extra.map((column) => (
        <td key={column} data-label={EXTRA_COLUMNS[column]}>
          {extraWords(row, column)}
        </td>
      ))}
    </tr>
  );
}

function ClockCells({ row }: { readonly row: DeadlineRow }) {
  const { businessDeadlineAt, platformExpiresAt, readAt, zone } = row;
  const apart = driftWords(row.driftMs);
  return (
    <>
      <td data-label="Business deadline" data-empty={businessDeadlineAt === null}>
        {businessDeadlineAt === null ? (
          "–"
        ) : (
          <TimeWithZone instant={businessDeadlineAt} kind="deadline" zone={zone} />
        )}
      </td>
      <td data-label="Platform expiry" data-empty={platformExpiresAt === null}>
        <div>
          {platformExpiresAt === null ? (
            "–"
          ) : (
            <TimeWithZone instant={platformExpiresAt} kind="deadline" zone={zone} />
          )}
          {readAt === null ? null : (
            <span className={cards.second}>
              as of <TimeAgo instant={readAt} />
            </span>
          )}
          {apart === null ? null : (
            <span className={classes.apart}>
              <GitCompare size={14} aria-hidden="true" /> {apart}
            </span>
          )}
        </div>
      </td>
    </>
  );
}

function WorkCells({ tenant, row }: RowProps) {
  const { timers, inFlight, zone, conflict, owner } = row;
  const [next] = timers;
  return (
    <>
      <td data-label="Next timer" data-empty={next === undefined}>
        {next === undefined ? (
          "–"
        ) : (
          <div>
            <TimeWithZone instant={next.at} kind="deadline" zone={zone} />
            <span className={cards.second}>
              <Link href={`/t/${tenant}/operations/${next.opId}`}>{kindNoun(next.kind)}</Link>
              {timers.length > 1 ? `, ${timers.length - 1} more` : ""}
            </span>
          </div>
        )}
      </td>
      <td data-label="In flight" data-empty={inFlight === null && conflict === null}>
        <div>
          {inFlight === null ? (
            "–"
          ) : (
            <>
              <span className={cards.second}>
                <Link href={`/t/${tenant}/operations/${inFlight.opId}`}>
                  {kindNoun(inFlight.kind)}
                </Link>
              </span>
              <StateBadge
                family="operation"
                code={inFlight.state as OperationState}
                reason={inFlight.reason}
              />
            </>
          )}
          {conflict === null ? null : (
            <span className={cards.second}>
              <Link href={`/t/${tenant}/reviews?request=${row.ref}`}>open item: {conflict}</Link>
            </span>
          )}
        </div>
      </td>
      <td data-label="Owner" data-empty={owner === "nobody"}>
        {OWNER_WORDS[owner]}
      </td>
    </>
  );
}

const OWNER_WORDS: Record<DeadlineRow["owner"], string> = {
  you: "you",
  someone: "account manager",
  nobody: "–",
};

function extraWords(row: DeadlineRow, column: ExtraColumn): string {
  switch (column) {
    case "drift":
      return row.driftMs === null ? "–" : signedDrift(row.driftMs);
    case "rule":
      return row.zone;
    case "rule_data":
      return row.ruleData ?? "–";
    case "reminder_owner":
      return row.reminderOwner;
  }
}
