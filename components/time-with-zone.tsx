"use client";

import { useNow } from "@/components/frame/live";
import { useReadingZone } from "@/components/frame/reading-zone";
import { formatAge, formatDeadline, formatMoment } from "@/lib/domain/deadline";
import classes from "./time-with-zone.module.css";

interface TimeWithZoneProps {
  /** RFC 3339 in UTC. */
  readonly instant: string;
  readonly kind: "deadline" | "moment";
  /** The deadline's own zone; line 1 is in it for every reader (C-38). For a moment: the request's zone. */
  readonly zone?: string | null;
  /** `one` leaves line 2 to the tooltip. */
  readonly form?: "two" | "one";
}

/** A deadline or a moment, in words that are the same in the server's HTML and after hydration. */
export function TimeWithZone({ instant, kind, zone, form = "two" }: TimeWithZoneProps) {
  const now = useNow();
  const readingZone = useReadingZone(zone);
  const [first, second] =
    kind === "deadline"
      ? deadlineLines(instant, zone ?? "UTC", now, readingZone)
      : [formatMoment(instant, readingZone), formatAge(instant, now)];
  return (
    <time
      dateTime={instant}
      title={form === "one" ? second : undefined}
      className={kind === "moment" ? classes.moment : undefined}
    >
      <span className={classes.first}>{first}</span>
      {form === "two" ? <span className={classes.second}>{second}</span> : null}
    </time>
  );
}

function deadlineLines(instant: string, zone: string, now: string, readingZone: string) {
  // The reading zone is named once: line 1 already says it when the two are the same.
  const also = readingZone === zone ? "UTC" : readingZone;
  const { line1, line2 } = formatDeadline(instant, zone, now, also);
  return [line1, line2] as const;
}
