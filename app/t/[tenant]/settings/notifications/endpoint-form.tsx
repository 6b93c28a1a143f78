"use client";

import { Button, Checkbox, Radio, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { postJson, putJson } from "@/components/api-call";
import { NOTICE_TEAMS, type NoticeTeam } from "@/lib/domain/notice";
import { teamWords } from "@/lib/domain/notice-text";
import type { EndpointFacts } from "@/lib/queries/notice-settings-page";
import classes from "./notifications.module.css";

export interface MadeEndpoint {
  readonly id: string;
  readonly secret: string | null;
}

interface EndpointFormProps {
  /** Of the list when one is added, of the endpoint when it is changed. */
  readonly url: string;
  readonly present?: EndpointFacts;
  /** Is given what a new one got; null after a change. */
  done(made: MadeEndpoint | null): void;
  cancel(): void;
}

const LOST = "We did not hear back. Look at the list: it shows whether it was taken.";

/** Kind, name, address and teams of one endpoint. */
export function EndpointForm({ url, present, done, cancel }: EndpointFormProps) {
  const [kind, setKind] = useState(present?.kind ?? "chat");
  const [name, setName] = useState(present?.name ?? "");
  const [address, setAddress] = useState("");
  const [teams, setTeams] = useState<readonly NoticeTeam[]>(present?.teams ?? []);
  const [error, setError] = useState<string | null>(null);
  const [fields, setFields] = useState<Readonly<Record<string, string>>>({});
  const [busy, setBusy] = useState(false);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const given = address.trim();
    const answer = present
      ? await putJson<MadeEndpoint>(url, {
          name: name.trim(),
          teams,
          ...(given === "" ? {} : { url: given }),
        })
      : await postJson<MadeEndpoint>(url, { kind, name: name.trim(), teams, url: given });
    setBusy(false);
    if (answer.kind === "ok") return done(present ? null : answer.data);
    const problem = answer.kind === "refused" ? answer.problem : null;
    setError(problem?.detail ?? LOST);
    setFields(Object.fromEntries((problem?.fields ?? []).map((one) => [one.path, one.sentence])));
  };
  return (
    <form className={classes.form} onSubmit={(event) => void send(event)}>
      {present ? null : <KindChoice kind={kind} choose={setKind} />}
      <TextInput
        label="Name"
        description="Letters, digits, spaces, dots and hyphens; no personal data"
        required
        maxLength={60}
        value={name}
        error={fields.name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label="Address"
        description={
          present
            ? `One at ${present.host} is saved. Left empty, it stays.`
            : "Begins with https:// and is kept sealed; only its host is shown again."
        }
        required={present === undefined}
        maxLength={500}
        value={address}
        error={fields.url}
        onChange={(event) => setAddress(event.currentTarget.value)}
      />
      <TeamChoice teams={teams} choose={setTeams} />
      <p role="alert">{error}</p>
      <div className={classes.actions}>
        <Button type="submit" loading={busy}>
          {present ? "Save changes" : "Add endpoint"}
        </Button>
        <Button variant="default" onClick={cancel}>
          Leave it
        </Button>
      </div>
    </form>
  );
}

type Kind = EndpointFacts["kind"];

function KindChoice({ kind, choose }: { readonly kind: Kind; choose(kind: Kind): void }) {
  return (
    <Radio.Group label="Kind" value={kind} onChange={(value) => choose(value as Kind)}>
      <Radio value="chat" label="Chat: an incoming webhook as Slack gives it" mt={6} />
      <Radio value="webhook" label="Webhook: signed events for a system of yours" mt={6} />
    </Radio.Group>
  );
}

interface TeamChoiceProps {
  readonly teams: readonly NoticeTeam[];
  choose(teams: readonly NoticeTeam[]): void;
}

function TeamChoice({ teams, choose }: TeamChoiceProps) {
  return (
    <Checkbox.Group
      label="Told of what waits for"
      description="Nothing chosen: everything that a team is told."
      value={[...teams]}
      onChange={(values) => choose(NOTICE_TEAMS.filter((team) => values.includes(team)))}
    >
      {NOTICE_TEAMS.map((team) => (
        <Checkbox key={team} value={team} label={teamWords(team)} mt={6} />
      ))}
    </Checkbox.Group>
  );
}
