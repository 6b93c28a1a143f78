"use client";

import { Group, Switch, TextInput } from "@mantine/core";

/** The form as it stands on screen. */
export interface NoticeDraft {
  readonly mail: boolean;
  readonly mailTo: string;
  readonly chat: boolean;
  readonly chatUrl: string;
  readonly quiet: boolean;
  readonly from: string;
  readonly until: string;
}

interface NoticeFieldsProps {
  readonly draft: NoticeDraft;
  readonly fields: Readonly<Record<string, string>>;
  readonly login: string;
  readonly zone: string;
  readonly chatHost: string | null;
  change(changes: Partial<NoticeDraft>): void;
}

/** Ways and quiet hours. */
export function NoticeFields(props: NoticeFieldsProps) {
  const { draft, fields, login, chatHost, change } = props;
  return (
    <>
      <Switch
        label="E-mail"
        checked={draft.mail}
        onChange={(event) => change({ mail: event.currentTarget.checked })}
      />
      <TextInput
        label="Another address"
        description={`Left empty, mail goes to ${login}.`}
        type="email"
        value={draft.mailTo}
        error={fields.mailTo}
        onChange={(event) => change({ mailTo: event.currentTarget.value })}
      />
      <Switch
        label="Chat"
        description="By an incoming webhook of your own, as Slack and others give them."
        checked={draft.chat}
        onChange={(event) => change({ chat: event.currentTarget.checked })}
      />
      <TextInput
        label="Address of the incoming webhook"
        description={
          chatHost === null
            ? "It is kept sealed and not shown again."
            : `One at ${chatHost} is saved. Left empty, it stays.`
        }
        value={draft.chatUrl}
        error={fields.chatUrl}
        onChange={(event) => change({ chatUrl: event.currentTarget.value })}
      />
      <QuietFields {...props} />
    </>
  );
}

function QuietFields({ draft, fields, zone, change }: NoticeFieldsProps) {
  return (
    <>
      <Switch
        label="Quiet hours"
        description={`In your zone, ${zone}. Escalations still reach you.`}
        checked={draft.quiet}
        onChange={(event) => change({ quiet: event.currentTarget.checked })}
      />
      {draft.quiet ? (
        <Group gap="xs" align="flex-start">
          <TextInput
            label="From"
            type="time"
            required
            value={draft.from}
            error={fields["quiet.from"]}
            onChange={(event) => change({ from: event.currentTarget.value })}
          />
          <TextInput
            label="Until"
            type="time"
            required
            value={draft.until}
            error={fields["quiet.until"]}
            onChange={(event) => change({ until: event.currentTarget.value })}
          />
        </Group>
      ) : null}
    </>
  );
}
