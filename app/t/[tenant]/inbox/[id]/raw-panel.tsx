"use client";

import { Button } from "@mantine/core";
import { type FormEvent, useEffect, useState } from "react";
import classes from "@/app/t/[tenant]/inbox/inbox.module.css";
import { postJson } from "@/components/api-call";
import { Hash } from "@/components/hash";
import panels from "@/components/panel.module.css";
import { ReasonField } from "@/components/reason-field";
import { TimeWithZone } from "@/components/time-with-zone";
import { reasonProblem } from "@/lib/domain/reason-text";
import type { InboxEventPage } from "@/lib/queries/inbox-event-page";

interface RawPanelProps {
  readonly tenant: string;
  readonly event: InboxEventPage;
  readonly permitted: boolean;
  again(): void;
}

interface RawBody {
  readonly encoding: "utf8" | "base64";
  readonly body: string;
}

/** A raw body hides itself again after this time. */
const SHOWN_MS = 60_000;

/** The raw body: sealed, and shown for a minute after a reason; each time becomes an entry (IN-8, PV-3). */
export function RawPanel({ tenant, event, permitted, again }: RawPanelProps) {
  const { raw, receivedAt } = event;
  const [shown, setShown] = useState<RawBody | null>(null);
  useEffect(() => {
    if (shown === null) return;
    const timer = setTimeout(() => setShown(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  return (
    <section className={panels.panel} aria-label="Raw body">
      <h2 className={panels.heading}>Raw body</h2>
      <dl className={panels.pairs}>
        <dt>Digest</dt>
        <dd>
          <Hash value={raw.digest} kind="body" />
        </dd>
        <dt>Encrypted since</dt>
        <dd>
          <TimeWithZone instant={receivedAt} kind="moment" form="one" />
        </dd>
        <dt>{raw.isKept ? "Is deleted" : "Deleted"}</dt>
        <dd>
          <TimeWithZone instant={raw.deletedAt} kind="moment" form="one" />
        </dd>
      </dl>
      {shown === null ? (
        <Hidden
          url={`/api/v1/t/${tenant}/inbox/${event.id}/raw-reveals`}
          isKept={raw.isKept}
          permitted={permitted}
          show={(body) => {
            setShown(body);
            again();
          }}
        />
      ) : (
        <>
          {shown.encoding === "base64" ? <p>Not text; in base64.</p> : null}
          <pre className={classes.body}>{shown.body}</pre>
          <Button variant="default" size="xs" mt={8} onClick={() => setShown(null)}>
            Hide raw body
          </Button>
        </>
      )}
    </section>
  );
}

interface HiddenProps {
  readonly url: string;
  readonly isKept: boolean;
  readonly permitted: boolean;
  show(body: RawBody): void;
}

function Hidden({ url, isKept, permitted, show }: HiddenProps) {
  const [asking, setAsking] = useState(false);
  const [reason, setReason] = useState("");
  const [error, setError] = useState<string | null>(null);
  if (!isKept) return <p>Its retention has ended. The digest stays.</p>;
  if (!permitted) return <p>Your role sees no raw bodies.</p>;
  if (!asking) {
    return (
      <Button variant="default" size="xs" mt={8} onClick={() => setAsking(true)}>
        Show raw body
      </Button>
    );
  }
  const ask = async (submitted: FormEvent) => {
    submitted.preventDefault();
    const problem = reasonProblem(reason, { min: 1 });
    setError(problem);
    if (problem !== null) return;
    const answer = await postJson<RawBody>(url, { reason });
    if (answer.kind === "ok") show(answer.data);
    else setError(answer.kind === "refused" ? answer.problem.detail : "We did not hear back.");
  };
  return (
    <form noValidate className={classes.form} onSubmit={(submitted) => void ask(submitted)}>
      <ReasonField
        label="Why the raw body is shown"
        value={reason}
        onChange={setReason}
        error={error}
      />
      <div className={classes.actions}>
        <Button size="xs" type="submit">
          Show raw body for 60 s
        </Button>
        <Button size="xs" variant="default" onClick={() => setAsking(false)}>
          Keep hidden
        </Button>
      </div>
    </form>
  );
}
