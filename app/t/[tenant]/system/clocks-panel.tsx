"use client";

import Link from "next/link";
import { useFreshness } from "@/components/frame/live";
import panel from "@/components/panel.module.css";
import { TimeAgo } from "@/components/time-ago";
import { formatDuration } from "@/lib/domain/deadline";
import type { ClockView } from "@/lib/queries/system-page";
import classes from "./system.module.css";

interface ClocksPanelProps {
  readonly tenant: string;
  readonly clocks: readonly ClockView[];
}

/** Every clock against the database's, which decides leases and due times (CL-1, TM-4). */
export function ClocksPanel({ tenant, clocks }: ClocksPanelProps) {
  const { skewSeconds } = useFreshness();
  const off = Math.abs(skewSeconds);
  return (
    <section className={panel.panel} aria-label="Clocks">
      <h2 className={panel.heading}>
        Clocks
        <code className={classes.metric}>deadline_ledger_clock_skew_seconds</code>
      </h2>
      <dl className={panel.pairs}>
        {clocks.map((clock) => (
          <div key={clock.name} className={classes.pair}>
            <dt>{nameOf(clock.name)}</dt>
            <dd>
              <ClockWords clock={clock} />
              {clock.late ? (
                <>
                  {" "}
                  <Link href={`/t/${tenant}/runbooks/LedgerClockSkew`}>What to do</Link>
                </>
              ) : null}
            </dd>
          </div>
        ))}
        <div className={classes.pair}>
          <dt>This browser</dt>
          <dd>{off <= 2 ? "agrees" : `${off} s ${skewSeconds < 0 ? "behind" : "ahead"}`}</dd>
        </div>
      </dl>
    </section>
  );
}

function nameOf(name: string): string {
  if (name === "database") return "Database";
  return name === "console" ? "Console's host" : `Platform of ${name}`;
}

function ClockWords({ clock: { name, skewMs, measuredAt } }: { readonly clock: ClockView }) {
  if (name === "database") return "decides";
  if (skewMs === null || measuredAt === null) return "not measured yet";
  const size = Math.abs(skewMs);
  const words =
    size < 1000 ? "agrees" : `${formatDuration(size)} ${skewMs < 0 ? "behind" : "ahead"}`;
  if (name === "console") return words;
  return (
    <>
      {words}, measured <TimeAgo instant={measuredAt} />
    </>
  );
}
