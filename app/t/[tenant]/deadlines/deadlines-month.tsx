"use client";

import Link from "next/link";
import { useRef } from "react";
import type { SavedView } from "@/app/t/[tenant]/saved-views";
import { useLive } from "@/components/frame/live";
import { useReadingChoice, useReadingZone } from "@/components/frame/reading-zone";
import { ListEmpty, ListError } from "@/components/list-states";
import { useRowKeys } from "@/components/row-keys";
import { formatDay } from "@/lib/domain/deadline";
import type { DeadlinesMonth } from "@/lib/queries/deadlines-month";
import type { DeadlinesPage } from "@/lib/queries/deadlines-page";
import { type Address, addressText, monthsLater } from "./address";
import classes from "./deadlines.module.css";
import { DeadlinesHead } from "./deadlines-head";
import { MARK_LETTERS, MARK_WORDS } from "./marks";
import { type Day, type DayEntry, weeksOf } from "./month-days";
import { useDeadlineKeys } from "./use-deadline-keys";

interface DeadlinesMonthViewProps {
  readonly tenant: string;
  readonly address: Address;
  readonly initial: DeadlinesPage;
  readonly saved: readonly SavedView[];
  readonly month: DeadlinesMonth;
}

/** Clocks and timers on the days that they have in the reading zone; a request's own other day is named (C-38). */
export function DeadlinesMonthView(props: DeadlinesMonthViewProps) {
  const { tenant, address, initial, saved, month } = props;
  const path = `/t/${tenant}/deadlines`;
  const live = useLive<DeadlinesMonth>(
    [tenant, "deadline-months", month.month],
    `/api/v1/t/${tenant}/deadline-months/${month.month}`,
    month,
  );
  const { choice } = useReadingChoice();
  const reading = useReadingZone();
  const own = choice === "request";
  const weeks = weeksOf(month.month, live.data.entries, (zone) => (own ? zone : reading));
  const list = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLInputElement>(null);
  useRowKeys({ list });
  useDeadlineKeys(path, address);
  return (
    <div className={classes.list}>
      <DeadlinesHead {...{ path, tenant, address, saved }} data={initial} boxRef={box} />
      {live.failed ? (
        <ListError failed={live.failed} again={live.again}>
          Deadlines could not be loaded. The worker does not depend on this page.
        </ListError>
      ) : null}
      <Months path={path} address={address} month={month.month} />
      {live.data.more ? (
        <p>More falls into this month than fits here. The table shows everything.</p>
      ) : null}
      <div ref={list} className={classes.scroll}>
        <Calendar
          tenant={tenant}
          weeks={weeks}
          caption={`${monthWords(month.month)}, days in ${own ? "each request's own zone" : reading}`}
        />
      </div>
      {weeks.flat().every((day) => day.entries.length === 0) ? (
        <ListEmpty>Nothing falls into {monthWords(month.month)}.</ListEmpty>
      ) : null}
    </div>
  );
}

function Months({ path, address, month }: { path: string; address: Address; month: string }) {
  const to = (by: number) =>
    `${path}${addressText(address, { view: "month", month: monthsLater(month, by) })}`;
  return (
    <nav aria-label="Months" className={classes.months}>
      <Link href={to(-1)} rel="prev">
        {monthWords(monthsLater(month, -1))}
      </Link>
      <h2>{monthWords(month)}</h2>
      <Link href={to(1)} rel="next">
        {monthWords(monthsLater(month, 1))}
      </Link>
    </nav>
  );
}

/** `Dec 2026` for `2026-12`. */
function monthWords(month: string): string {
  return formatDay(`${month}-01`).split(" ").slice(1).join(" ");
}

const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

interface CalendarProps {
  readonly tenant: string;
  readonly weeks: readonly (readonly Day[])[];
  readonly caption: string;
}

function Calendar({ tenant, weeks, caption }: CalendarProps) {
  return (
    <table className={classes.month}>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {WEEKDAYS.map((day) => (
            <th key={day} scope="col">
              {day}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]?.date}>
            {week.map((day) => (
              <td key={day.date} data-other={!day.inMonth} data-empty={day.entries.length === 0}>
                <span className={classes.date}>{formatDay(day.date)}</span>
                {day.entries.length === 0 ? null : (
                  <ul>
                    {day.entries.map((entry) => (
                      <Entry
                        key={`${entry.ref} ${entry.mark} ${entry.at}`}
                        {...{ tenant, entry }}
                      />
                    ))}
                  </ul>
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Entry({ tenant, entry }: { readonly tenant: string; readonly entry: DayEntry }) {
  return (
    <li>
      <Link href={`/t/${tenant}/requests/${entry.ref}`} data-row>
        <abbr title={MARK_WORDS[entry.mark]}>{MARK_LETTERS[entry.mark]}</abbr> {entry.time}{" "}
        {entry.ref}
        {entry.unknown ? " !" : ""}
      </Link>
      {entry.otherDay === null ? null : <span>{entry.otherDay}</span>}
    </li>
  );
}
