"use client";

import { Hash } from "@/components/hash";
import panel from "@/components/panel.module.css";
import { PayloadView } from "@/components/payload-view";
import { ReadReceipt, type ReceiptFacts } from "@/components/read-receipt";
import { StateBadge } from "@/components/state-badge";
import { TimeWithZone } from "@/components/time-with-zone";
import { ActorMark } from "@/components/timeline";
import { REQUEST_WORDS, type RequestWordCode } from "@/lib/domain/words";
import type { OperationPage } from "@/lib/queries/operation-page";
import type { StoryReceipt } from "@/lib/queries/operation-story";
import classes from "./operation.module.css";
import { actorOf } from "./story";

interface PanelProps {
  readonly page: OperationPage;
}

/** The exact payload with its hash, taken over the stored text by the server (ID-3). */
export function PayloadPanel({ page }: PanelProps) {
  const { payload, operation } = page;
  return (
    <>
      <p className={classes.empty}>
        Approved <Hash value={operation.payloadHash} kind="payload" expected={payload.recomputed} />{" "}
        to the hash that the server has just taken over the stored text.
      </p>
      {payload.text === null ? (
        <p className={classes.empty}>Your role may not see the payload itself.</p>
      ) : (
        <PayloadView text={payload.text} />
      )}
    </>
  );
}

/** Every read that was made for this operation, oldest first. */
export function ReadsPanel({ page }: PanelProps) {
  if (page.receipts.length === 0) return <p className={classes.empty}>None yet.</p>;
  return (
    <div className={classes.receipts}>
      {page.receipts.map((receipt) => (
        <ReadReceipt
          key={receipt.id}
          receipt={factsOf(receipt)}
          recomputed={receipt.recomputed}
          zone={page.request.zone}
          now={page.now}
        />
      ))}
    </div>
  );
}

function factsOf({ recomputed: _taken, ...receipt }: StoryReceipt): ReceiptFacts {
  const known = receipt.status !== null && Object.hasOwn(REQUEST_WORDS, receipt.status);
  return {
    ...receipt,
    purpose: receipt.purpose as ReceiptFacts["purpose"],
    outcome: receipt.outcome as ReceiptFacts["outcome"],
    status: known ? (receipt.status as RequestWordCode) : null,
  };
}

/** The history's entries with their hashes, and whether they fit. */
export function ChainPanel({ page }: PanelProps) {
  const { chain, events } = page;
  return (
    <>
      <div role="status">
        <StateBadge
          family="chain"
          code={chain.verified ? "verified" : "broken"}
          values={chain.verified ? {} : { n: chain.seq }}
        />{" "}
        <StateBadge family="chain" code="unsealed" />{" "}
        {chain.verified
          ? `${chain.length} entries; each hash fits its text and the entry before it. Checked by the server with every load of this page.`
          : `Entry ${chain.seq} does not fit: ${chain.detail} (${chain.fault}). Nothing is deleted.`}
      </div>
      <div className={panel.scroll}>
        <table className={panel.table}>
          <caption>Entries</caption>
          <thead>
            <tr>
              <th scope="col">Entry</th>
              <th scope="col">Moment</th>
              <th scope="col">State</th>
              <th scope="col">Reason</th>
              <th scope="col">Actor</th>
              <th scope="col">Hash</th>
            </tr>
          </thead>
          <tbody>
            {events.map((event) => (
              <tr key={event.seq}>
                <th scope="row">{event.seq}</th>
                <td>
                  <TimeWithZone instant={event.at} kind="moment" form="one" />
                </td>
                <td>
                  <StateBadge family="operation" code={event.to} />
                </td>
                <td>
                  <code className={panel.mono}>{event.reason}</code>
                </td>
                <td>
                  <ActorMark {...actorOf(page, event.actor)} />
                </td>
                <td>
                  <Hash value={event.hash} kind="entry" />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
