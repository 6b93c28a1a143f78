"use client";

import { Radio } from "@mantine/core";
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
import { useNow } from "@/components/frame/live";
import { BusinessDeadlineSchema } from "@/lib/domain/business-deadline";
import { formatDeadline, formatLocal } from "@/lib/domain/deadline";
import { signedSentence } from "@/lib/domain/signed-words";
import { REQUEST_WORDS, type RequestWordCode } from "@/lib/domain/words";
import { epochOf } from "@/lib/domain/zone";
import type { RequestHead } from "@/lib/queries/request-head";
import { type FormProps, reasonErrors } from "./form-props";

interface Draft extends CommonDraft {
  readonly when: "now" | "business_deadline";
}

/** Asks to close a request, at its business deadline or as soon as it is approved. */
export function ExpireForm({ tenant, view }: FormProps) {
  const now = useNow();
  const { request, read } = usePresentRequest(tenant, view.request);
  const deadline = deadlineOf(request);
  const ahead = deadline !== null && epochOf(deadline.instant) > epochOf(now);
  const form = useChange<Draft>({
    tenant,
    ref: request.ref,
    path: "expiries",
    need: view.rule.quorum,
    first: () => ({ when: ahead ? "business_deadline" : "now", reason: "", goOnReason: "" }),
    bodyOf: ({ when }) => ({ when }),
    fields: { when: "when" },
  });
  const errors = reasonErrors(form.draft.reason);
  const words = deadline === null ? "" : formatDeadline(deadline.instant, deadline.zone).line1;
  const later = form.draft.when === "business_deadline";
  return (
    <ProposalFrame
      tenant={tenant}
      request={request}
      read={read}
      form={form}
      errors={errors}
      action={later ? `Propose expiry at ${words}` : "Propose expiry now"}
      changes={
        <div className={classes.changes}>
          <BeforeAfter
            caption="What changes"
            fields={[
              {
                label: "Status",
                before: REQUEST_WORDS[request.status as RequestWordCode].label,
                after: REQUEST_WORDS.expired.label,
              },
              { label: "Closes", before: expiryWords(request), after: later ? words : "now" },
            ]}
          />
          <p>
            Nobody can sign after this. {signedSentence(request.signed, request.signerCount) ?? ""}
          </p>
          <RuleLine view={view} />
        </div>
      }
    >
      <Radio.Group
        id="when"
        label="When it is closed"
        value={form.draft.when}
        onChange={(when) => form.change({ when: when as Draft["when"] })}
        error={errorOf(shownErrors(form, errors), "when")}
      >
        <div className={classes.choices}>
          <Radio
            value="business_deadline"
            disabled={!ahead}
            label={
              deadline === null ? "At the business deadline" : `At the business deadline: ${words}`
            }
            description={whyNot(deadline !== null, ahead)}
          />
          <Radio
            value="now"
            label="Now"
            description={`As soon as it is approved.${ahead ? ` The business deadline would be ${words}.` : ""}`}
          />
        </div>
      </Radio.Group>
    </ProposalFrame>
  );
}

function deadlineOf({ businessDeadline }: RequestHead) {
  return BusinessDeadlineSchema.safeParse(businessDeadline?.approved).data ?? null;
}

function whyNot(approved: boolean, ahead: boolean): string {
  if (!approved) return "No business deadline was approved for this request.";
  return ahead ? "This console closes it at that instant." : "That has passed.";
}

function expiryWords({ platformExpiresAt, zone }: RequestHead): string {
  return platformExpiresAt === null ? "no expiry shown" : formatLocal(platformExpiresAt, zone);
}
