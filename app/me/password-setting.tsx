"use client";

import { Button, PasswordInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { putJson } from "@/components/api-call";
import classes from "./me.module.css";

/** Replaces one's own password; an account that signs in through a provider has none here. */
export function PasswordSetting() {
  const [present, setPresent] = useState("");
  const [next, setNext] = useState("");
  const [said, setSaid] = useState("");
  const [busy, setBusy] = useState(false);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const answer = await putJson("/api/v1/me/password", { present, next });
    setBusy(false);
    if (answer.kind === "refused") return setSaid(answer.problem.detail);
    if (answer.kind === "lost") return setSaid("We did not hear back. Sign in to see which holds.");
    setPresent("");
    setNext("");
    setSaid("Your password is changed.");
  };
  return (
    <form className={classes.form} onSubmit={(event) => void send(event)}>
      <PasswordInput
        label="Present password"
        autoComplete="current-password"
        value={present}
        onChange={(event) => setPresent(event.currentTarget.value)}
      />
      <PasswordInput
        label="New password"
        description="At least 12 characters."
        autoComplete="new-password"
        value={next}
        onChange={(event) => setNext(event.currentTarget.value)}
      />
      <div>
        <Button type="submit" variant="default" loading={busy} disabled={!present || !next}>
          Change password
        </Button>
      </div>
      <span role="status">{said}</span>
    </form>
  );
}
