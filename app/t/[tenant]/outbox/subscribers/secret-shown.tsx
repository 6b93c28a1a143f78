"use client";

import { Button, CopyButton } from "@mantine/core";
import classes from "@/app/t/[tenant]/outbox/outbox.module.css";
import { Fact } from "@/components/fact";
import type { MadeSecret } from "./subscriber-form";

interface SecretShownProps {
  readonly made: MadeSecret;
  hide(): void;
}

/** A fresh secret, this once: it is nowhere to be read again. */
export function SecretShown({ made, hide }: SecretShownProps) {
  return (
    <Fact
      actions={
        <>
          <CopyButton value={made.secret}>
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
      <p>
        Signing secret {made.secretId}. It is shown this once; give it to the receiver over a safe
        way.
      </p>
      <div className={classes.secret}>{made.secret}</div>
    </Fact>
  );
}
