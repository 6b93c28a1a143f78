"use client";

import { Button } from "@mantine/core";
import Link from "next/link";
import type { ReactNode } from "react";
import type { Proposal } from "@/app/t/[tenant]/requests/use-proposal";
import { ErrorSummary, type FormError } from "@/components/error-summary";
import { ReasonField } from "@/components/reason-field";
import type { FreshRead } from "@/components/use-fresh-read";
import type { RequestHead } from "@/lib/queries/request-head";
import { NowAtPlatform } from "./now-at-platform";
import classes from "./propose.module.css";
import { type CommonDraft, useSupersedes } from "./use-change";

interface ProposalFrameProps<Draft extends CommonDraft> {
  readonly tenant: string;
  readonly request: RequestHead;
  readonly read: FreshRead;
  readonly form: Proposal<Draft>;
  /** What the form finds wrong with the draft; shown once it was sent. */
  readonly errors: readonly FormError[];
  /** Verb and object: "Propose extension to 18 Dec 2026, 17:00 CET". */
  readonly action: string;
  /** False while something that the form asks for first is missing. */
  readonly ready?: boolean;
  readonly reasonLabel?: string;
  /** The fields of this kind, above the reason. */
  readonly children: ReactNode;
  /** What it would change, below the reason. */
  readonly changes: ReactNode;
}

/** The frame that all proposals share: the present state, the fields, the reason, what changes, and the button. */
export function ProposalFrame<Draft extends CommonDraft>(props: ProposalFrameProps<Draft>) {
  const { tenant, request, read, form, errors, action, ready = true } = props;
  const shown = shownErrors(form, errors);
  const replaced = useSupersedes();
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
      <NowAtPlatform request={request} read={read} />
      {replaced === null ? null : (
        <p>
          Takes the place of{" "}
          <Link href={`/t/${tenant}/operations/${replaced}`}>op {replaced.slice(0, 8)}</Link> once
          it is approved.
        </p>
      )}
      {props.children}
      <ReasonField
        id="reason"
        label={props.reasonLabel ?? "Reason"}
        value={form.draft.reason}
        onChange={(reason) => form.change({ reason } as Partial<Draft>)}
        error={errorOf(shown, "reason") ?? null}
        limits={{ min: 1 }}
      />
      {props.changes}
      {form.twin === null ? null : <Twin tenant={tenant} opId={form.twin} form={form} />}
      <output className={classes.status}>{form.status}</output>
      <div className={classes.actions}>
        <Button type="submit" loading={form.busy} disabled={form.stopped || !ready}>
          {action}
        </Button>
        <Button component={Link} href={`/t/${tenant}/requests/${request.ref}`} variant="default">
          Cancel
        </Button>
      </div>
    </form>
  );
}

/** What the form and the server have to say about the draft, once it was sent. */
export function shownErrors<Draft extends CommonDraft>(
  { attempt, refused }: Proposal<Draft>,
  errors: readonly FormError[],
): readonly FormError[] {
  return attempt > 0 ? [...errors, ...refused] : [];
}

/** The words under one field. */
export function errorOf(errors: readonly FormError[], field: string): string | undefined {
  return errors.find((error) => error.field === field)?.sentence;
}

interface TwinProps<Draft extends CommonDraft> {
  readonly tenant: string;
  readonly opId: string;
  readonly form: Proposal<Draft>;
}

/** An open operation asks for the same: it is shown instead of a second proposal (AP-4). */
function Twin<Draft extends CommonDraft>({ tenant, opId, form }: TwinProps<Draft>) {
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
        value={form.draft.goOnReason}
        onChange={(goOnReason) => form.change({ goOnReason } as Partial<Draft>)}
        limits={{ min: 1 }}
      />
    </section>
  );
}
