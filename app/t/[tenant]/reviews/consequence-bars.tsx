"use client";

import Link from "next/link";
import { grouped } from "@/components/state-strip";
import tones from "@/components/tones.module.css";
import { CONSEQUENCE_WORDS, CONSEQUENCES, type Consequence } from "@/lib/domain/consequence";
import { AGE_BAND_WORDS, type AgeBand } from "@/lib/domain/system-words";
import classes from "./consequence-bars.module.css";

export type BandCounts = Readonly<Record<AgeBand, number>>;

const BANDS: readonly AgeBand[] = ["breached", "warning", "within"];

interface ConsequenceBarsProps {
  readonly counts: Readonly<Record<Consequence, BandCounts>>;
  /** The address of the list with this filter, or without it where it is on. */
  readonly href: (filter: { consequence: Consequence; age?: AgeBand }) => string;
  readonly on: { readonly consequence: string | undefined; readonly age: string | undefined };
}

/** How old what waits is, by what is lost: one bar each, and every figure is a filter. */
export function ConsequenceBars({ counts, href, on }: ConsequenceBarsProps) {
  return (
    <ul className={classes.bars} aria-label="Open items by consequence and age">
      {CONSEQUENCES.map((consequence) => (
        <li key={consequence} className={classes.bar}>
          <Head consequence={consequence} counts={counts[consequence]} href={href} on={on} />
          <Track counts={counts[consequence]} />
          <ul className={classes.bands} aria-label={`${CONSEQUENCE_WORDS[consequence]} by age`}>
            {BANDS.map((age) => (
              <li key={age}>
                <Band
                  age={age}
                  count={counts[consequence][age]}
                  href={href({ consequence, age })}
                  active={on.consequence === consequence && on.age === age}
                />
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

interface HeadProps extends Omit<ConsequenceBarsProps, "counts"> {
  readonly consequence: Consequence;
  readonly counts: BandCounts;
}

function Head({ consequence, counts, href, on }: HeadProps) {
  const active = on.consequence === consequence && on.age === undefined;
  return (
    <Link
      href={href({ consequence })}
      aria-current={active ? "true" : undefined}
      className={classes.head}
    >
      {CONSEQUENCE_WORDS[consequence]} <strong>{grouped(sumOf(counts))}</strong>
    </Link>
  );
}

/** The same figures as lengths; the words beside it say them. */
function Track({ counts }: { readonly counts: BandCounts }) {
  const sum = sumOf(counts);
  return (
    <span className={classes.track} aria-hidden="true">
      {BANDS.filter((age) => counts[age] > 0).map((age) => (
        <span
          key={age}
          className={`${classes.part} ${tones[AGE_BAND_WORDS[age].tone]}`}
          style={{ flexGrow: Math.max(counts[age] / sum, 0.04) }}
        />
      ))}
    </span>
  );
}

interface BandProps {
  readonly age: AgeBand;
  readonly count: number;
  readonly href: string;
  readonly active: boolean;
}

const SHORT: Record<AgeBand, string> = {
  breached: "past limit",
  warning: "limit near",
  within: "within",
};

function Band({ age, count, href, active }: BandProps) {
  const words = `${grouped(count)} ${SHORT[age]}`;
  if (count === 0 && !active) return <span className={classes.none}>{words}</span>;
  return (
    <Link
      href={href}
      aria-current={active ? "true" : undefined}
      className={`${classes.band} ${age === "breached" ? classes.breached : ""}`}
    >
      {words}
    </Link>
  );
}

function sumOf({ within, warning, breached }: BandCounts): number {
  return within + warning + breached;
}
