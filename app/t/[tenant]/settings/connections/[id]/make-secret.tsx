"use client";

import { Button, NativeSelect } from "@mantine/core";
import { useState } from "react";
import { postJson } from "@/components/api-call";
import { ConfirmConsequence } from "@/components/confirm-consequence";
import { OVERLAP_HOURS, OVERLAP_WORDS } from "@/lib/domain/connection-acts";
import type { SecretFacts } from "@/lib/queries/connections-page";
import type { MadeSecret } from "./secret-once";

interface MakeSecretProps {
  /** Of the connection. */
  readonly name: string;
  readonly secrets: readonly SecretFacts[];
  /** Two are active: one has to go first. */
  readonly full: boolean;
  readonly url: string;
  /** Is given the answer; undefined when we did not hear back. */
  done(answer: MadeSecret | undefined): void;
}

/** Makes a new secret; the present one gets an end that the admin chooses. */
export function MakeSecret({ name, secrets, full, url, done }: MakeSecretProps) {
  const [opened, setOpened] = useState(false);
  const [hours, setHours] = useState("24");
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [present] = secrets;
  if (full) return <span>Two secrets are active. Remove one before you make another.</span>;
  const make = async () => {
    setBusy(true);
    const shownKeyIds = secrets.map(({ keyId }) => keyId);
    const answer = await postJson<MadeSecret>(url, { shownKeyIds, overlapHours: Number(hours) });
    setBusy(false);
    if (answer.kind === "refused") return setError(answer.problem.detail);
    setOpened(false);
    done(answer.kind === "ok" ? answer.data : undefined);
  };
  return (
    <>
      <Button
        variant="default"
        onClick={() => {
          setError(null);
          setOpened(true);
        }}
      >
        Make new secret
      </Button>
      <ConfirmConsequence
        opened={opened}
        onClose={() => setOpened(false)}
        question={`Make a new secret for deliveries of ${name}?`}
        action="Make new secret"
        keep="Keep the secrets"
        busy={busy}
        onConfirm={() => void make()}
      >
        {present === undefined ? (
          <p>It is the only one. Deliveries are accepted once the platform signs with it.</p>
        ) : (
          <>
            <p>
              {present.keyId} is accepted along, so that the platform can change over without a lost
              delivery, and then stops by itself.
            </p>
            <NativeSelect
              label={`How long ${present.keyId} is accepted along`}
              value={hours}
              data={OVERLAP_HOURS.map((each) => ({
                value: String(each),
                label: OVERLAP_WORDS[each],
              }))}
              onChange={(event) => setHours(event.currentTarget.value)}
            />
          </>
        )}
        <p role="alert">{error}</p>
      </ConfirmConsequence>
    </>
  );
}
