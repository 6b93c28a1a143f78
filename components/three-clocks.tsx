import { formatDeadline, formatDuration } from "@/lib/domain/deadline";
import { epochOf } from "@/lib/domain/zone";
import panel from "./panel.module.css";
import classes from "./three-clocks.module.css";
import { Countdown } from "./ticking";

export interface ClockFace {
  /** RFC 3339 in UTC; null when this clock says nothing. */
  readonly instant: string | null;
  /** The clock's own zone: line 1 is in it for every reader (C-38). */
  readonly zone: string;
  /** Who moves this clock: "account manager", "platform", "this console". */
  readonly owner: string;
  /** Where the value comes from: "read 38 s ago, receipt r_94", "approved, rule data 2026f". */
  readonly source: string;
  /** What stands there instead of an instant, and further words: "Reminder", "No timer planned." */
  readonly note?: string;
}

export interface ThreeClocksProps {
  readonly business: ClockFace;
  readonly platform: ClockFace;
  readonly scheduler: ClockFace;
  /** Two clocks that differ by no more than this agree, because the platform cannot say it finer. */
  readonly roundingMs: number;
  readonly now: string;
  /** Line 2 names the instant in this zone too, when it is not UTC. */
  readonly readingZone?: string;
}

const NAMES = {
  business: "Business deadline",
  platform: "Platform expiry",
  scheduler: "Scheduler",
} as const;

const ORDER = ["business", "platform", "scheduler"] as const;

/** The three clocks side by side, which one comes first, and whether business and platform disagree. */
export function ThreeClocks(props: ThreeClocksProps) {
  const earliest = earliestOf(props);
  const difference = clockDifference(props.business, props.platform, props.roundingMs);
  return (
    <section aria-label="Three clocks">
      <div className={classes.clocks}>
        {ORDER.map((name) => (
          <Face
            key={name}
            name={NAMES[name]}
            face={props[name]}
            now={props.now}
            readingZone={props.readingZone ?? "UTC"}
            earliest={earliest === name}
          />
        ))}
      </div>
      {difference === null ? null : (
        <p className={classes.differs}>
          <span aria-hidden="true">≠ </span>
          {difference}
        </p>
      )}
    </section>
  );
}

interface FaceProps {
  readonly name: string;
  readonly face: ClockFace;
  readonly now: string;
  readonly readingZone: string;
  readonly earliest: boolean;
}

function Face({ name, face, now, readingZone, earliest }: FaceProps) {
  const { instant, zone } = face;
  const words = instant === null ? null : formatDeadline(instant, zone, undefined, readingZone);
  return (
    <div className={`${panel.panel} ${earliest ? classes.earliest : ""}`}>
      <h3 className={panel.heading}>
        {name}
        {earliest ? <span className={classes.mark}>earliest</span> : null}
      </h3>
      {words && instant !== null ? (
        <time dateTime={instant}>
          <span className={classes.line1}>{words.line1}</span>
          <br />
          <span className={`${classes.line2} ${panel.dimmed}`}>
            {words.line2} · <Countdown to={instant} now={now} />
          </span>
        </time>
      ) : (
        <span className={panel.dimmed}>{face.note ?? "None."}</span>
      )}
      <dl className={panel.pairs}>
        {words && face.note ? (
          <>
            <dt>for</dt>
            <dd>{face.note}</dd>
          </>
        ) : null}
        <dt>source</dt>
        <dd>{face.source}</dd>
        <dt>owner</dt>
        <dd>{face.owner}</dd>
      </dl>
    </div>
  );
}

function earliestOf(clocks: Record<(typeof ORDER)[number], ClockFace>) {
  let first: { name: (typeof ORDER)[number]; at: number } | null = null;
  for (const name of ORDER) {
    const { instant } = clocks[name];
    if (instant === null) continue;
    const at = epochOf(instant);
    if (first === null || at < first.at) first = { name, at };
  }
  return first?.name ?? null;
}

/** "Platform expiry is 3 d 0 h before the business deadline."; null while the two agree or one is missing. */
export function clockDifference(
  business: Pick<ClockFace, "instant">,
  platform: Pick<ClockFace, "instant">,
  roundingMs: number,
): string | null {
  if (business.instant === null || platform.instant === null) return null;
  const apart = epochOf(platform.instant) - epochOf(business.instant);
  if (Math.abs(apart) < Math.max(1, roundingMs)) return null;
  const side = apart < 0 ? "before" : "after";
  return `Platform expiry is ${formatDuration(apart)} ${side} the business deadline.`;
}
