"use client";

import Link from "next/link";
import cards from "@/components/card-table.module.css";
import { contactSentence } from "@/components/contact-words";
import { useNow } from "@/components/frame/live";
import { ReadReceipt, type ReceiptFacts } from "@/components/read-receipt";
import { Reveal } from "@/components/reveal";
import { StateBadge } from "@/components/state-badge";
import { TimeWithZone } from "@/components/time-with-zone";
import { askedSentence } from "@/lib/domain/asked";
import { formatMoment } from "@/lib/domain/deadline";
import type { OperationState } from "@/lib/domain/operation";
import { reasonSentence } from "@/lib/domain/reason-sentence";
import type { RequestOperation, RequestView } from "@/lib/queries/request-page";
import classes from "./request.module.css";

interface TabProps {
  readonly tenant: string;
  readonly view: RequestView;
}

/** Every operation of the request, newest first. */
export function OperationsTab({ tenant, view }: TabProps) {
  if (view.operations.length === 0) return <p>Nothing has been proposed for this request.</p>;
  return (
    <div className={cards.scroll}>
      <table className={cards.table}>
        <caption>Operations of {view.ref}</caption>
        <thead>
          <tr>
            <th scope="col">Operation</th>
            <th scope="col">State</th>
            <th scope="col">Due</th>
            <th scope="col" className={cards.number}>
              Approvals
            </th>
            <th scope="col">Reason</th>
          </tr>
        </thead>
        <tbody>
          {view.operations.map((operation) => (
            <OperationRow key={operation.opId} tenant={tenant} view={view} operation={operation} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps extends TabProps {
  readonly operation: RequestOperation;
}

function OperationRow({ tenant, view, operation }: RowProps) {
  const { opId, kind, state, reason, dueAt, asked, have, changedAt } = operation;
  const part = state === "proposed" ? "approvals" : "operations";
  return (
    <tr>
      <th scope="row">
        <Link href={`/t/${tenant}/${part}/${opId}`}>{askedSentence(asked, kind, view.zone)}</Link>
        <span className={cards.second}>op {opId.slice(0, 8)}</span>
      </th>
      <td data-label="State">
        <StateBadge family="operation" code={state as OperationState} reason={reason} />
      </td>
      <td data-label="Due">
        {state === "proposed" ? (
          "when approved"
        ) : (
          <TimeWithZone instant={dueAt} kind="moment" zone={view.zone} form="one" />
        )}
      </td>
      <td data-label="Approvals" className={cards.number}>
        {have}
      </td>
      <td data-label="Reason">
        <div>
          {reasonSentence(reason, { moment: formatMoment(changedAt) })}
          <span className={cards.second}>
            <code>{reason}</code>
          </span>
        </div>
      </td>
    </tr>
  );
}

interface SignersProps extends TabProps {
  readonly mayReveal: boolean;
  readonly asksReason: boolean;
}

/** Signers by reference; a contact is revealed one by one, and each time it is recorded (PV-3). */
export function SignersTab({ tenant, view, mayReveal, asksReason }: SignersProps) {
  const now = useNow();
  if (view.signers.length === 0) return <p>None yet.</p>;
  return (
    <div className={cards.scroll}>
      <table className={cards.table}>
        <caption>Signers of {view.ref}</caption>
        <thead>
          <tr>
            <th scope="col">Subject</th>
            <th scope="col" className={cards.number}>
              Order
            </th>
            <th scope="col">Role</th>
            <th scope="col">Status</th>
            <th scope="col">Last and next reminder</th>
            <th scope="col">Contact</th>
          </tr>
        </thead>
        <tbody>
          {view.signers.map((signer) => (
            <tr key={signer.subjectRef}>
              <th scope="row">subject {signer.subjectRef}</th>
              <td data-label="Order" className={cards.number}>
                {signer.order}
              </td>
              <td data-label="Role">{signer.role}</td>
              <td data-label="Status">{signer.signed ? "Signed" : "Not signed"}</td>
              <td data-label="Last and next reminder">
                {signer.signed ? "–" : contactSentence(signer, now)}
              </td>
              <td data-label="Contact">
                <Reveal
                  tenant={tenant}
                  subjectRef={signer.subjectRef}
                  erasedAt={signer.erasedAt}
                  permitted={mayReveal}
                  asksReason={asksReason}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Receipts of the request, newest first. */
export function ReadsTab({ view }: { readonly view: RequestView }) {
  const now = useNow();
  if (view.reads.length === 0) return <p>None yet.</p>;
  return (
    <div className={classes.reads}>
      {view.reads.map((receipt) => (
        <ReadReceipt
          key={receipt.id}
          receipt={receipt as ReceiptFacts}
          zone={view.zone}
          now={now}
        />
      ))}
    </div>
  );
}
