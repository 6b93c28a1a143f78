"use client";

import Link from "next/link";
import cards from "@/components/card-table.module.css";
import { contactSentence } from "@/components/contact-words";
import { useNow } from "@/components/frame/live";
import panel from "@/components/panel.module.css";
import { StateBadge } from "@/components/state-badge";
import { TimeWithZone } from "@/components/time-with-zone";
import { formatMoment } from "@/lib/domain/deadline";
import type { OperationState } from "@/lib/domain/operation";
import { reasonSentence } from "@/lib/domain/reason-sentence";
import type { RequestOperation, RequestView } from "@/lib/queries/request-page";

interface RemindersTabProps {
  readonly tenant: string;
  readonly view: RequestView;
}

/** Who reminds, how often at most, what is planned and what became of it (RM-1, RM-2). */
export function RemindersTab({ tenant, view }: RemindersTabProps) {
  return (
    <>
      <Rule view={view} />
      <Plan tenant={tenant} view={view} />
    </>
  );
}

function Rule({ view }: { readonly view: RequestView }) {
  const now = useNow();
  const { reminderOwner, reminding, platformReminders, signers, zone } = view;
  const { minIntervalHours, everyDays, atTime, policyVersion, ownerSince } = reminding;
  const since = ownerSince === null ? "" : `, since ${formatMoment(ownerSince)}`;
  return (
    <dl className={panel.pairs}>
      <dt>owner of reminders</dt>
      <dd>
        {reminderOwner === "platform" ? "the platform" : "this console"}
        {since}
      </dd>
      <dt>the platform's own</dt>
      <dd>{OWN_WORDS[String(platformReminders)]}</dd>
      <dt>at least between two</dt>
      <dd>
        {minIntervalHours} h per signer, over all sources (policy remind v{policyVersion})
      </dd>
      <dt>planned</dt>
      <dd>
        {everyDays === null
          ? "none by the policy"
          : `every ${everyDays} ${everyDays === 1 ? "day" : "days"} at ${atTime} (${zone})`}
      </dd>
      {signers
        .filter(({ signed }) => !signed)
        .map((signer) => (
          <div key={signer.subjectRef} style={{ display: "contents" }}>
            <dt>subject {signer.subjectRef}</dt>
            <dd>{contactSentence(signer, now)}</dd>
          </div>
        ))}
    </dl>
  );
}

const OWN_WORDS: Readonly<Record<string, string>> = {
  true: "on",
  false: "off",
  null: "not shown by the platform",
};

/** Planned ones by their time, then what was sent or skipped, newest first. */
function Plan({ tenant, view }: RemindersTabProps) {
  const reminders = view.operations.filter(({ kind }) => kind === "remind");
  if (reminders.length === 0) return <p>No reminder is planned, and none was proposed.</p>;
  const ahead = reminders
    .filter(({ state }) => state === "scheduled")
    .sort((left, right) => left.dueAt.localeCompare(right.dueAt));
  const rest = reminders.filter(({ state }) => state !== "scheduled");
  return (
    <div className={cards.scroll}>
      <table className={cards.table}>
        <caption>Reminders of {view.ref}</caption>
        <thead>
          <tr>
            <th scope="col">Reminder</th>
            <th scope="col">State</th>
            <th scope="col">Due ({view.zone})</th>
            <th scope="col">Asked by</th>
            <th scope="col">Reason</th>
          </tr>
        </thead>
        <tbody>
          {[...ahead, ...rest].map((operation) => (
            <Row key={operation.opId} tenant={tenant} view={view} operation={operation} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps extends RemindersTabProps {
  readonly operation: RequestOperation;
}

function Row({ tenant, view, operation }: RowProps) {
  const { opId, state, reason, dueAt, occurrence, proposedBy, asked } = operation;
  const part = state === "proposed" ? "approvals" : "operations";
  const who = asked === null ? "" : ` to ${asked.signers}`;
  return (
    <tr>
      <th scope="row">
        <Link href={`/t/${tenant}/${part}/${opId}`}>
          {occurrence === null ? `Reminder${who}` : `Planned reminder ${occurrence}`}
        </Link>
        <span className={cards.second}>op {opId.slice(0, 8)}</span>
      </th>
      <td data-label="State">
        <StateBadge family="operation" code={state as OperationState} reason={reason} />
      </td>
      <td data-label="Due">
        {state === "proposed" ? (
          "when approved"
        ) : (
          <TimeWithZone instant={dueAt} kind="deadline" zone={view.zone} form="one" />
        )}
      </td>
      <td data-label="Asked by">{askedBy(proposedBy)}</td>
      <td data-label="Reason">
        <div>
          {reasonSentence(reason)}
          <span className={cards.second}>
            <code>{reason}</code>
          </span>
        </div>
      </td>
    </tr>
  );
}

/** "policy remind v4" for a planned one. */
function askedBy(actor: string): string {
  const [kind, id = ""] = actor.split(":");
  if (kind === "policy") return `policy ${id.replace(/-v(\d+)$/, " v$1")}`;
  return kind === "key" ? "a program" : "a person";
}
