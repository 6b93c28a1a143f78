"use client";

import { TextInput } from "@mantine/core";
import { useState } from "react";
import { ProposalFrame } from "@/app/t/[tenant]/requests/[ref]/propose/proposal-frame";
import classes from "@/app/t/[tenant]/requests/[ref]/propose/propose.module.css";
import { RuleLine } from "@/app/t/[tenant]/requests/[ref]/propose/rule-line";
import { type CommonDraft, useChange } from "@/app/t/[tenant]/requests/[ref]/propose/use-change";
import { usePresentRequest } from "@/app/t/[tenant]/requests/[ref]/propose/use-present-request";
import { BeforeAfter } from "@/components/before-after";
import { signedSentence } from "@/lib/domain/signed-words";
import { REQUEST_WORDS, type RequestWordCode } from "@/lib/domain/words";
import { type FormProps, reasonErrors } from "./form-props";

/** Asks to withdraw a request. It cannot be undone, so the reference has to be typed. */
export function VoidForm({ tenant, view }: FormProps) {
  const { request, read } = usePresentRequest(tenant, view.request);
  // Not part of the draft: whoever comes back to it types it anew.
  const [typed, setTyped] = useState("");
  const shows = request.descriptor?.voidShowsReason === true;
  const form = useChange<CommonDraft>({
    tenant,
    ref: request.ref,
    path: "voids",
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
      action={`Propose void of ${request.ref}`}
      ready={typed.trim() === request.ref}
      reasonLabel={shows ? "Reason that signers see" : "Reason"}
      changes={
        <div className={classes.changes}>
          <BeforeAfter
            caption="What changes"
            fields={[
              {
                label: "Status",
                before: REQUEST_WORDS[request.status as RequestWordCode].label,
                after: REQUEST_WORDS.voided.label,
              },
              {
                label: "Signers see",
                before: "–",
                after: shows
                  ? "your reason, as you wrote it"
                  : "no reason: this platform shows none",
              },
            ]}
          />
          <RuleLine view={view} />
          <TextInput
            label={`Type ${request.ref} to go on`}
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        </div>
      }
    >
      <p className={classes.warning} role="note">
        A void cannot be undone. {signedSentence(request.signed, request.signerCount) ?? ""}
      </p>
    </ProposalFrame>
  );
}
