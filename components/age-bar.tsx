"use client";

import { formatDuration } from "@/lib/domain/deadline";
import { AGE_BAND_WORDS, ageBandOf } from "@/lib/domain/system-words";
import { epochOf } from "@/lib/domain/zone";
import classes from "./age-bar.module.css";
import { useTickingNow } from "./ticking";
import tones from "./tones.module.css";

/** Bars move slowly: a person reads the band, not the second. */
const TICK_MS = 10_000;

interface AgeBarProps {
  readonly since: string;
  readonly limitMs: number;
  readonly now: string;
}

/** An age against its limit: the words first, the bar beside them. */
export function AgeBar({ since, limitMs, now }: AgeBarProps) {
  const present = useTickingNow(now, TICK_MS);
  const ageMs = Math.max(0, epochOf(present) - epochOf(since));
  const band = ageBandOf(ageMs, limitMs);
  const word = AGE_BAND_WORDS[band];
  const share = Math.min(100, Math.round((ageMs / limitMs) * 100));
  return (
    <span
      className={`${classes.age} ${tones[word.tone]}`}
      data-state={band}
      title={`${word.label}. ${word.sentence}`}
    >
      <span className={classes.text}>{ageText(ageMs, limitMs)}</span>
      <span className={classes.track} aria-hidden="true">
        <span className={classes.bar} style={{ width: `${share}%` }} />
      </span>
    </span>
  );
}

/** `9 of 15 min` where both have one unit, else `1 h 5 min of 8 h`. */
export function ageText(ageMs: number, limitMs: number): string {
  const [age, limit] = [formatDuration(ageMs), formatDuration(limitMs).replace(/ 0 h$/, "")];
  const [amount, unit, ...more] = age.split(" ");
  return more.length === 0 && limit.split(" ").length === 2 && limit.endsWith(` ${unit}`)
    ? `${amount} of ${limit}`
    : `${age} of ${limit}`;
}
