"use client";

import { Button, CopyButton } from "@mantine/core";
import { useState } from "react";
import { AskedAct } from "@/app/t/[tenant]/outbox/asked-act";
import classes from "@/app/t/[tenant]/settings/connections/connections.module.css";
import cards from "@/components/card-table.module.css";
import panels from "@/components/panel.module.css";
import { TimeAgo } from "@/components/time-ago";
import { TimeWithZone } from "@/components/time-with-zone";
import { WEBHOOK_SECRETS_MAX } from "@/lib/domain/connection-acts";
import { REFUSED_WORDS } from "@/lib/domain/inbox-words";
import type { ConnectionPage } from "@/lib/queries/connection-page";
import type { SecretFacts } from "@/lib/queries/connections-page";
import { MakeSecret } from "./make-secret";
import { type MadeSecret, SecretOnce } from "./secret-once";

interface DeliveriesPanelProps {
  readonly page: ConnectionPage;
  /** Of the connection in the API. */
  readonly url: string;
  /** Where the platform delivers. */
  readonly address: string;
  readonly maySave: boolean;
  again(): void;
}

const LOST = "We did not hear back. What is shown here is the present state.";

/** Where the platform delivers, and the secrets that its deliveries may be signed with. */
export function DeliveriesPanel({ page, url, address, maySave, again }: DeliveriesPanelProps) {
  const { secrets, name, lastDeliveryAt } = page.connection;
  const [made, setMade] = useState<MadeSecret | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  const heard = (words: string) => {
    setSaid(words);
    again();
  };
  return (
    <section className={panels.panel} aria-label="Deliveries">
      <h2 className={panels.heading}>Deliveries</h2>
      <dl className={panels.pairs}>
        <dt>Address</dt>
        <dd>
          <Address address={address} />
        </dd>
        <dt>Last one</dt>
        <dd>{lastDeliveryAt === null ? "never" : <TimeAgo instant={lastDeliveryAt} />}</dd>
        <dt>Refused in 24 h</dt>
        <dd>{refusedWords(page)}</dd>
      </dl>
      {made === null ? null : <SecretOnce made={made} hide={() => setMade(null)} />}
      {secrets.length === 0 ? (
        <p>No secret is active. Every delivery is refused until you make one.</p>
      ) : (
        <Secrets page={page} url={url} maySave={maySave} heard={heard} />
      )}
      {maySave ? (
        <div className={`${classes.actions} ${classes.apart}`}>
          <MakeSecret
            name={name}
            secrets={secrets}
            full={secrets.length >= WEBHOOK_SECRETS_MAX}
            url={`${url}/secrets`}
            done={(answer) => {
              if (answer) setMade(answer);
              heard(answer ? `Secret ${answer.keyId} is active.` : LOST);
            }}
          />
          <span role="status">{said}</span>
        </div>
      ) : null}
    </section>
  );
}

function Address({ address }: { readonly address: string }) {
  return (
    <>
      <span className={classes.mono}>{address}</span>{" "}
      <CopyButton value={address}>
        {({ copied, copy }) => (
          <Button size="compact-xs" variant="default" onClick={copy}>
            {copied ? "Copied" : "Copy address"}
          </Button>
        )}
      </CopyButton>
    </>
  );
}

function refusedWords({ refusals }: ConnectionPage): string {
  if (refusals.length === 0) return "none";
  return refusals.map(({ why, count }) => `${count} (${REFUSED_WORDS[why] ?? why})`).join(", ");
}

interface SecretsProps extends Pick<DeliveriesPanelProps, "page" | "url" | "maySave"> {
  heard(words: string): void;
}

function Secrets({ page, url, maySave, heard }: SecretsProps) {
  const { secrets } = page.connection;
  return (
    <div className={`${cards.scroll} ${classes.apart}`}>
      <table className={cards.table}>
        <caption>Active secrets</caption>
        <thead>
          <tr>
            <th scope="col">Secret</th>
            <th scope="col">Made</th>
            <th scope="col">Ends</th>
            <th scope="col" className={cards.number}>
              Signed in 24 h
            </th>
            {maySave ? <th scope="col">Remove</th> : null}
          </tr>
        </thead>
        <tbody>
          {secrets.map((secret) => (
            <Row
              key={secret.keyId}
              secret={secret}
              signed={page.signed[secret.keyId] ?? 0}
              other={secrets.find(({ keyId }) => keyId !== secret.keyId)?.keyId ?? null}
              {...{ url, maySave, heard }}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps extends Omit<SecretsProps, "page"> {
  readonly secret: SecretFacts;
  readonly signed: number;
  /** The other active secret; null where this is the only one. */
  readonly other: string | null;
}

function Row({ secret, signed, other, url, maySave, heard }: RowProps) {
  const { keyId, madeAt, until } = secret;
  return (
    <tr>
      <th scope="row">
        <span className={classes.mono}>{keyId}</span>
      </th>
      <td data-label="Made">
        {madeAt === null ? (
          "with the connection"
        ) : (
          <TimeWithZone instant={madeAt} kind="moment" form="one" />
        )}
      </td>
      <td data-label="Ends">
        {until === null ? "no end" : <TimeWithZone instant={until} kind="moment" form="one" />}
      </td>
      <td data-label="Signed in 24 h" className={cards.number}>
        {signed}
      </td>
      {maySave ? (
        <td data-label="Remove">
          <AskedAct
            button={`Remove ${keyId}`}
            question={`Remove secret ${keyId} now?`}
            consequence={`${consequenceOf(signed, other)} This acts at once and cannot be undone.`}
            keep="Keep it"
            danger
            url={`${url}/secret-ends`}
            body={{ keyId }}
            done={(answer) => heard(answer ? `Secret ${keyId} is removed.` : LOST)}
          />
        </td>
      ) : null}
    </tr>
  );
}

function consequenceOf(signed: number, other: string | null): string {
  const used = `${signed} events of the last 24 hours were signed with it.`;
  if (other === null) {
    return `${used} It is the only one: every delivery is refused until you make another.`;
  }
  return `${used} Deliveries that are still signed with it are refused. ${other} stays, without an end.`;
}
