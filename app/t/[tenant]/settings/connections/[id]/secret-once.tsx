"use client";

import { Button, CopyButton } from "@mantine/core";
import classes from "@/app/t/[tenant]/settings/connections/connections.module.css";
import { Fact } from "@/components/fact";
import { InlineMoment } from "@/components/inline-moment";

export interface MadeSecret {
  readonly keyId: string;
  readonly secret: string;
  readonly previousUntil: string | null;
}

/** A fresh secret, this once: it is nowhere to be read again. */
export function SecretOnce({ made, hide }: { readonly made: MadeSecret; hide(): void }) {
  const { keyId, secret, previousUntil } = made;
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
      <p>Secret {keyId}. It is shown this once; set it at the platform, for this address.</p>
      <div className={classes.secret}>{secret}</div>
      {previousUntil === null ? null : (
        <p>
          The one before is accepted along until <InlineMoment instant={previousUntil} />.
        </p>
      )}
    </Fact>
  );
}
