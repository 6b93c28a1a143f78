"use client";

import { Button } from "@mantine/core";
import { useState } from "react";
import classes from "@/app/t/[tenant]/outbox/outbox.module.css";
import { getJson } from "@/components/api-call";
import panels from "@/components/panel.module.css";
import type { DeliveryPage } from "@/lib/queries/delivery-page";

interface BodyPanelProps {
  readonly tenant: string;
  readonly delivery: DeliveryPage["delivery"];
  readonly permitted: boolean;
}

/** What goes out: the headers that name it, and the body once it is asked for. */
export function BodyPanel({ tenant, delivery, permitted }: BodyPanelProps) {
  const [body, setBody] = useState<string | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  const show = async () => {
    const url = `/api/v1/t/${tenant}/outbox/${delivery.id}/body`;
    const answer = await getJson<{ body: string }>(url);
    if (answer.kind === "ok") setBody(answer.data.body);
    else setSaid(answer.kind === "refused" ? answer.problem.detail : "We did not hear back.");
  };
  return (
    <section className={panels.panel} aria-labelledby="message">
      <h2 className={panels.heading} id="message">
        Message
      </h2>
      <dl className={panels.pairs}>
        <dt>webhook-id</dt>
        <dd className={classes.mono}>{delivery.messageId}</dd>
        <dt>content-type</dt>
        <dd className={classes.mono}>application/json</dd>
        <dt>webhook-signature</dt>
        <dd>made anew for every try, over id, time and body</dd>
      </dl>
      <Body
        body={body}
        released={delivery.releasedAt !== null}
        permitted={permitted}
        show={() => void show()}
        hide={() => setBody(null)}
      />
      <p role="status">{said}</p>
    </section>
  );
}

interface BodyProps {
  readonly body: string | null;
  readonly released: boolean;
  readonly permitted: boolean;
  show(): void;
  hide(): void;
}

function Body({ body, released, permitted, show, hide }: BodyProps) {
  if (!permitted) return <p>Your role sees no bodies.</p>;
  if (!released) return <p>The body is made when the event is released.</p>;
  if (body === null) {
    return (
      <Button variant="default" size="xs" mt={8} onClick={show}>
        Show body
      </Button>
    );
  }
  return (
    <>
      <pre className={classes.body}>{body}</pre>
      <Button variant="default" size="xs" mt={8} onClick={hide}>
        Hide body
      </Button>
    </>
  );
}
