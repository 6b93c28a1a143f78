"use client";

import type { ReactNode } from "react";
import { ChangedCell } from "@/components/changed-cell";
import { type DifferenceSource, DifferenceTable } from "@/components/difference-table";
import panel from "@/components/panel.module.css";
import { formatLocal, formatMoment } from "@/lib/domain/deadline";
import type { DifferenceRow } from "@/lib/domain/decision";
import { REQUEST_WORDS, type RequestWordCode } from "@/lib/domain/words";
import classes from "./item.module.css";

interface ItemDifferenceProps {
  readonly caption: string;
  readonly rows: readonly DifferenceRow[];
  readonly zone: string;
  /** What stands under the names of platform and webhook: which read, which event. */
  readonly platform: ReactNode;
  readonly webhook: ReactNode;
}

/** Expected, ledger, platform and webhook side by side: what differs on top, what is the same folded (RV-2). */
export function ItemDifference({ caption, rows, zone, platform, webhook }: ItemDifferenceProps) {
  const differing = rows.filter(({ differs }) => differs);
  const same = rows.filter(({ differs }) => !differs);
  const sources: readonly DifferenceSource[] = [
    { name: "Expected", about: "as approved" },
    { name: "Ledger", about: "our mirror" },
    { name: "Platform", about: platform },
    { name: "Webhook", about: webhook },
  ];
  return (
    <section className={panel.panel} aria-label={caption}>
      {differing.length === 0 ? (
        <p className={classes.plain}>
          {rows.some((row) => row.platform !== null)
            ? "Nothing differs between what was expected and what is known."
            : "No read of the platform is on record that could be compared."}
        </p>
      ) : (
        <DifferenceTable caption={caption} sources={sources} rows={shown(differing, zone)} />
      )}
      {same.length === 0 ? null : (
        <details className={classes.same}>
          <summary>
            Same: {same.length} {same.length === 1 ? "field" : "fields"} (show)
          </summary>
          <DifferenceTable
            caption="Fields that are the same"
            sources={sources}
            rows={shown(same, zone)}
          />
        </details>
      )}
    </section>
  );
}

function shown(rows: readonly DifferenceRow[], zone: string) {
  return rows.map((row) => ({
    label: FIELD_WORDS[row.field] ?? row.field,
    differs: row.differs,
    values: [row.expected, row.ledger, row.platform, row.webhook].map((value) => cell(value, zone)),
  }));
}

/** Even a value that is missing is marked when it comes or goes. */
function cell(value: string | null, zone: string): ReactNode {
  return (
    <ChangedCell says={value ?? ""}>
      {value === null ? (
        <span title="says nothing about this">–</span>
      ) : (
        <Value value={value} zone={zone} />
      )}
    </ChangedCell>
  );
}

const FIELD_WORDS: Readonly<Record<string, string>> = {
  status: "Status",
  expires_at: "Platform expiry",
  version: "Version",
  matches: "Requests with our reference",
  signed: "Signed",
  last_reminder_at: "Last reminder",
  last_delivery_at: "Last delivery",
};

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

function Value({ value, zone }: { readonly value: string; readonly zone: string }) {
  if (INSTANT.test(value)) {
    return (
      <time dateTime={value}>
        {formatLocal(value, zone)}
        <span className={`${panel.mono} ${panel.dimmed} ${classes.instant}`}>
          {formatMoment(value)}
        </span>
      </time>
    );
  }
  if (Object.hasOwn(REQUEST_WORDS, value)) {
    return <>{REQUEST_WORDS[value as RequestWordCode].label}</>;
  }
  return <>{value}</>;
}
