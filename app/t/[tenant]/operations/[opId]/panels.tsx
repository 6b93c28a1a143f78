"use client";

import { Hash } from "@/components/hash";
import panel from "@/components/panel.module.css";
import { shortReceipt } from "@/components/read-receipt";
import { TimeWithZone } from "@/components/time-with-zone";
import { ActorMark } from "@/components/timeline";
import type { OperationPage } from "@/lib/queries/operation-page";
import classes from "./operation.module.css";
import { actorOf } from "./story";

interface PanelProps {
  readonly page: OperationPage;
}

/** The calls that may have left, and what came of each, with what was reported too late. */
export function EvidencePanel({ page }: PanelProps) {
  const { attempts, operation } = page;
  if (attempts.length === 0) {
    return <p className={classes.empty}>No call has left for this operation.</p>;
  }
  return (
    <div className={panel.scroll}>
      <table className={panel.table}>
        <caption>Calls to the platform</caption>
        <thead>
          <tr>
            <th scope="col">Fence</th>
            <th scope="col">Intent stored</th>
            <th scope="col">Lease until</th>
            <th scope="col">Outcome</th>
            <th scope="col">Reported</th>
            <th scope="col">Hash sent</th>
          </tr>
        </thead>
        <tbody>
          {attempts.map(({ fence, intentAt, leaseUntil, outcome, reportedAt, late }) => (
            <tr key={fence}>
              <th scope="row">{fence}</th>
              <td>
                <TimeWithZone instant={intentAt} kind="moment" form="one" />
              </td>
              <td>
                <TimeWithZone instant={leaseUntil} kind="moment" form="one" />
              </td>
              <td>
                {outcome === null ? "not reported" : outcome.replaceAll("_", " ")}
                {late ? " (came late: changed nothing, kept as evidence)" : ""}
              </td>
              <td>
                {reportedAt === null ? (
                  "–"
                ) : (
                  <TimeWithZone instant={reportedAt} kind="moment" form="one" />
                )}
              </td>
              <td>
                <Hash value={operation.payloadHash} kind="payload" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Who decided, about which version, against which read. */
export function ApprovalsPanel({ page }: PanelProps) {
  const { approvals, operation } = page;
  if (approvals.length === 0) return <p className={classes.empty}>None yet.</p>;
  return (
    <div className={panel.scroll}>
      <table className={panel.table}>
        <caption>Approvals</caption>
        <thead>
          <tr>
            <th scope="col">By</th>
            <th scope="col">Decision</th>
            <th scope="col">Version</th>
            <th scope="col">Hash approved</th>
            <th scope="col">Read against</th>
            <th scope="col">At</th>
          </tr>
        </thead>
        <tbody>
          {approvals.map(({ by, decision, version, payloadHash, receiptId, at, revokedAt }) => (
            <tr key={by}>
              <th scope="row">
                <ActorMark {...actorOf(page, by)} />
              </th>
              <td>
                {decision === "approve" ? "approved" : "rejected"}
                {revokedAt === null ? "" : ", withdrawn since"}
              </td>
              <td>{version}</td>
              <td>
                <Hash value={payloadHash} kind="payload" expected={operation.payloadHash} />
              </td>
              <td className={panel.mono}>{receiptId === null ? "–" : shortReceipt(receiptId)}</td>
              <td>
                <TimeWithZone instant={at} kind="moment" form="one" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What the platform told us about the request while this operation lived. */
export function EventsPanel({ page }: PanelProps) {
  if (page.inbound.length === 0) return <p className={classes.empty}>None yet.</p>;
  return (
    <div className={panel.scroll}>
      <table className={panel.table}>
        <caption>Events from the platform</caption>
        <thead>
          <tr>
            <th scope="col">Type</th>
            <th scope="col">Claims</th>
            <th scope="col">Outcome</th>
            <th scope="col" className={panel.number}>
              Copies
            </th>
            <th scope="col">Received</th>
          </tr>
        </thead>
        <tbody>
          {page.inbound.map(({ id, type, claimedStatus, outcome, copies, receivedAt }) => (
            <tr key={id}>
              <th scope="row">{type}</th>
              <td>{claimedStatus ?? "–"}</td>
              <td>{outcome.replaceAll("_", " ")}</td>
              <td className={panel.number}>{copies}</td>
              <td>
                <TimeWithZone instant={receivedAt} kind="moment" form="one" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
