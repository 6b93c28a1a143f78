"use client";

import { Button, NativeSelect, TextInput } from "@mantine/core";
import { type FormEvent, useRef, useState } from "react";
import classes from "@/app/t/[tenant]/privacy/privacy.module.css";
import { type ApiProblem, postJson } from "@/components/api-call";
import { freshId } from "@/components/fresh-id";
import { ReasonField } from "@/components/reason-field";
import { reasonProblem } from "@/lib/domain/reason-text";
import type { HoldScope } from "@/lib/domain/retention";

interface SetHoldProps {
  /** Of the holds in the API. */
  readonly url: string;
  heard(words: string): void;
}

/** Keeps everything of one request or one person until the hold is lifted. */
export function SetHold({ url, heard }: SetHoldProps) {
  const [scope, setScope] = useState<HoldScope>("request");
  const [about, setAbout] = useState("");
  const [reason, setReason] = useState("");
  const [error, setError] = useState<Problems>({});
  const [busy, setBusy] = useState(false);
  // One key per form, so that a second press is the same request (API-1).
  const key = useRef<string | null>(null);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    const found = problemsOf(about, reason);
    setError(found);
    if (found.about || found.reason) return;
    key.current ??= freshId();
    setBusy(true);
    const answer = await postJson(url, { scope, about: about.trim(), reason }, key.current);
    setBusy(false);
    if (answer.kind === "lost") return setError({ about: "We did not hear back. Send it again." });
    key.current = null;
    if (answer.kind === "refused") return setError({ about: sentenceOf(answer.problem) });
    setAbout("");
    setReason("");
    heard(`A hold on ${about.trim()} stands.`);
  };
  return (
    <form
      className={`${classes.form} ${classes.apart}`}
      aria-label="Set a hold"
      onSubmit={(event) => void send(event)}
      noValidate
    >
      <NativeSelect
        label="Hold"
        value={scope}
        data={[
          { value: "request", label: "all of one request" },
          { value: "subject", label: "all requests of one person" },
        ]}
        onChange={(event) => setScope(event.currentTarget.value as HoldScope)}
      />
      <TextInput
        label={scope === "request" ? "Request" : "Subject"}
        value={about}
        autoComplete="off"
        spellCheck={false}
        required
        error={error.about}
        onChange={(event) => setAbout(event.currentTarget.value)}
      />
      <ReasonField
        label="Reason of the hold"
        value={reason}
        onChange={setReason}
        error={error.reason ?? null}
      />
      <div>
        <Button type="submit" variant="default" loading={busy}>
          Set hold
        </Button>
      </div>
    </form>
  );
}

interface Problems {
  readonly about?: string;
  readonly reason?: string | null;
}

function problemsOf(about: string, reason: string): Problems {
  const missing = about.trim() === "";
  return {
    ...(missing ? { about: "Enter the reference." } : {}),
    reason: reasonProblem(reason, { min: 1 }),
  };
}

function sentenceOf({ fields, detail }: ApiProblem): string {
  return fields?.find(({ path }) => path === "about")?.sentence ?? detail;
}
