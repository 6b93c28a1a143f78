"use client";

import { Radio, Textarea, TextInput } from "@mantine/core";
import classes from "./send.module.css";
import type { SendDraft } from "./send-draft";

interface PartProps {
  readonly draft: SendDraft;
  errorOf(field: string): string | undefined;
  onChange(change: Partial<SendDraft>): void;
}

/** Who reminds: exactly one side (RM-1). */
export function RemindersPart({ draft, errorOf, onChange }: PartProps) {
  return (
    <section aria-labelledby="reminders-heading" className={classes.part}>
      <h2 id="reminders-heading">Reminders</h2>
      <Radio.Group
        aria-label="Who reminds"
        value={draft.owner}
        onChange={(owner) => onChange({ owner: owner as SendDraft["owner"] })}
      >
        <div className={classes.line}>
          <Radio value="application" label="This console reminds" />
          <Radio value="platform" label="The platform reminds" />
        </div>
      </Radio.Group>
      <TextInput
        id="interval"
        label="Days between reminders"
        description="Left empty, the policy for reminders says it."
        inputMode="numeric"
        className={classes.short}
        value={draft.intervalDays}
        error={errorOf("interval")}
        onChange={(event) => onChange({ intervalDays: event.currentTarget.value })}
      />
    </section>
  );
}

/** What signers read; both texts stand in the vault. */
export function MessagePart({ draft, errorOf, onChange }: PartProps) {
  return (
    <section aria-labelledby="message-heading" className={classes.part}>
      <h2 id="message-heading">Message</h2>
      <TextInput
        id="title"
        label="Title that signers see"
        required
        autoComplete="off"
        value={draft.title}
        error={errorOf("title")}
        onChange={(event) => onChange({ title: event.currentTarget.value })}
      />
      <Textarea
        id="message"
        label="Message to the signers"
        description="Optional. It stands in the vault."
        autosize
        minRows={2}
        maxRows={8}
        value={draft.message}
        error={errorOf("message")}
        onChange={(event) => onChange({ message: event.currentTarget.value })}
      />
    </section>
  );
}
