"use client";

import Link from "next/link";
import { type KeyboardEvent, useRef, useState } from "react";
import { useNow } from "@/components/frame/live";
import { useReadingZone } from "@/components/frame/reading-zone";
import { formatDay } from "@/lib/domain/deadline";
import type { DeadlineRow } from "@/lib/queries/deadlines-row";
import classes from "./deadlines.module.css";
import { axisDays, driftWords, MARK_LETTERS, MARK_WORDS, type Mark, marksOf } from "./marks";

interface DeadlinesTimelineProps {
  readonly tenant: string;
  readonly rows: readonly DeadlineRow[];
}

/**
 * One row per request, one column per day of the reading zone, a button per mark. Arrow keys move between marks; what
 * they say follows as a table, which on a narrow screen is the agenda.
 */
export function DeadlinesTimeline({ tenant, rows }: DeadlinesTimelineProps) {
  const now = useNow();
  // Without a request of its own an axis reads "request zone" as UTC.
  const zone = useReadingZone();
  const days = axisDays({ zone, now });
  const marked = rows.map((row) => ({ row, marks: marksOf(row, { zone, now }) }));
  const [said, setSaid] = useState<Mark | null>(null);
  const grid = useRef<HTMLTableElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    move(grid.current, step);
  };
  return (
    <>
      <div className={classes.scroll}>
        <table ref={grid} className={classes.grid} onKeyDown={onKeyDown}>
          <caption>Timeline, days in {zone}</caption>
          <thead>
            <tr>
              <th scope="col">Request</th>
              {days.map((day) => (
                <th key={day} scope="col">
                  {formatDay(day).split(" ").slice(0, 2).join(" ")}
                </th>
              ))}
              <th scope="col">later</th>
            </tr>
          </thead>
          <tbody>
            {marked.map(({ row, marks }) => (
              <Line key={row.ref} {...{ tenant, row, marks, days }} onSay={setSaid} />
            ))}
          </tbody>
        </table>
      </div>
      <p className={classes.said} role="status">
        {said === null ? "Choose a mark to read it. Arrow keys move between marks." : said.sentence}
      </p>
      <Legend />
      <Agenda tenant={tenant} marked={marked} zone={zone} />
    </>
  );
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowDown: 1,
  ArrowLeft: -1,
  ArrowUp: -1,
};

function move(grid: HTMLElement | null, by: number): void {
  const marks = [...(grid?.querySelectorAll<HTMLElement>("button") ?? [])];
  const here = marks.indexOf(document.activeElement as HTMLElement);
  marks[Math.min(Math.max(here + by, 0), marks.length - 1)]?.focus();
}

interface LineProps {
  readonly tenant: string;
  readonly row: DeadlineRow;
  readonly marks: readonly Mark[];
  readonly days: readonly string[];
  readonly onSay: (mark: Mark) => void;
}

function Line({ tenant, row, marks, days, onSay }: LineProps) {
  const first = days[0] ?? "";
  const last = days.at(-1) ?? "";
  const cell = (of: readonly Mark[]) =>
    of.map((mark) => <MarkButton key={mark.id} mark={mark} onSay={onSay} />);
  return (
    <tr>
      <th scope="row">
        <Link href={`/t/${tenant}/requests/${row.ref}`} data-row>
          {row.ref}
        </Link>
        {row.driftMs === null ? null : <span>≠ {driftWords(row.driftMs)}</span>}
      </th>
      {days.map((day) => (
        <td key={day}>
          {cell(marks.filter((mark) => mark.day === day || (day === first && mark.day < first)))}
        </td>
      ))}
      <td>{cell(marks.filter((mark) => mark.day > last))}</td>
    </tr>
  );
}

function MarkButton({ mark, onSay }: { readonly mark: Mark; onSay(mark: Mark): void }) {
  return (
    <button
      type="button"
      className={classes.mark}
      aria-label={mark.sentence}
      title={mark.sentence}
      data-unknown={mark.unknown}
      onClick={() => onSay(mark)}
      onFocus={() => onSay(mark)}
    >
      {mark.letters}
    </button>
  );
}

function Legend() {
  return (
    <p className={classes.legend}>
      {Object.entries(MARK_WORDS).map(([kind, words]) => (
        <span key={kind}>
          <b>{MARK_LETTERS[kind as keyof typeof MARK_LETTERS]}</b> {words}
        </span>
      ))}
      <span>
        <b>B=P</b> the same instant
      </span>
      <span>
        <b>≠</b> the clocks disagree
      </span>
    </p>
  );
}

interface AgendaProps {
  readonly tenant: string;
  readonly marked: readonly { readonly row: DeadlineRow; readonly marks: readonly Mark[] }[];
  readonly zone: string;
}

function Agenda({ tenant, marked, zone }: AgendaProps) {
  const all = marked
    .flatMap(({ marks }) => marks)
    .sort((left, right) => left.at.localeCompare(right.at));
  return (
    <table className={classes.agenda}>
      <caption>Agenda: what the timeline shows, days in {zone}</caption>
      <thead>
        <tr>
          <th scope="col">Day</th>
          <th scope="col">Request</th>
          <th scope="col">What</th>
        </tr>
      </thead>
      <tbody>
        {all.map((mark) => (
          <tr key={mark.id}>
            <th scope="row">{formatDay(mark.day)}</th>
            <td>
              <Link href={`/t/${tenant}/requests/${mark.ref}`}>{mark.ref}</Link>
            </td>
            <td>{mark.sentence}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
