"use client";

import type { Word } from "@/lib/domain/words";
import { StateIcon } from "./state-icon";
import classes from "./state-strip.module.css";
import tones from "./tones.module.css";

export interface StripItem<Code extends string> {
  readonly code: Code;
  readonly word: Word;
  readonly count: number;
  /** True when there are more than `count`. */
  readonly more: boolean;
}

interface StateStripProps<Code extends string> {
  readonly label: string;
  readonly items: readonly StripItem<Code>[];
  readonly selected: readonly Code[];
  readonly onToggle: (code: Code) => void;
}

/** A count per state; each is a button that filters by it. */
export function StateStrip<Code extends string>(props: StateStripProps<Code>) {
  const { label, items, selected, onToggle } = props;
  return (
    <ul className={classes.strip} aria-label={label}>
      {items.map(({ code, word, count, more }) => (
        <li key={code}>
          <button
            type="button"
            className={`${classes.button} ${tones[word.tone]} ${count === 0 ? classes.none : ""}`}
            aria-pressed={selected.includes(code)}
            title={word.sentence.replaceAll(/\[[^\]]*\]/g, "")}
            onClick={() => onToggle(code)}
          >
            <StateIcon name={word.icon} />
            {word.label}
            <span className={classes.count}>{more ? `> ${grouped(count)}` : grouped(count)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Digits in threes with a thin space, the same on server and client. */
export function grouped(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, "\u2009");
}
