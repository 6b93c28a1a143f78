"use client";

import Link from "next/link";
import classes from "@/app/t/[tenant]/controls/controls.module.css";
import cards from "@/components/card-table.module.css";
import { useLive } from "@/components/frame/live";
import { ListEmpty, ListError } from "@/components/list-states";
import panels from "@/components/panel.module.css";
import { ViewTabs } from "@/components/view-tabs";
import { KIND_WORDS } from "@/lib/domain/payload-words";
import type { ShadowFigures, ShadowQuery, ShadowReport } from "@/lib/queries/shadow-report";
import { ShadowTable } from "./shadow-table";

interface ShadowViewProps {
  readonly tenant: string;
  readonly query: ShadowQuery;
  readonly initial: ShadowReport;
}

/** Figures per kind and the records behind them. */
export function ShadowView({ tenant, query, initial }: ShadowViewProps) {
  const place = placeOf(query);
  const live = useLive<ShadowReport>(
    [tenant, "shadow-records", place],
    `/api/v1/t/${tenant}/shadow-records${place}`,
    initial,
  );
  const { figures, rows } = live.data;
  const path = `/t/${tenant}/controls/shadow`;
  return (
    <div className={classes.page}>
      {live.failed ? (
        <ListError failed={live.failed} again={live.again}>
          The report could not be loaded.
        </ListError>
      ) : null}
      <Figures figures={figures} path={path} />
      <ViewTabs label="Compared with what happened" tabs={tabsOf(figures, query, path)} />
      {rows.length === 0 ? (
        <ListEmpty>
          Nothing recorded here. A kind in shadow mode records what it would have done.
        </ListEmpty>
      ) : (
        <ShadowTable tenant={tenant} rows={rows} />
      )}
    </div>
  );
}

function placeOf(query: ShadowQuery): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value) params.set(name, value);
  const text = params.toString();
  return text === "" ? "" : `?${text}`;
}

function tabsOf(figures: readonly ShadowFigures[], query: ShadowQuery, path: string) {
  const shown = figures.filter(({ kind }) => query.kind === undefined || kind === query.kind);
  const sum = (count: (one: ShadowFigures) => number) =>
    shown.reduce((total, one) => total + count(one), 0);
  const { kind, comparison } = query;
  const href = (wanted?: ShadowQuery["comparison"]) =>
    `${path}${placeOf({ kind, comparison: wanted })}`;
  return [
    {
      label: "All",
      href: href(),
      count: sum((one) => one.waiting + one.wouldAct + one.wouldNot + one.released),
      active: comparison === undefined,
    },
    {
      label: "Same",
      href: href("same"),
      count: sum((one) => one.same),
      active: comparison === "same",
    },
    {
      label: "Different",
      href: href("different"),
      count: sum((one) => one.different),
      active: comparison === "different",
    },
    {
      label: "Not comparable",
      href: href("not_comparable"),
      count: sum((one) => one.notComparable),
      active: comparison === "not_comparable",
    },
  ];
}

interface FiguresProps {
  readonly figures: readonly ShadowFigures[];
  readonly path: string;
}

function Figures({ figures, path }: FiguresProps) {
  if (figures.length === 0) return null;
  return (
    <section className={panels.panel} aria-labelledby="per-kind">
      <h2 className={panels.heading} id="per-kind">
        Per kind
      </h2>
      <div className={cards.scroll}>
        <table className={cards.table}>
          <caption>Would have, against what then happened, per kind</caption>
          <thead>
            <tr>
              <th scope="col">Kind</th>
              {COLUMNS.map(([label]) => (
                <th key={label} scope="col" className={cards.number}>
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {figures.map((one) => (
              <tr key={one.kind}>
                <th scope="row">
                  <Link href={`${path}?kind=${one.kind}`}>
                    {KIND_WORDS[one.kind as keyof typeof KIND_WORDS].verb}
                  </Link>
                </th>
                {COLUMNS.map(([label, count]) => (
                  <td key={label} data-label={label} className={cards.number}>
                    {count(one)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

const COLUMNS: readonly (readonly [string, (one: ShadowFigures) => number])[] = [
  ["Waiting", (one) => one.waiting],
  ["Would act", (one) => one.wouldAct],
  ["Would not", (one) => one.wouldNot],
  ["Same", (one) => one.same],
  ["Different", (one) => one.different],
  ["Not comparable", (one) => one.notComparable],
];
