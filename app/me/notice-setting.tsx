"use client";

import { Button, Group } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { type ApiAnswer, postJson, putJson } from "@/components/api-call";
import { useLive } from "@/components/frame/live";
import { formatMoment } from "@/lib/domain/deadline";
import type { MyNotices } from "@/lib/queries/my-notices";
import classes from "./me.module.css";
import { type NoticeDraft, NoticeFields } from "./notice-fields";

interface NoticeSettingProps {
  readonly initial: MyNotices;
  readonly login: string;
  readonly zone: string;
}

const API = "/api/v1/me/notifications";
const LOST = "We did not hear back. Reload to see what was saved.";

/** By which ways this person is told, when not, and whether the ways work. */
export function NoticeSetting({ initial, login, zone }: NoticeSettingProps) {
  const live = useLive<MyNotices>(["me", "notifications"], API, initial);
  const [draft, setDraft] = useState<NoticeDraft>(draftOf(initial));
  const [said, setSaid] = useState("");
  const [fields, setFields] = useState<Readonly<Record<string, string>>>({});
  const heard = (answer: ApiAnswer<unknown>, words: string) => {
    const problem = answer.kind === "refused" ? answer.problem : null;
    setFields(Object.fromEntries((problem?.fields ?? []).map((one) => [one.path, one.sentence])));
    setSaid(answer.kind === "ok" ? words : (problem?.detail ?? LOST));
    live.again();
  };
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const answer = await putJson(API, wishOf(draft));
    if (answer.kind === "ok") setDraft({ ...draft, chatUrl: "" });
    heard(answer, "Saved.");
  };
  const test = async () => heard(await postJson(`${API}/tests`, {}), "A test is on its way.");
  return (
    <form className={classes.form} onSubmit={(event) => void save(event)}>
      {live.data.mailIsOn ? null : (
        <p className={classes.note}>
          Mail is off: this installation has no mail server. Only chats and webhooks are told.
        </p>
      )}
      <NoticeFields
        draft={draft}
        change={(changes) => setDraft({ ...draft, ...changes })}
        fields={fields}
        login={login}
        zone={zone}
        chatHost={live.data.chatHost}
      />
      <Group gap="xs">
        <Button type="submit">Save notifications</Button>
        <Button variant="default" onClick={() => void test()}>
          Send a test
        </Button>
      </Group>
      <span role="status">{said}</span>
      <LastTest tests={live.data.lastTest} />
    </form>
  );
}

function draftOf({ mail, mailTo, chat, quiet }: MyNotices): NoticeDraft {
  return {
    mail,
    mailTo: mailTo ?? "",
    chat,
    chatUrl: "",
    quiet: quiet !== null,
    from: quiet?.from ?? "22:00",
    until: quiet?.until ?? "07:00",
  };
}

function wishOf({ mail, mailTo, chat, chatUrl, quiet, from, until }: NoticeDraft) {
  return {
    mail,
    mailTo: mailTo.trim() === "" ? null : mailTo.trim(),
    chat,
    ...(chatUrl.trim() === "" ? {} : { chatUrl: chatUrl.trim() }),
    quiet: quiet ? { from, until } : null,
  };
}

const WAYS = { mail: "E-mail", chat: "Chat" } as const;

function LastTest({ tests }: { readonly tests: MyNotices["lastTest"] }) {
  if (tests.length === 0) return null;
  return (
    <ul className={classes.sessions} aria-label="Last test">
      {tests.map(({ channel, state, at, words }) => (
        <li key={channel}>
          <span>
            {WAYS[channel]}: {state === "delivered" ? "taken" : (words ?? "on its way")}
            {state === "retrying" ? ", tried again" : ""}
          </span>
          <span className={classes.mono}>{formatMoment(at)}</span>
        </li>
      ))}
    </ul>
  );
}
