"use client";

import { useEffect, useState } from "react";
import { formatAge, formatDuration, formatRemaining } from "@/lib/domain/deadline";
import { epochOf, instantOf } from "@/lib/domain/zone";

/**
 * The server's time, going on by the browser's stopwatch and never by its clock. The first render is exactly
 * `serverNow`, so that it equals what the server drew.
 */
export function useTickingNow(serverNow: string, everyMs = 1000): string {
  const [passed, setPassed] = useState({ from: serverNow, ms: 0 });
  useEffect(() => {
    const started = performance.now();
    const timer = setInterval(
      () => setPassed({ from: serverNow, ms: performance.now() - started }),
      everyMs,
    );
    return () => clearInterval(timer);
  }, [serverNow, everyMs]);
  const ms = passed.from === serverNow ? passed.ms : 0;
  return ms === 0 ? serverNow : instantOf(epochOf(serverNow) + Math.floor(ms));
}

interface AgeProps {
  readonly since: string;
  /** The server's time when the data were made. */
  readonly now: string;
  /** `ago` reads "4 min ago"; `duration` reads "4 min". */
  readonly form?: "ago" | "duration";
  readonly everyMs?: number;
}

/** An age that goes on counting. It is never announced. */
export function Age({ since, now, form = "duration", everyMs = 1000 }: AgeProps) {
  const present = useTickingNow(now, everyMs);
  const text =
    form === "ago"
      ? formatAge(since, present)
      : formatDuration(Math.max(0, epochOf(present) - epochOf(since)));
  return <time dateTime={since}>{text}</time>;
}

/** `in 1 min 40 s`, and "now" once the instant has come. It is never announced. */
export function Countdown({ to, now }: { readonly to: string; readonly now: string }) {
  const present = useTickingNow(now);
  const due = epochOf(to) <= epochOf(present);
  return <span>{due ? "now" : formatRemaining(to, present)}</span>;
}
