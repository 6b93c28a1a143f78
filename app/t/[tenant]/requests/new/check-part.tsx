"use client";

import { instantList } from "@/components/instant-list";
import panel from "@/components/panel.module.css";
import { approvedTimers } from "@/lib/domain/approved-timers";
import type { BusinessDeadline } from "@/lib/domain/business-deadline";
import { formatDeadline } from "@/lib/domain/deadline";
import { lookupSentence, roundingSentence } from "@/lib/domain/promise-words";
import type { NewSendView } from "@/lib/queries/new-send-page";
import classes from "./send.module.css";
import type { SendDraft } from "./send-draft";

interface CheckPartProps {
  readonly view: NewSendView;
  readonly draft: SendDraft;
  readonly deadline: BusinessDeadline | null;
}

/** Everything once more in plain words, each with the way back to it, and what the platform promises. */
export function CheckPart({ view, draft, deadline }: CheckPartProps) {
  const connection = view.connections.find(({ id }) => id === draft.connectionId) ?? null;
  const until = deadline === null ? null : formatDeadline(deadline.instant, deadline.zone);
  const rounding =
    deadline && roundingSentence(connection?.descriptor ?? null, deadline.instant, deadline.zone);
  return (
    <section aria-labelledby="check-heading" className={classes.part}>
      <h2 id="check-heading">Check</h2>
      <dl className={panel.pairs}>
        <Row label="Request" value={draft.requestRef || "not named yet"} field="request-ref" />
        <Row label="Documents" value={documentsWords(draft)} field="documents" />
        <Row label="Signers" value={signersWords(draft)} field="signers" />
        <Row
          label="Deadline"
          value={until === null ? "not chosen yet" : `${until.line1} · ${until.line2}`}
          field="deadline-date"
        />
        <Row label="Reminders" value={remindersWords(view, draft, deadline)} field="interval" />
        <Row
          label="Message"
          value={draft.message.trim() === "" ? "a title only" : "a title and a message"}
          field="title"
        />
      </dl>
      <p>
        Connection {connection?.name ?? "–"}: {lookupSentence(connection?.descriptor ?? null)}.{" "}
        {rounding}
      </p>
      <p>
        Field placement is left to the platform. The hash is taken over the exact bytes when you
        propose, and the approval is bound to it.
      </p>
    </section>
  );
}

interface RowProps {
  readonly label: string;
  readonly value: string;
  readonly field: string;
}

function Row({ label, value, field }: RowProps) {
  return (
    <div style={{ display: "contents" }}>
      <dt>{label.toLowerCase()}</dt>
      <dd>
        {value}{" "}
        <a href={`#${field}`} aria-label={`Change ${label.toLowerCase()}`}>
          Change
        </a>
      </dd>
    </div>
  );
}

function documentsWords({ documents }: SendDraft): string {
  return documents
    .map(({ digest, version }) => `${digest.slice(0, 8) || "no digest yet"}, version ${version}`)
    .join("; ");
}

function signersWords({ signers, routing }: SendDraft): string {
  const count = `${signers.length} ${signers.length === 1 ? "signer" : "signers"}`;
  return `${count}, ${routing === "parallel" ? "all at once" : "one after the other"}`;
}

function remindersWords(
  { timing, now: from }: NewSendView,
  { owner, intervalDays }: SendDraft,
  deadline: BusinessDeadline | null,
): string {
  if (owner === "platform") return "the platform reminds";
  if (deadline === null) return "this console reminds";
  const days = Number(intervalDays);
  const timers = approvedTimers({
    ...timing,
    owner,
    intervalDays: Number.isInteger(days) && days > 0 ? days : null,
    from,
    deadline,
  });
  const closes = timers.closes_at_deadline ? "; closed by itself at the deadline" : "";
  return `this console reminds: ${instantList(timers.reminders, deadline.zone)}${closes}`;
}
