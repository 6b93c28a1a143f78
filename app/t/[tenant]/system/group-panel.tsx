import Link from "next/link";
import type { ReactNode } from "react";
import panel from "@/components/panel.module.css";
import { StateBadge } from "@/components/state-badge";
import { TimeWithZone } from "@/components/time-with-zone";
import { formatDuration } from "@/lib/domain/deadline";
import type { FactValue, SystemFact, SystemGroup } from "@/lib/domain/system-fact";
import classes from "./system.module.css";

interface GroupPanelProps {
  readonly tenant: string;
  readonly group: SystemGroup;
}

/** Figures of one matter: each with the list behind it, the name of its metric, and its runbook where it is too high. */
export function GroupPanel({ tenant, group: { title, facts } }: GroupPanelProps) {
  return (
    <section className={panel.panel} aria-label={title}>
      <h2 className={panel.heading}>{title}</h2>
      <dl className={classes.facts}>
        {facts.map((fact) => (
          <Fact key={fact.label + fact.path} tenant={tenant} fact={fact} />
        ))}
      </dl>
    </section>
  );
}

function Fact({ tenant, fact }: { readonly tenant: string; readonly fact: SystemFact }) {
  const { label, value, metric, path, alert } = fact;
  return (
    <div className={classes.fact}>
      <dt>
        {label}
        {metric ? <code className={classes.metric}>{metric}</code> : null}
      </dt>
      <dd>
        {path ? (
          <Link className={classes.value} href={`/t/${tenant}${path}`}>
            {written(value)}
            <span className={panel.hidden}>: {label}</span>
          </Link>
        ) : (
          <span className={classes.value}>{written(value)}</span>
        )}
        {alert ? (
          <span className={classes.alert}>
            <StateBadge family="age" code="breached" />
            <Link className={classes.value} href={`/t/${tenant}/runbooks/${alert}`}>
              What to do
              <span className={panel.hidden}>: {label}</span>
            </Link>
          </span>
        ) : null}
      </dd>
    </div>
  );
}

function written(value: FactValue): ReactNode {
  switch (value.kind) {
    case "count":
      return `${value.atLeast ? "at least " : ""}${thousands(value.count)}`;
    case "seconds":
      return value.seconds === null ? "none" : duration(value.seconds);
    case "share":
      return `${thousands(value.part)} / ${thousands(value.whole)}`;
    case "moment":
      return value.at === null ? "none yet" : <TimeWithZone instant={value.at} kind="moment" />;
    case "text":
      return value.text;
  }
}

function duration(seconds: number): string {
  return seconds < 1 ? `${Math.round(seconds * 1000)} ms` : formatDuration(seconds * 1000);
}

/** With a thin space between thousands. */
function thousands(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, "\u2009");
}
