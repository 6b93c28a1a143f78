"use client";

import { ProposalFrame } from "@/app/t/[tenant]/requests/[ref]/propose/proposal-frame";
import classes from "@/app/t/[tenant]/requests/[ref]/propose/propose.module.css";
import { RuleLine } from "@/app/t/[tenant]/requests/[ref]/propose/rule-line";
import { type CommonDraft, useChange } from "@/app/t/[tenant]/requests/[ref]/propose/use-change";
import { usePresentRequest } from "@/app/t/[tenant]/requests/[ref]/propose/use-present-request";
import { BeforeAfter, type ChangedField } from "@/components/before-after";
import { contactSentence } from "@/components/contact-words";
import { useNow } from "@/components/frame/live";
import { formatDuration, formatLocal, formatMoment } from "@/lib/domain/deadline";
import { resendSentence } from "@/lib/domain/promise-words";
import { epochOf } from "@/lib/domain/zone";
import type { RequestHead } from "@/lib/queries/request-head";
import { type FormProps, reasonErrors, signersWords } from "./form-props";

/** Asks to deliver the request again, and says what the platform also does then. */
export function ResendForm({ tenant, view }: FormProps) {
  const now = useNow();
  const { request, read } = usePresentRequest(tenant, view.request);
  const left = (request.signers ?? view.signers).filter(({ signed }) => !signed);
  const form = useChange<CommonDraft>({
    tenant,
    ref: request.ref,
    path: "resends",
    need: view.rule.quorum,
    first: () => ({ reason: "", goOnReason: "" }),
    bodyOf: () => ({}),
    fields: {},
  });
  return (
    <ProposalFrame
      tenant={tenant}
      request={request}
      read={read}
      form={form}
      errors={reasonErrors(form.draft.reason)}
      action={`Propose resend to ${signersWords(left.length)}`}
      ready={left.length > 0}
      changes={
        <div className={classes.changes}>
          <BeforeAfter caption="What changes" fields={fieldsOf(request, left.length)} />
          <p>{resendSentence(request.descriptor)}</p>
          <RuleLine view={view} />
        </div>
      }
    >
      <section aria-label="Who is contacted again">
        <p>
          {left.length === 0
            ? "Everybody has signed. There is nobody left to contact."
            : `${signersWords(left.length)} who have not signed are contacted again:`}
        </p>
        <ul className={classes.list}>
          {left.map((signer) => (
            <li key={signer.subjectRef}>
              subject {signer.subjectRef}, {signer.role}. {contactSentence(signer, now)}
            </li>
          ))}
        </ul>
      </section>
    </ProposalFrame>
  );
}

function fieldsOf(request: RequestHead, count: number): ChangedField[] {
  const { descriptor, platformExpiresAt, lastDeliveryAt, zone } = request;
  const delivery: ChangedField = {
    label: "Last delivery",
    before: lastDeliveryAt === null ? "not shown by the platform" : formatMoment(lastDeliveryAt),
    after: `again to ${signersWords(count)}`,
  };
  const before = platformExpiresAt === null ? "none shown" : formatLocal(platformExpiresAt, zone);
  if (descriptor?.resendMovesExpiry !== true) {
    return [delivery, { label: "Platform expiry", before, after: before, same: true }];
  }
  const spanMs =
    platformExpiresAt === null || lastDeliveryAt === null
      ? null
      : epochOf(platformExpiresAt) - epochOf(lastDeliveryAt);
  const after =
    spanMs === null
      ? "counted anew from the call"
      : `about ${formatDuration(spanMs)} after the call`;
  return [delivery, { label: "Platform expiry", before, after }];
}
