"use client";

import { Button, CopyButton } from "@mantine/core";
import { Fact } from "@/components/fact";
import classes from "./members.module.css";

export interface NewAccount {
  readonly login: string;
  readonly startingPassword: string;
}

/** The password of an account that was made now, this once: it is nowhere to be read again. */
export function PasswordOnce({ made, hide }: { readonly made: NewAccount; hide(): void }) {
  const { login, startingPassword } = made;
  return (
    <Fact
      actions={
        <>
          <CopyButton value={startingPassword}>
            {({ copied, copy }) => (
              <Button size="xs" variant="default" onClick={copy}>
                {copied ? "Copied" : "Copy password"}
              </Button>
            )}
          </CopyButton>
          <Button size="xs" variant="default" onClick={hide}>
            I have handed it over
          </Button>
        </>
      }
    >
      <p>
        A new account was made for {login}. Its password is shown this once and ends in 72 hours
        unless its owner changes it under "Your settings".
      </p>
      <div className={classes.secret}>{startingPassword}</div>
    </Fact>
  );
}
