"use client";

import { Button, CopyButton } from "@mantine/core";
import { ListEmpty, ListNoMatch } from "@/components/list-states";
import { ViewTabs } from "@/components/view-tabs";
import { REFUSED_WORDS } from "@/lib/domain/inbox-words";
import type { InboxPage } from "@/lib/queries/inbox-page";
import { type Address, addressText } from "./address";
import classes from "./inbox.module.css";

interface TabsProps {
  readonly path: string;
  readonly address: Address;
  readonly data: InboxPage;
}

/** The views that come with the list, each with its count. */
export function InboxTabs({ path, address, data }: TabsProps) {
  const { counts, duplicatesToday, now } = data;
  const today = now.slice(0, 10);
  const isToday = address.copies === "yes" && address.from === today;
  const tab = (label: string, outcome: string | null, count?: number) => ({
    label,
    href: `${path}${addressText(address, { outcome, copies: null, from: null })}`,
    ...(count === undefined ? {} : { count }),
    active: !isToday && (address.outcome ?? null) === outcome,
  });
  return (
    <ViewTabs
      label="Views"
      tabs={[
        tab("All", null),
        tab("Quarantined", "quarantined", counts.quarantined),
        tab("Not matched yet", "unmatched", counts.unmatched),
        tab("Not applied yet", "received", counts.received),
        tab("Dead letters", "dead", counts.dead),
        {
          label: "Duplicates today",
          href: `${path}${addressText(address, { outcome: null, copies: "yes", from: today })}`,
          count: duplicatesToday,
          active: isToday,
        },
      ]}
    />
  );
}

/** What is late, and what was refused at the door: counts, because nothing else of that is kept (IN-1). */
export function InboxStripNote({ data }: { readonly data: InboxPage }) {
  const { late, refusals } = data;
  const names = [...new Set(refusals.map(({ connection }) => connection))];
  if (late === 0 && names.length === 0) return null;
  return (
    <div role="note" className={classes.strip}>
      {late === 0 ? null : (
        <p>
          {late === 1 ? "1 recorded event is" : `${late} recorded events are`} older than a minute
          and not applied yet.
        </p>
      )}
      {names.map((name) => (
        <p key={name}>
          Failed authentication at {name} within 24 h:{" "}
          {refusals
            .filter(({ connection }) => connection === name)
            .map(({ why, count }) => `${count} (${REFUSED_WORDS[why] ?? why})`)
            .join(", ")}
          . Nothing else of these is kept.
        </p>
      ))}
    </div>
  );
}

export interface Door {
  /** Of the connection. */
  readonly name: string;
  readonly url: string;
}

interface EmptyProps {
  readonly filtered: boolean;
  readonly doors: readonly Door[];
  clear(): void;
}

/** A list without rows: by its filters, or because no platform has told anything yet. */
export function InboxEmpty({ filtered, doors, clear }: EmptyProps) {
  if (filtered) return <ListNoMatch onClear={clear} />;
  return (
    <ListEmpty
      action={
        <ul className={classes.doors}>
          {doors.map(({ name, url }) => (
            <li key={name}>
              Address for {name}: <span className={classes.mono}>{url}</span>{" "}
              <CopyButton value={url}>
                {({ copied, copy }) => (
                  <Button size="compact-xs" variant="default" onClick={copy}>
                    {copied ? "Copied" : `Copy address of ${name}`}
                  </Button>
                )}
              </CopyButton>
            </li>
          ))}
        </ul>
      }
    >
      No events yet.
    </ListEmpty>
  );
}
