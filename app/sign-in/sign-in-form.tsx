"use client";

import { Alert, Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { signIn } from "next-auth/react";
import { type FormEvent, useRef, useState } from "react";

/** One sentence for every cause, so that nobody learns which accounts exist (PV-6). */
const REFUSED = "That did not work. Check address and password.";
const NO_ANSWER = "We did not hear back. Check your connection and sign in again.";

/** `target` is the path to go to afterwards. */
export function SignInForm({ target }: { readonly target: string }) {
  const [trouble, setTrouble] = useState<string | null>(null);
  const [asking, setAsking] = useState(false);
  const password = useRef<HTMLInputElement>(null);

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setAsking(true);
    const failure = await tryToSignIn(String(form.get("login")), String(form.get("password")));
    if (failure === null) {
      // A whole load, so that every part of the next page is asked with the new session.
      window.location.assign(target);
      return;
    }
    setTrouble(failure);
    setAsking(false);
    password.current?.select();
  }

  return (
    // method="post" keeps the password out of the address if the script has not arrived yet.
    <form method="post" onSubmit={(event) => void submit(event)}>
      <Stack gap="md">
        {trouble === null ? null : (
          <Alert role="alert" color="red" variant="outline">
            {trouble}
          </Alert>
        )}
        <TextInput
          name="login"
          label="Address"
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          size="md"
        />
        <PasswordInput
          ref={password}
          name="password"
          label="Password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          size="md"
          visibilityToggleButtonProps={{ "aria-label": "Show or hide what is typed" }}
        />
        <Button type="submit" loading={asking} size="md">
          Sign in
        </Button>
      </Stack>
    </form>
  );
}

/** Null when signed in, else the sentence to show. */
async function tryToSignIn(login: string, password: string): Promise<string | null> {
  try {
    const result = await signIn("credentials", { login, password, redirect: false });
    if (result?.ok && !result.error) return null;
    const seconds = /^too_many_tries:(\d+)$/.exec(result?.error ?? "")?.[1];
    return seconds ? `Too many tries. Again in ${seconds} s.` : REFUSED;
  } catch {
    // No answer, or none that can be read: the person may simply try again.
    return NO_ANSWER;
  }
}
