"use client";

import { Button, NativeSelect, NumberInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import classes from "@/app/t/[tenant]/settings/connections/connections.module.css";
import { putJson } from "@/components/api-call";
import panels from "@/components/panel.module.css";
import { POLLING, POLLING_WORDS, type Polling } from "@/lib/domain/connection-acts";
import type { ConnectionFacts } from "@/lib/queries/connections-page";

interface PollingPanelProps {
  readonly connection: ConnectionFacts;
  readonly url: string;
  readonly maySave: boolean;
  again(): void;
}

/** How we ask a platform that does not tell us (IN-7). */
export function PollingPanel({ connection, url, maySave, again }: PollingPanelProps) {
  const { polling, silentAfterMinutes, rawRetentionDays } = connection;
  return (
    <section className={panels.panel} aria-label="Polling and retention">
      <h2 className={panels.heading}>Polling and retention</h2>
      <dl className={panels.pairs}>
        <dt>Polling</dt>
        <dd>{POLLING_WORDS[polling]}</dd>
        <dt>Silent after</dt>
        <dd>{silentAfterMinutes} min without an authentic delivery</dd>
        <dt>Raw bodies</dt>
        <dd>kept for {rawRetentionDays} days, encrypted</dd>
      </dl>
      <p>
        Open requests are then read within the read budget, more often near a deadline, and what is
        seen goes through the inbox.
      </p>
      {maySave ? (
        <PollingForm polling={polling} minutes={silentAfterMinutes} url={url} again={again} />
      ) : null}
    </section>
  );
}

interface PollingFormProps {
  readonly polling: Polling;
  readonly minutes: number;
  readonly url: string;
  again(): void;
}

function PollingForm({ polling, minutes, url, again }: PollingFormProps) {
  const [wanted, setWanted] = useState<string>(polling);
  const [silent, setSilent] = useState<string | number>(minutes);
  const [said, setSaid] = useState<string | null>(null);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const body = { polling: wanted, silentAfterMinutes: Number(silent) };
    const answer = await putJson(`${url}/polling`, body);
    if (answer.kind === "refused") return setSaid(answer.problem.detail);
    setSaid(answer.kind === "ok" ? "Saved." : "We did not hear back. Reload to see what holds.");
    again();
  };
  return (
    <form className={classes.form} onSubmit={(event) => void save(event)}>
      <NativeSelect
        label="Poll"
        value={wanted}
        data={POLLING.map((value) => ({ value, label: POLLING_WORDS[value] }))}
        onChange={(event) => setWanted(event.currentTarget.value)}
      />
      <NumberInput
        label="Silent after (minutes)"
        min={1}
        max={10_080}
        allowDecimal={false}
        hideControls
        value={silent}
        onChange={setSilent}
      />
      <div className={classes.actions}>
        <Button type="submit" variant="default">
          Save polling
        </Button>
        <span role="status">{said}</span>
      </div>
    </form>
  );
}
