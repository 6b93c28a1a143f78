"use client";

import { Textarea } from "@mantine/core";
import {
  errorOf,
  ProposalFrame,
  shownErrors,
} from "@/app/t/[tenant]/requests/[ref]/propose/proposal-frame";
import classes from "@/app/t/[tenant]/requests/[ref]/propose/propose.module.css";
import { RuleLine } from "@/app/t/[tenant]/requests/[ref]/propose/rule-line";
import { type CommonDraft, useChange } from "@/app/t/[tenant]/requests/[ref]/propose/use-change";
import { usePresentRequest } from "@/app/t/[tenant]/requests/[ref]/propose/use-present-request";
import { BeforeAfter } from "@/components/before-after";
import { tooSoonSentence } from "@/components/contact-words";
import type { FormError } from "@/components/error-summary";
import { useNow } from "@/components/frame/live";
import { formatMoment } from "@/lib/domain/deadline";
import type { ContactedSigner } from "@/lib/queries/contact-facts";
import { type FormProps, reasonErrors, signersWords } from "./form-props";
import { SignerChoice } from "./signer-choice";

interface Draft extends CommonDraft {
  /** Whom to remind; null while nobody chose: then everybody who has not signed. */
  readonly chosen: readonly string[] | null;
  readonly message: string;
}

/** Asks to remind signers. One who was contacted a short time ago is not reminded yet (RM-2). */
export function RemindForm({ tenant, view }: FormProps) {
  const now = useNow();
  const { request, read } = usePresentRequest(tenant, view.request);
  const signers = request.signers ?? view.signers;
  const single = request.descriptor?.remindsSingleSigners === true;
  const form = useChange<Draft>({
    tenant,
    ref: request.ref,
    path: "reminders",
    need: view.rule.quorum,
    first: () => ({ chosen: null, message: "", reason: "", goOnReason: "" }),
    bodyOf,
    fields: { subjectRefs: "signers", message: "message" },
  });
  const left = signers.filter(({ signed }) => !signed);
  const chosen = left.filter(
    ({ subjectRef }) => form.draft.chosen === null || form.draft.chosen.includes(subjectRef),
  );
  const errors = [...signerErrors(chosen, now), ...reasonErrors(form.draft.reason)];
  const shown = shownErrors(form, errors);
  return (
    <ProposalFrame
      tenant={tenant}
      request={request}
      read={read}
      form={form}
      errors={errors}
      action={`Propose reminder to ${signersWords(chosen.length)}`}
      changes={<Changes view={view} lastAt={request.lastReminderAt} count={chosen.length} />}
    >
      <SignerChoice
        id="signers"
        legend="Who is reminded"
        signers={signers}
        chosen={chosen}
        single={single}
        now={now}
        error={errorOf(shown, "signers") ?? null}
        onChange={(subjects) => form.change({ chosen: subjects })}
      />
      {request.platformReminders === true ? (
        <p role="note">
          Reminders belong to this console, but the platform's own are on. None is sent until one
          side is off.
        </p>
      ) : null}
      <Textarea
        id="message"
        label="Message to the signers"
        description="Optional. Signers read it; it stands in the vault."
        autosize
        minRows={2}
        maxRows={8}
        value={form.draft.message}
        error={errorOf(shown, "message")}
        onChange={(event) => form.change({ message: event.currentTarget.value })}
      />
    </ProposalFrame>
  );
}

interface ChangesProps {
  readonly view: FormProps["view"];
  readonly lastAt: string | null;
  readonly count: number;
}

function Changes({ view, lastAt, count }: ChangesProps) {
  return (
    <div className={classes.changes}>
      <BeforeAfter
        caption="What changes"
        fields={[
          {
            label: "Last reminder",
            before: lastAt === null ? "none shown by the platform" : formatMoment(lastAt),
            after: `a new one to ${signersWords(count)}`,
          },
          { label: "Platform expiry", before: "unchanged", after: "unchanged", same: true },
        ]}
      />
      <RuleLine view={view} />
    </div>
  );
}

function bodyOf({ chosen, message }: Draft) {
  return {
    ...(chosen === null ? {} : { subjectRefs: chosen }),
    ...(message.trim() === "" ? {} : { message }),
  };
}

function signerErrors(chosen: readonly ContactedSigner[], now: string): readonly FormError[] {
  if (chosen.length === 0) return [{ field: "signers", sentence: "Choose at least one signer." }];
  const sentence = chosen.map((one) => tooSoonSentence(one, now)).find((found) => found !== null);
  return sentence === undefined ? [] : [{ field: "signers", sentence }];
}
