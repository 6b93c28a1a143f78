"use client";

import { Alert, Button, Divider, PasswordInput, Stack, TextInput } from "@mantine/core";
import { signIn } from "next-auth/react";
import { type FormEvent, useRef, useState } from "react";

/** One sentence for every cause, so that nobody learns which accounts exist (PV-6). */
const REFUSED = "That did not work. Check address and password.";
const NO_ANSWER = "We did not hear back. Check your connection and sign in again.";

/** For whom the provider knows and we do not, or do not any more; says no more than the other sentence. */
const NOT_LET_IN = "That did not work. Ask an admin whether your account is open here.";

interface SignInFormProps {
  /** The path to go to afterwards. */
  readonly target: string;
  /** What the configured provider of identities is called; null without one. */
  readonly provider: string | null;
  /** True when the provider's sign-in came back without a session. */
  readonly refused: boolean;
}

export function SignInForm({ target, provider, refused }: SignInFormProps) {
  const [trouble, setTrouble] = useState<string | null>(refused ? NOT_LET_IN : null);
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
        {provider === null ? null : <ProviderButton name={provider} target={target} />}
      </Stack>
    </form>
  );
}

function ProviderButton({ name, target }: { readonly name: string; readonly target: string }) {
  const [leaving, setLeaving] = useState(false);
  return (
    <>
      <Divider label="or" labelPosition="center" />
      <Button
        variant="default"
        size="md"
        loading={leaving}
        onClick={() => {
          setLeaving(true);
          void signIn("oidc", { callbackUrl: target });
        }}
      >
        Sign in with {name}
      </Button>
    </>
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
