"use client";

import { CirclePause, Radio, WifiOff } from "lucide-react";
import { formatAge, formatMoment } from "@/lib/domain/deadline";
import bands from "./bands.module.css";
import classes from "./header.module.css";
import { type Freshness, useFreshness, useNow } from "./live";
import { useReadingZone } from "./reading-zone";

/** How fresh the page is, in the header (screens 1.4). */
export function FreshnessMark() {
  const { freshness, asOf } = useFreshness();
  const now = useNow();
  const zone = useReadingZone();
  return (
    <span className={classes.freshness} data-state={freshness}>
      <Mark freshness={freshness} />
      <span>{textOf(freshness, asOf, now, zone)}</span>
    </span>
  );
}

function Mark({ freshness }: { readonly freshness: Freshness }) {
  if (freshness === "lost") return <WifiOff size={14} aria-hidden />;
  if (freshness === "paused") return <CirclePause size={14} aria-hidden />;
  return <Radio size={14} aria-hidden />;
}

function textOf(freshness: Freshness, asOf: string, now: string, zone: string): string {
  switch (freshness) {
    case "live":
      return "Live";
    case "paused":
      return "Paused by you";
    case "late":
      return `Last update ${formatAge(asOf, now)}`;
    case "lost":
      return `Not connected since ${formatMoment(asOf, zone)}`;
  }
}

/** The notice on top of a page that has lost its connection. */
export function LostNotice() {
  const { freshness, asOf } = useFreshness();
  const zone = useReadingZone();
  if (freshness !== "lost") return null;
  return (
    <p role="status" className={bands.notice}>
      This page may be out of date since {formatMoment(asOf, zone)}. Decisions still go to the
      server, which checks the present facts.
    </p>
  );
}
