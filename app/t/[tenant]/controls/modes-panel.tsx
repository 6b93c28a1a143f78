"use client";

import { Button } from "@mantine/core";
import Link from "next/link";
import { useState } from "react";
import cards from "@/components/card-table.module.css";
import panels from "@/components/panel.module.css";
import { personWords } from "@/components/person-words";
import { StateBadge } from "@/components/state-badge";
import { TimeWithZone } from "@/components/time-with-zone";
import { KIND_WORDS } from "@/lib/domain/payload-words";
import type { ModeView } from "@/lib/queries/controls-page";
import { ConfirmLiveDialog, ModeDialog } from "./mode-dialogs";

interface ModesPanelProps {
  readonly tenant: string;
  readonly modes: readonly ModeView[];
  readonly mayChange: boolean;
  again(): void;
}

/** Signing and finalizing come with a later release and cannot be switched yet. */
const LATER: readonly string[] = ["sign", "finalize"];

/** Off, shadow or live for each kind; letting a kind go live takes two people. */
export function ModesPanel({ tenant, modes, mayChange, again }: ModesPanelProps) {
  return (
    <section className={panels.panel} aria-labelledby="modes">
      <h2 className={panels.heading} id="modes">
        Modes per kind
        <Link href={`/t/${tenant}/controls/shadow`}>Shadow report</Link>
      </h2>
      <div className={cards.scroll}>
        <table className={cards.table}>
          <caption>Mode of each kind of operation</caption>
          <thead>
            <tr>
              <th scope="col">Kind</th>
              <th scope="col">Mode</th>
              <th scope="col">Since</th>
              <th scope="col">Asked for</th>
              <th scope="col">Change</th>
            </tr>
          </thead>
          <tbody>
            {modes.map((mode) => (
              <ModeRow key={mode.kind} {...{ tenant, mode, mayChange, again }} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

interface ModeRowProps {
  readonly tenant: string;
  readonly mode: ModeView;
  readonly mayChange: boolean;
  again(): void;
}

function ModeRow({ tenant, mode, mayChange, again }: ModeRowProps) {
  const [open, setOpen] = useState<"change" | "live" | null>(null);
  const done = () => {
    setOpen(null);
    again();
  };
  const close = () => setOpen(null);
  const { asked } = mode;
  return (
    <tr>
      <th scope="row">{KIND_WORDS[mode.kind].verb}</th>
      <td data-label="Mode">
        <StateBadge family="mode" code={mode.mode} />
      </td>
      <td data-label="Since">
        {mode.changedAt === null ? "–" : <TimeWithZone instant={mode.changedAt} kind="moment" />}
        {mode.changedBy === null ? null : (
          <span className={cards.second}>by {personWords(mode.changedBy)}</span>
        )}
      </td>
      <td data-label="Asked for">
        {asked === null ? (
          "–"
        ) : (
          <>
            Live, by {personWords(asked.by)}
            <span className={cards.second}>
              <TimeWithZone instant={asked.at} kind="moment" />
            </span>
          </>
        )}
      </td>
      <td data-label="Change">
        <RowActions {...{ mode, mayChange, setOpen }} />
        {open === "change" ? <ModeDialog {...{ tenant, mode, done, close }} /> : null}
        {open === "live" && asked !== null ? (
          <ConfirmLiveDialog {...{ tenant, mode, done, close }} askId={asked.id} />
        ) : null}
      </td>
    </tr>
  );
}

interface RowActionsProps {
  readonly mode: ModeView;
  readonly mayChange: boolean;
  setOpen(open: "change" | "live"): void;
}

function RowActions({ mode, mayChange, setOpen }: RowActionsProps) {
  const { kind, asked } = mode;
  if (LATER.includes(kind)) return "comes later";
  if (!mayChange) return "–";
  return (
    <>
      <Button
        size="compact-xs"
        variant="default"
        onClick={() => setOpen("change")}
        aria-label={`Change the mode of ${kind}`}
      >
        Change…
      </Button>
      {asked === null ? null : asked.by.you ? (
        <span className={cards.second}>You asked for this. You cannot confirm it yourself.</span>
      ) : (
        <Button size="compact-xs" ml={6} onClick={() => setOpen("live")}>
          Switch {kind} to live…
        </Button>
      )}
    </>
  );
}
