"use client";

import { Button, NativeSelect, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { postJson } from "@/components/api-call";
import panels from "@/components/panel.module.css";
import { ROLE_LABELS, ROLES, type Role } from "@/lib/domain/role";
import classes from "./members.module.css";
import type { NewAccount } from "./password-once";

interface AddMemberProps {
  /** Of the members in the API. */
  readonly url: string;
  /** Told what came of it, with an account that was made for it. */
  done(words: string, account: NewAccount | null): void;
}

interface Added {
  readonly startingPassword: string | null;
}

/** Makes somebody a member by what the person signs in with. */
export function AddMember({ url, done }: AddMemberProps) {
  const [login, setLogin] = useState("");
  const [role, setRole] = useState<Role>("account_manager");
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (login.trim().length < 3) return setError("Enter what the person signs in with.");
    setError(null);
    setBusy(true);
    const answer = await postJson<Added>(url, { login: login.trim(), role });
    setBusy(false);
    if (answer.kind === "refused") return setError(answer.problem.detail);
    if (answer.kind === "lost") {
      return done("We did not hear back. The list shows who is a member.", null);
    }
    const { startingPassword } = answer.data;
    done(
      `Added as ${ROLE_LABELS[role]}.`,
      startingPassword === null ? null : { login: login.trim(), startingPassword },
    );
    setLogin("");
  };
  return (
    <section className={panels.panel} aria-labelledby="add-member">
      <h2 id="add-member" className={panels.heading}>
        Add a member
      </h2>
      <form className={classes.form} onSubmit={(event) => void send(event)} noValidate>
        <TextInput
          label="Signs in as"
          description="The address at your identity provider, or the login of a local account."
          value={login}
          autoComplete="off"
          spellCheck={false}
          required
          error={error}
          onChange={(event) => setLogin(event.currentTarget.value)}
        />
        <NativeSelect
          label="Role"
          value={role}
          data={ROLES.map((value) => ({ value, label: ROLE_LABELS[value] }))}
          onChange={(event) => setRole(event.currentTarget.value as Role)}
        />
        <div>
          <Button type="submit" loading={busy}>
            Add as {ROLE_LABELS[role]}
          </Button>
        </div>
      </form>
    </section>
  );
}
