"use client";

import {
  errorOf,
  ProposalFrame,
  shownErrors,
} from "@/app/t/[tenant]/requests/[ref]/propose/proposal-frame";
import { useChange } from "@/app/t/[tenant]/requests/[ref]/propose/use-change";
import { usePresentRequest } from "@/app/t/[tenant]/requests/[ref]/propose/use-present-request";
import { type DeadlineDraft, DeadlineEntry } from "@/components/deadline-entry";
import { useNow } from "@/components/frame/live";
import { quickDeadline } from "@/components/relative-deadline";
import type { ProposeView } from "@/lib/queries/propose-page";
import type { RequestHead } from "@/lib/queries/request-head";
import { checkedDraft, type Draft } from "./checked-draft";
import { WhatChanges } from "./what-changes";

interface ProposeFormProps {
  readonly tenant: string;
  readonly initial: ProposeView;
}

/** Asks for a new deadline. Nothing happens before others approve it. */
export function ProposeForm({ tenant, initial }: ProposeFormProps) {
  const now = useNow();
  const { request, read } = usePresentRequest(tenant, initial.request);
  const form = useChange<Draft>({
    tenant,
    ref: request.ref,
    path: "extensions",
    need: initial.rule.quorum,
    first: () => firstDraft(request, now),
    bodyOf,
    fields: FIELDS,
  });
  const checked = checkedDraft(form.draft, request.platformExpiresAt, now);
  const errors = shownErrors(form, checked.errors);
  const { deadline, words } = checked;
  return (
    <ProposalFrame
      tenant={tenant}
      request={request}
      read={read}
      form={form}
      errors={checked.errors}
      action={deadline === null ? "Propose extension" : `Propose extension to ${words ?? ""}`}
      changes={<WhatChanges view={{ ...initial, request }} deadline={deadline} />}
    >
      <DeadlineEntry
        draft={form.draft}
        onChange={(draft: DeadlineDraft) => form.change(draft)}
        present={presentOf(request)}
        now={now}
        errors={{
          date: errorOf(errors, "deadline-date"),
          time: errorOf(errors, "deadline-time"),
          zone: errorOf(errors, "deadline-zone"),
          choice: errorOf(errors, "deadline-choice"),
        }}
      />
    </ProposalFrame>
  );
}

function presentOf({ platformExpiresAt, businessDeadline }: RequestHead): string | null {
  return platformExpiresAt ?? businessDeadline?.at ?? null;
}

function firstDraft(request: RequestHead, now: string): Draft {
  const { zone } = request;
  const start = quickDeadline("7", zone, presentOf(request), now);
  return { ...start, quick: "7", zone, choice: null, reason: "", goOnReason: "" };
}

function bodyOf({ date, time, zone, choice }: Draft) {
  return { date, time, zone, ...(choice === null ? {} : { choice }) };
}

const FIELDS: Readonly<Record<string, string>> = {
  date: "deadline-date",
  time: "deadline-time",
  zone: "deadline-zone",
  choice: "deadline-choice",
};
