"use client";

import Link from "next/link";
import { Fragment, type ReactNode } from "react";
import classes from "@/app/t/[tenant]/inbox/inbox.module.css";
import { InlineMoment } from "@/components/inline-moment";
import panels from "@/components/panel.module.css";
import { personWords } from "@/components/person-words";
import { TimeWithZone } from "@/components/time-with-zone";
import { formatDuration } from "@/lib/domain/deadline";
import { APPLY_ATTEMPTS_MAX } from "@/lib/domain/inbox";
import { effectSentences, INBOX_WORDS, replayWords } from "@/lib/domain/inbox-words";
import { reasonSentence } from "@/lib/domain/reason-sentence";
import { ownerWords } from "@/lib/domain/waiting";
import type { InboxEventPage } from "@/lib/queries/inbox-event-page";

interface PanelProps {
  readonly tenant: string;
  readonly event: InboxEventPage;
}

function Panel({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={panels.panel} aria-label={title}>
      <h2 className={panels.heading}>{title}</h2>
      {children}
    </section>
  );
}

/** What the event changed, what it waits for, and who has to look. */
export function OutcomePanel({ tenant, event }: PanelProps) {
  const { effects, outcome, appliedAt, tries, reviews, zone } = event;
  const sentences = effectSentences(effects);
  return (
    <Panel title="What came of it">
      <p>{INBOX_WORDS[outcome].sentence}</p>
      {sentences.length === 0 ? null : (
        <ul className={classes.effects}>
          {sentences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      <dl className={panels.pairs}>
        {appliedAt === null ? null : (
          <>
            <dt>Applied</dt>
            <dd>
              <TimeWithZone instant={appliedAt} kind="moment" zone={zone} form="one" />
            </dd>
          </>
        )}
        {tries.failed === 0 ? null : (
          <>
            <dt>Failed tries</dt>
            <dd>
              {tries.failed} of {APPLY_ATTEMPTS_MAX}
              {tries.lastError === null ? null : (
                <>
                  , last <code>{tries.lastError}</code>
                </>
              )}
              {outcome === "received" ? (
                <>
                  , next <InlineMoment instant={tries.nextAt} />
                </>
              ) : null}
            </dd>
          </>
        )}
        {reviews.map(({ id, reason, owner }) => (
          <Fragment key={id}>
            <dt>In review</dt>
            <dd>
              <Link href={`/t/${tenant}/reviews/${id}`}>{reasonSentence(reason, {})}</Link>{" "}
              {ownerWords(owner)} decides.
            </dd>
          </Fragment>
        ))}
      </dl>
    </Panel>
  );
}

const IDENTITY_WORDS: Record<InboxEventPage["identity"]["kind"], string> = {
  event_id: "id of the event",
  delivery_id: "id of the delivery, hashed",
  made: "made from account, object, event, state and time: weaker",
  bytes: "digest of the bytes: weaker",
  seen: "the state that a poll read",
};

/** How it came: signature, identity, copies. */
export function DeliveryPanel({ tenant, event }: PanelProps) {
  const { connection, connectionId, requestRef, receivedAt, identity, copies, zone } = event;
  const path = `/t/${tenant}`;
  return (
    <Panel title="Delivery">
      <dl className={panels.pairs}>
        <dt>Received</dt>
        <dd>
          <TimeWithZone instant={receivedAt} kind="moment" zone={zone} form="one" />
        </dd>
        <dt>Connection</dt>
        <dd>
          <Link href={`${path}/settings/connections/${connectionId}`}>{connection}</Link>
        </dd>
        <dt>Request</dt>
        <dd>
          {requestRef === null ? (
            "none that we know"
          ) : (
            <Link href={`${path}/requests/${requestRef}`}>{requestRef}</Link>
          )}
        </dd>
        <Signature event={event} />
        <dt>Identity</dt>
        <dd>
          <span className={classes.mono}>{identity.value}</span> ({IDENTITY_WORDS[identity.kind]})
          {identity.isWeaker ? ". It changes nothing by itself; a read decides." : null}
        </dd>
        <dt>Deliveries</dt>
        <dd>
          {copies === 1 ? "1" : `${copies}, all but the first only counted`}
          {event.lastCopyAt === null ? null : (
            <>
              , the last <InlineMoment instant={event.lastCopyAt} />
            </>
          )}
        </dd>
      </dl>
    </Panel>
  );
}

/** Seconds by which a signed time may differ from that of the receipt (IN-1). */
const TOLERANCE_S = 300;

function Signature({ event }: { readonly event: InboxEventPage }) {
  const { source, signature } = event;
  if (source === "poll") {
    return (
      <>
        <dt>Signature</dt>
        <dd>none: our own read of the platform</dd>
      </>
    );
  }
  const { keyId, ageSeconds } = signature;
  return (
    <>
      <dt>Signature</dt>
      <dd>
        fits secret <span className={classes.mono}>{keyId}</span>
        {ageSeconds === null ? null : `, signed ${ageWords(ageSeconds)}`} (tolerance {TOLERANCE_S}{" "}
        s)
      </dd>
    </>
  );
}

function ageWords(seconds: number): string {
  const span = formatDuration(Math.abs(seconds) * 1000);
  if (Math.abs(seconds) < 1) return "in the same second";
  return seconds < 0 ? `${span} after our receipt by its own clock` : `${span} before receipt`;
}

/** Replays and looks at the raw body, the newest first. */
export function ActsPanel({ acts }: Pick<InboxEventPage, "acts">) {
  return (
    <Panel title="What people did">
      {acts.length === 0 ? <p>Nothing yet.</p> : null}
      <dl className={panels.pairs}>
        {acts.map(({ id, at, act, result, by }) => (
          <Fragment key={id}>
            <dt>
              <TimeWithZone instant={at} kind="moment" form="one" />
            </dt>
            <dd>
              {act === "raw_shown"
                ? "Raw body shown; the reason is on record."
                : `Replayed: ${replayWords(result)}.`}{" "}
              By {by === null ? "somebody" : personWords(by)}.
            </dd>
          </Fragment>
        ))}
      </dl>
    </Panel>
  );
}
