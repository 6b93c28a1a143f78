"use client";

import { Button, NativeSelect, TextInput } from "@mantine/core";
import Link from "next/link";
import { useRef } from "react";
import { RuleSentence } from "@/app/t/[tenant]/requests/rule-sentence";
import { useProposal } from "@/app/t/[tenant]/requests/use-proposal";
import { answerOf, DeadlineEntry } from "@/components/deadline-entry";
import { ErrorSummary } from "@/components/error-summary";
import { useNow } from "@/components/frame/live";
import type { NewSendView } from "@/lib/queries/new-send-page";
import { CheckPart } from "./check-part";
import { DocumentsPart } from "./documents-part";
import classes from "./send.module.css";
import {
  firstDraft,
  newDocument,
  newSigner,
  type SendDraft,
  sendBody,
  sendErrors,
  sendField,
} from "./send-draft";
import { SignersPart } from "./signers-part";
import { MessagePart, RemindersPart } from "./texts-part";

interface SendFormProps {
  readonly tenant: string;
  readonly view: NewSendView;
}

/** Asks for a send: what exactly, to whom, until when. Nothing is sent before others approve it. */
export function SendForm({ tenant, view }: SendFormProps) {
  const now = useNow();
  const form = useProposal<SendDraft>({
    tenant,
    url: `/api/v1/t/${tenant}/sends`,
    need: view.rule.quorum,
    first: () => firstDraft(view),
    bodyOf: sendBody,
    fieldOf: sendField,
    refOf: ({ requestRef }) => requestRef.trim(),
    // Names and addresses stand in it: they are not written into the browser's storage.
    keptAs: null,
  });
  const { draft, change } = form;
  const errors = sendErrors(draft, now);
  const shown = form.attempt > 0 ? [...errors, ...form.refused] : [];
  const errorOf = (field: string) => shown.find((error) => error.field === field)?.sentence;
  const answer = answerOf(draft, now);
  const made = useRef(1);
  const nextPlace = () => {
    made.current += 1;
    return made.current;
  };
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        form.send(errors);
      }}
    >
      <ErrorSummary errors={shown} attempt={form.attempt} />
      <Identity view={view} draft={draft} errorOf={errorOf} onChange={change} />
      <DocumentsPart
        documents={draft.documents}
        errorOf={errorOf}
        onChange={(documents) => change({ documents })}
        onAdd={() => change({ documents: [...draft.documents, newDocument(nextPlace())] })}
      />
      <SignersPart
        signers={draft.signers}
        routing={draft.routing}
        errorOf={errorOf}
        onChange={change}
        onAdd={() => change({ signers: [...draft.signers, newSigner(nextPlace())] })}
      />
      <DeadlinePart draft={draft} now={now} errorOf={errorOf} onChange={change} />
      <RemindersPart draft={draft} errorOf={errorOf} onChange={change} />
      <MessagePart draft={draft} errorOf={errorOf} onChange={change} />
      <CheckPart view={view} draft={draft} deadline={"instant" in answer ? answer : null} />
      <RuleSentence rule={view.rule} mode={view.mode} />
      <output className={classes.status}>{form.status}</output>
      <div className={classes.line}>
        <Button type="submit" loading={form.busy} disabled={form.stopped}>
          Propose send to {draft.signers.length} {draft.signers.length === 1 ? "signer" : "signers"}
        </Button>
        <Button component={Link} href={`/t/${tenant}/requests`} variant="default">
          Cancel
        </Button>
      </div>
    </form>
  );
}

interface PartProps {
  readonly draft: SendDraft;
  errorOf(field: string): string | undefined;
  onChange(change: Partial<SendDraft>): void;
}

function Identity({ view, draft, errorOf, onChange }: PartProps & { readonly view: NewSendView }) {
  return (
    <section aria-labelledby="request-heading" className={classes.part}>
      <h2 id="request-heading">Request</h2>
      <TextInput
        id="request-ref"
        label="Our reference"
        description="Opaque, without personal data; it names the request from now on."
        autoComplete="off"
        placeholder="req_8001"
        value={draft.requestRef}
        error={errorOf("request-ref")}
        onChange={(event) => onChange({ requestRef: event.currentTarget.value })}
      />
      <NativeSelect
        id="connection"
        label="Connection"
        value={draft.connectionId}
        error={errorOf("connection")}
        data={view.connections.map(({ id, name, sandbox }) => ({
          value: id,
          label: sandbox ? `${name} (sandbox)` : name,
        }))}
        onChange={(event) => onChange({ connectionId: event.currentTarget.value })}
      />
    </section>
  );
}

function DeadlinePart({ draft, now, errorOf, onChange }: PartProps & { readonly now: string }) {
  return (
    <section aria-labelledby="deadline-heading" className={classes.part}>
      <h2 id="deadline-heading">Deadline</h2>
      <DeadlineEntry
        draft={draft}
        onChange={(deadline) => onChange(deadline)}
        present={null}
        now={now}
        errors={{
          date: errorOf("deadline-date"),
          time: errorOf("deadline-time"),
          zone: errorOf("deadline-zone"),
          choice: errorOf("deadline-choice"),
        }}
      />
    </section>
  );
}
