"use client";

import { Button, Checkbox, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import classes from "@/app/t/[tenant]/outbox/outbox.module.css";
import { type ApiProblem, postJson } from "@/components/api-call";
import { sendJson } from "@/components/frame/send-json";
import { OUTBOX_TYPE_WORDS, OUTBOX_TYPES, type OutboxType } from "@/lib/domain/outbox";

export interface MadeSecret {
  readonly secretId: string;
  readonly secret: string;
}

interface SubscriberFormProps {
  readonly url: string;
  readonly method: "POST" | "PATCH";
  readonly action: string;
  readonly present?: {
    readonly name: string;
    readonly url: string;
    readonly eventTypes: readonly OutboxType[];
  };
  /** Is given the secret of a new subscriber. */
  done(secret: MadeSecret | null): void;
  cancel(): void;
}

const LOST = "We did not hear back. Look at the list: it shows whether it was taken.";

/** Name, address and events of one subscriber. */
export function SubscriberForm(props: SubscriberFormProps) {
  const { url, method, action, present, done, cancel } = props;
  const [name, setName] = useState(present?.name ?? "");
  const [address, setAddress] = useState(present?.url ?? "");
  const [types, setTypes] = useState<readonly OutboxType[]>(present?.eventTypes ?? OUTBOX_TYPES);
  const [error, setError] = useState<string | null>(null);
  const [fields, setFields] = useState<Readonly<Record<string, string>>>({});
  const [busy, setBusy] = useState(false);
  const refused = (problem: ApiProblem) => {
    setError(problem.detail);
    setFields(Object.fromEntries((problem.fields ?? []).map((one) => [one.path, one.sentence])));
  };
  const send = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setFields({});
    setError(null);
    const body = { name: name.trim(), url: address.trim(), eventTypes: types };
    if (method === "PATCH") {
      const said = await sendJson("PATCH", url, body);
      setBusy(false);
      if (said === null) done(null);
      else setError(said);
      return;
    }
    const answer = await postJson<MadeSecret>(url, body);
    setBusy(false);
    if (answer.kind === "ok") done(answer.data);
    else if (answer.kind === "refused") refused(answer.problem);
    else setError(LOST);
  };
  return (
    <form className={classes.form} onSubmit={(event) => void send(event)}>
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
        description="Begins with https:// and is reachable from outside"
        required
        maxLength={500}
        value={address}
        error={fields.url}
        onChange={(event) => setAddress(event.currentTarget.value)}
      />
      <Events types={types} choose={setTypes} error={fields.eventTypes} />
      <p role="alert">{error}</p>
      <div className={classes.actions}>
        <Button type="submit" loading={busy}>
          {action}
        </Button>
        <Button variant="default" onClick={cancel}>
          Leave it
        </Button>
      </div>
    </form>
  );
}

interface EventsProps {
  readonly types: readonly OutboxType[];
  readonly error: string | undefined;
  choose(types: readonly OutboxType[]): void;
}

function Events({ types, choose, error }: EventsProps) {
  return (
    <Checkbox.Group
      label="Told of"
      value={[...types]}
      error={error}
      onChange={(values) => choose(OUTBOX_TYPES.filter((type) => values.includes(type)))}
    >
      {OUTBOX_TYPES.map((type) => (
        <Checkbox key={type} value={type} label={OUTBOX_TYPE_WORDS[type]} mt={6} />
      ))}
    </Checkbox.Group>
  );
}
