import { ArrowRight, Check, CircleDashed } from "lucide-react";
import Link from "next/link";
import type { Condition, Neighbour, Waiting } from "@/lib/domain/waiting";
import { OPERATION_WORDS } from "@/lib/domain/words";
import panel from "./panel.module.css";
import { Countdown } from "./ticking";
import classes from "./waiting-for.module.css";

interface WaitingForProps {
  readonly waiting: Waiting;
  readonly now: string;
  /** `/t/<slug>/operations`: where the operations of this tenant are. */
  readonly operationsPath: string;
}

/** "What is it waiting for?": the ordered conditions, the one that holds now, and what this holds back. */
export function WaitingFor({ waiting, now, operationsPath }: WaitingForProps) {
  const { conditions, holdsBack, next } = waiting;
  return (
    <section className={panel.panel} aria-labelledby="waiting-for">
      <h2 id="waiting-for" className={panel.heading}>
        What is it waiting for?
        {next === null ? null : (
          <span className={panel.dimmed}>
            next step <Countdown to={next} now={now} />
          </span>
        )}
      </h2>
      {conditions.length === 0 ? <p>Nothing. This operation has ended.</p> : null}
      <ol className={classes.list}>
        {conditions.map((condition) => (
          <ConditionLine key={condition.name} condition={condition} path={operationsPath} />
        ))}
      </ol>
      {holdsBack.length === 0 ? null : <HoldsBack held={holdsBack} path={operationsPath} />}
    </section>
  );
}

const STATUS = {
  met: { word: "met", Icon: Check },
  holds: { word: "waits for this now", Icon: ArrowRight },
  ahead: { word: "comes later", Icon: CircleDashed },
} as const;

interface LineProps {
  readonly condition: Condition;
  readonly path: string;
}

function ConditionLine({ condition, path }: LineProps) {
  const { word, Icon } = STATUS[condition.status];
  const ahead = condition.status === "ahead" ? panel.dimmed : "";
  return (
    <li
      className={`${classes.condition} ${condition.status === "holds" ? classes.holds : ahead}`}
      data-state={condition.status}
    >
      <Icon size={16} aria-hidden="true" />
      <span className={classes.label}>
        {condition.label} <span className={panel.hidden}>({word})</span>
      </span>
      {condition.sentence && condition.status !== "met" ? (
        <span className={classes.sentence}>
          {condition.sentence}{" "}
          {condition.about ? (
            <Link href={`${path}/${condition.about.opId}`}>
              Open op {condition.about.opId.slice(0, 8)}
            </Link>
          ) : null}
        </span>
      ) : null}
    </li>
  );
}

function HoldsBack({ held, path }: { readonly held: readonly Neighbour[]; readonly path: string }) {
  return (
    <p className={classes.back}>
      Holds back: {held.length} later {held.length === 1 ? "operation" : "operations"} (
      {held.map(({ opId, kind, state }, place) => (
        <span key={opId}>
          {place === 0 ? "" : ", "}
          <Link href={`${path}/${opId}`}>
            {kind}, {OPERATION_WORDS[state].label.toLowerCase()}
          </Link>
        </span>
      ))}
      )
    </p>
  );
}
