"use client";

import { Button, CopyButton } from "@mantine/core";
import { Fact } from "@/components/fact";
import classes from "./notifications.module.css";

interface SecretOnceProps {
  readonly secret: string;
  hide(): void;
}

/** The secret of a new webhook, this once: it is nowhere to be read again. */
export function SecretOnce({ secret, hide }: SecretOnceProps) {
  return (
    <Fact
      actions={
        <>
          <CopyButton value={secret}>
            {({ copied, copy }) => (
              <Button size="xs" variant="default" onClick={copy}>
                {copied ? "Copied" : "Copy secret"}
              </Button>
            )}
          </CopyButton>
          <Button size="xs" variant="default" onClick={hide}>
            I have stored it
          </Button>
        </>
      }
    >
      <p>This secret signs what the webhook gets. It is shown this once.</p>
      <div className={classes.secret}>{secret}</div>
    </Fact>
  );
}
