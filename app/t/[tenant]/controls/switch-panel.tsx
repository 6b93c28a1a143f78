"use client";

import Link from "next/link";
import { useNow } from "@/components/frame/live";
import { useReadingZone } from "@/components/frame/reading-zone";
import { StateBadge } from "@/components/state-badge";
import { TimeWithZone } from "@/components/time-with-zone";
import { formatMoment } from "@/lib/domain/deadline";
import { kindPlural } from "@/lib/domain/kind-plural";
import type { HeldCount, SwitchView } from "@/lib/queries/controls-page";
import classes from "./controls.module.css";

interface SwitchPanelProps {
  readonly tenant: string;
  readonly one: SwitchView;
  readonly mayResume: boolean;
}

/** One active switch: who, why, what it holds, and whether everybody has seen it. */
export function SwitchPanel({ tenant, one, mayResume }: SwitchPanelProps) {
  const zone = useReadingZone();
  return (
    <article className={classes.switch} aria-label={`Switch: ${one.words}`}>
      <h3>
        <StateBadge family="switch" code="paused" />
        Paused: {one.words}
      </h3>
      <p>
        By {one.by}, <TimeWithZone instant={one.since} kind="moment" />. Reason:{" "}
        {one.reason ?? "(erased)"}
      </p>
      <p>{heldSentence(one.held)}</p>
      <Outcome one={one} zone={zone} />
      <Review one={one} zone={zone} />
      <div className={classes.actions}>
        <Link href={`/t/${tenant}/operations?state=scheduled`}>See what is held</Link>
        {one.scope === "all" ? (
          <span>Only an installation operator can open this one.</span>
        ) : (
          <Link href={`/t/${tenant}/controls/resume/${one.id}`}>
            {mayResume ? `Resume ${one.words}…` : "Resume preview"}
          </Link>
        )}
        {one.askedToResume ? <span>Somebody has asked to resume this.</span> : null}
      </div>
    </article>
  );
}

/** "Held 312: 300 extensions, 12 reminders. Finishing 2." */
function heldSentence(held: readonly HeldCount[]): string {
  const waiting = held.filter(({ state }) => state === "scheduled");
  const total = sum(waiting);
  const finishing = sum(held.filter(({ state }) => state === "claimed" || state === "submitting"));
  const unknown = sum(
    held.filter(({ state }) => state === "needs_reconcile" || state === "reconciling"),
  );
  const kinds = waiting.map(({ kind, count }) => `${count} ${kindPlural(kind, count)}`).join(", ");
  const parts = [total === 0 ? "Held: nothing." : `Held ${total}: ${kinds}.`];
  if (finishing > 0) parts.push(`Finishing ${finishing}.`);
  if (unknown > 0) parts.push(`Unknown ${unknown}: looked up all the same.`);
  return parts.join(" ");
}

function sum(rows: readonly HeldCount[]): number {
  return rows.reduce((total, { count }) => total + count, 0);
}

function Outcome({ one, zone }: { readonly one: SwitchView; readonly zone: string }) {
  const { lastStart, workers } = one;
  const late = workers.total - workers.confirmed;
  const start =
    lastStart === null
      ? "No start in the hour before."
      : `Last new start ${formatMoment(lastStart.at, zone)} (${distance(lastStart.afterMs)}).`;
  return (
    <>
      <p className={classes.numbers}>
        Paused. {start} Workers that confirmed: {workers.confirmed} of {workers.total}.
      </p>
      {late === 0 ? null : (
        <p className={classes.unconfirmed}>
          {late} of {workers.total} workers {late === 1 ? "has" : "have"} not confirmed.{" "}
          {workers.leasesEndAt === null
            ? "It holds nothing here."
            : `Its leases end by ${formatMoment(workers.leasesEndAt, zone)}; what it has not started meets the switch first.`}
        </p>
      )}
    </>
  );
}

function distance(ms: number): string {
  return ms > 0 ? `${ms} ms after` : "before the pause";
}

function Review({ one, zone }: { readonly one: SwitchView; readonly zone: string }) {
  const now = useNow();
  if (one.reviewAt === null) return null;
  const due = Date.parse(one.reviewAt) <= Date.parse(now);
  const moment = formatMoment(one.reviewAt, zone);
  return due ? (
    <p className={classes.unconfirmed}>Is this still needed? It was to be asked at {moment}.</p>
  ) : (
    <p>To be looked at again at {moment}.</p>
  );
}
