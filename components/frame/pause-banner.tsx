"use client";

import { OctagonPause } from "lucide-react";
import { formatMoment } from "@/lib/domain/deadline";
import classes from "./bands.module.css";
import { type PulseView, useFreshness } from "./live";
import { useReadingZone } from "./reading-zone";

type Pause = PulseView["pauses"][number];

/** One red row per active switch, widest scope first. The pulse brings it within two seconds. */
export function PauseBanner() {
  const { pulse } = useFreshness();
  const zone = useReadingZone();
  if (pulse.pauses.length === 0) return null;
  return (
    <div role="alert" className={classes.pauses}>
      {pulse.pauses.map((pause) => (
        <p key={`${pause.scope} ${pause.connection} ${pause.kind} ${pause.since}`}>
          <OctagonPause size={14} aria-hidden />
          <span>{sentenceOf(pause, zone)}</span>
        </p>
      ))}
    </div>
  );
}

function sentenceOf(pause: Pause, zone: string): string {
  const kinds = pause.kind ? `${pause.kind} operations` : "operations";
  const by = pause.by ? `By ${pause.by}, ` : "Since ";
  const reason = pause.reason ? ` Reason: ${pause.reason}.` : "";
  return `Paused: ${scopeOf(pause)}. No new ${kinds} start. ${by}${formatMoment(pause.since, zone)}.${reason}`;
}

function scopeOf(pause: Pause): string {
  switch (pause.scope) {
    case "all":
      return "everything";
    case "tenant":
      return "this tenant";
    case "connection":
      return `connection ${pause.connection}`;
    case "kind":
      return `kind ${pause.kind}`;
  }
}
