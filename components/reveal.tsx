"use client";

import { Button, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { formatDay } from "@/lib/domain/deadline";
import { postJson } from "./api-call";
import { freshId } from "./fresh-id";
import classes from "./reveal.module.css";

interface RevealProps {
  readonly tenant: string;
  readonly subjectRef: string;
  readonly erasedAt: string | null;
  readonly permitted: boolean;
  /** True where the role has to say why. */
  readonly asksReason: boolean;
}

/** A revealed contact hides itself again after this time. */
const SHOWN_MS = 60_000;

interface Contact {
  readonly name: string;
  readonly email: string;
}

/** Shows one contact for a minute, after a reason; each time becomes an entry of the vault's log (PV-3). */
export function Reveal({ tenant, subjectRef, erasedAt, permitted, asksReason }: RevealProps) {
  const [asking, setAsking] = useState(false);
  const [reason, setReason] = useState("");
  const [contact, setContact] = useState<Contact | null>(null);
  const [said, setSaid] = useState("");
  useEffect(() => {
    if (contact === null) return;
    const timer = setTimeout(() => setContact(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [contact]);
  if (erasedAt !== null) return <span>Erased {formatDay(erasedAt.slice(0, 10))}</span>;
  if (!permitted) return <span>hidden</span>;
  const ask = async () => {
    const url = `/api/v1/t/${tenant}/subjects/${subjectRef}/reveals`;
    const answer = await postJson<{ contact: Contact }>(
      url,
      reason === "" ? {} : { reason },
      freshId(),
    );
    if (answer.kind !== "ok") {
      return setSaid(answer.kind === "refused" ? answer.problem.detail : "We did not hear back.");
    }
    setAsking(false);
    setReason("");
    setSaid("");
    setContact(answer.data.contact);
  };
  return (
    <span className={classes.reveal}>
      {contact === null ? null : (
        <span role="status">
          {contact.name} · {contact.email}{" "}
          <Button size="compact-xs" variant="default" onClick={() => setContact(null)}>
            Hide {subjectRef}
          </Button>
        </span>
      )}
      {contact === null && !asking ? (
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => (asksReason ? setAsking(true) : void ask())}
        >
          Reveal {subjectRef}
        </Button>
      ) : null}
      {asking ? (
        <form
          className={classes.form}
          onSubmit={(event) => {
            event.preventDefault();
            void ask();
          }}
        >
          <TextInput
            size="xs"
            label={`Why ${subjectRef} is revealed`}
            description="Recorded with your account."
            required
            data-autofocus
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <Button size="xs" type="submit">
            Reveal for 60 s
          </Button>
          <Button size="xs" variant="default" onClick={() => setAsking(false)}>
            Keep hidden
          </Button>
        </form>
      ) : null}
      {said === "" ? null : <span role="alert">{said}</span>}
    </span>
  );
}
