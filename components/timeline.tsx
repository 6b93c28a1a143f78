"use client";

import { SegmentedControl } from "@mantine/core";
import { Bot, Cog, Globe, KeyRound, type LucideIcon, User, Wrench } from "lucide-react";
import { type ReactNode, useState } from "react";
import { formatMoment } from "@/lib/domain/deadline";
import panel from "./panel.module.css";
import classes from "./timeline.module.css";

export type ActorKind = "user" | "agent" | "key" | "worker" | "platform" | "system" | "policy";

export interface TimelineEntry {
  readonly id: string;
  readonly at: string;
  /** `state`: a move; `call` and `read`: with the platform; `person`: what people did beside a move. */
  readonly kind: "state" | "call" | "read" | "person" | "event";
  readonly title: ReactNode;
  readonly actor: { readonly kind: ActorKind; readonly label: string } | null;
  readonly sentence?: string;
  /** Reason code, in mono behind the sentence. */
  readonly code?: string;
  readonly evidence?: ReactNode;
  /** True for what happened aside: a fenced late result, an inbound event, a supersession. */
  readonly branch?: boolean;
}

const FILTERS = [
  { value: "all", label: "All" },
  { value: "states", label: "States" },
  { value: "calls", label: "Calls and reads" },
  { value: "people", label: "People" },
] as const;

type Filter = (typeof FILTERS)[number]["value"];

const ACTORS: Record<ActorKind, { readonly word: string; readonly Icon: LucideIcon }> = {
  user: { word: "person", Icon: User },
  agent: { word: "agent", Icon: Bot },
  key: { word: "API key", Icon: KeyRound },
  worker: { word: "worker", Icon: Wrench },
  platform: { word: "platform", Icon: Globe },
  system: { word: "system", Icon: Cog },
  policy: { word: "policy", Icon: Cog },
};

interface TimelineProps {
  readonly entries: readonly TimelineEntry[];
  readonly heading?: string;
}

/** What happened, newest first; each entry is a heading, so that one can walk through it. */
export function Timeline({ entries, heading = "Timeline" }: TimelineProps) {
  const [filter, setFilter] = useState<Filter>("all");
  const shown = entries.filter((entry) => passes(entry, filter));
  return (
    <section className={panel.panel} aria-labelledby="timeline">
      <div className={classes.head}>
        <h2 id="timeline" className={panel.heading} style={{ margin: 0 }}>
          {heading}
        </h2>
        <SegmentedControl
          size="xs"
          aria-label="Show in the timeline"
          data={FILTERS.map((option) => ({ ...option }))}
          value={filter}
          onChange={(value) => setFilter(value as Filter)}
        />
      </div>
      {shown.length === 0 ? <p>None yet.</p> : null}
      <ol className={classes.list}>
        {shown.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ol>
    </section>
  );
}

function passes(entry: TimelineEntry, filter: Filter): boolean {
  switch (filter) {
    case "all":
      return true;
    case "states":
      return entry.kind === "state";
    case "calls":
      return entry.kind === "call" || entry.kind === "read" || entry.kind === "event";
    case "people":
      return entry.kind === "person" || entry.actor?.kind === "user";
  }
}

function Entry({ entry }: { readonly entry: TimelineEntry }) {
  const { at, kind, title, actor, sentence, code, evidence, branch } = entry;
  return (
    <li
      className={`${classes.entry} ${kind === "state" ? classes.state : ""} ${branch ? classes.branch : ""}`}
    >
      <time dateTime={at} className={`${panel.mono} ${panel.dimmed} ${classes.time}`}>
        {formatMoment(at)}
      </time>
      <div className={classes.line}>
        <h3 className={classes.title}>
          {title}
          {branch ? <span className={panel.dimmed}>(aside)</span> : null}
        </h3>
        {sentence ? <div>{sentence}</div> : null}
        <div className={panel.dimmed}>
          {actor ? <ActorMark {...actor} /> : null}
          {code ? (
            <>
              {actor ? " · " : ""}
              <code className={panel.mono}>{code}</code>
            </>
          ) : null}
        </div>
        {evidence ? <div>{evidence}</div> : null}
      </div>
    </li>
  );
}

/** Who did it, with a mark for people, agents, keys, workers, platforms and the ledger itself. */
export function ActorMark({ kind, label }: { readonly kind: ActorKind; readonly label: string }) {
  const { word, Icon } = ACTORS[kind];
  return (
    <span title={word} style={{ whiteSpace: "nowrap" }}>
      <Icon size={13} aria-hidden="true" style={{ verticalAlign: "-2px", marginRight: 4 }} />
      {label}
    </span>
  );
}
