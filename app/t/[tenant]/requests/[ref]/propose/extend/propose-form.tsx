"use client";

import { Button } from "@mantine/core";
import Link from "next/link";
import { type DeadlineDraft, DeadlineEntry } from "@/components/deadline-entry";
import { ErrorSummary } from "@/components/error-summary";
import { useLive, useNow } from "@/components/frame/live";
import { ReasonField } from "@/components/reason-field";
import { useFreshRead } from "@/components/use-fresh-read";
import type { ProposeView } from "@/lib/queries/propose-page";
import type { RequestView } from "@/lib/queries/request-page";
import { checkedDraft } from "./checked-draft";
import { NowAtPlatform } from "./now-at-platform";
import classes from "./propose.module.css";
import { type Draft, useProposal } from "./use-proposal";
import { WhatChanges } from "./what-changes";

interface ProposeFormProps {
  readonly tenant: string;
  readonly initial: ProposeView;
}

/** Asks for a new deadline. Nothing happens before others approve it. */
export function ProposeForm({ tenant, initial }: ProposeFormProps) {
  const now = useNow();
  const { ref } = initial.request;
  const live = useLive<Pick<RequestView, keyof ProposeView["request"]>>(
    [tenant, "request-head", ref],
    `/api/v1/t/${tenant}/requests/${ref}`,
    initial.request,
  );
  const request = live.data;
  const read = useFreshRead(tenant, ref, { onOpen: true });
  const form = useProposal(tenant, request, initial.rule.quorum, now);
  const checked = checkedDraft(form.draft, request.platformExpiresAt, now);
  const errors = form.attempt > 0 ? [...checked.errors, ...form.refused] : [];
  const errorOf = (field: string) => errors.find((error) => error.field === field)?.sentence;
  const present = request.platformExpiresAt ?? request.businessDeadline?.at ?? null;
  const deadline = checked.deadline;
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        form.send(checked);
      }}
    >
      <ErrorSummary errors={errors} attempt={form.attempt} />
      <NowAtPlatform request={request} read={read} />
      <DeadlineEntry
        draft={form.draft}
        onChange={(draft: DeadlineDraft) => form.change(draft)}
        present={present}
        now={now}
        errors={{
          date: errorOf("deadline-date"),
          time: errorOf("deadline-time"),
          zone: errorOf("deadline-zone"),
          choice: errorOf("deadline-choice"),
        }}
      />
      <ReasonField
        id="reason"
        value={form.draft.reason}
        onChange={(reason) => form.change({ reason })}
        error={errorOf("reason") ?? null}
        limits={{ min: 1 }}
      />
      <WhatChanges view={{ ...initial, request }} deadline={deadline} />
      {form.twin === null ? null : (
        <Twin tenant={tenant} opId={form.twin} draft={form.draft} onChange={form.change} />
      )}
      <output className={classes.status}>{form.status}</output>
      <div className={classes.actions}>
        <Button type="submit" loading={form.busy} disabled={form.stopped}>
          {deadline === null ? "Propose extension" : `Propose extension to ${checked.words ?? ""}`}
        </Button>
        <Button component={Link} href={`/t/${tenant}/requests/${ref}`} variant="default">
          Cancel
        </Button>
      </div>
    </form>
  );
}

interface TwinProps {
  readonly tenant: string;
  readonly opId: string;
  readonly draft: Draft;
  readonly onChange: (change: Partial<Draft>) => void;
}

/** An open operation has the same target: it is shown instead of a second proposal (AP-4). */
function Twin({ tenant, opId, draft, onChange }: TwinProps) {
  return (
    <section className={classes.twin} aria-label="An open operation for the same change">
      <p>
        An open operation for the same change exists:{" "}
        <Link href={`/t/${tenant}/operations/${opId}`}>op {opId.slice(0, 8)}</Link>. Open it, or
        give a reason to go on with a second one.
      </p>
      <ReasonField
        id="go-on-reason"
        label="Reason to go on"
        value={draft.goOnReason}
        onChange={(goOnReason) => onChange({ goOnReason })}
        limits={{ min: 1 }}
      />
    </section>
  );
}
