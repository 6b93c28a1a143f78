"use client";

import type { ReactNode } from "react";
import classes from "@/app/t/[tenant]/inbox/inbox.module.css";
import { DifferenceTable } from "@/components/difference-table";
import panels from "@/components/panel.module.css";
import { shortReceipt } from "@/components/read-receipt";
import { StateBadge } from "@/components/state-badge";
import { TimeAgo } from "@/components/time-ago";
import { TimeWithZone } from "@/components/time-with-zone";
import { REQUEST_WORDS, type RequestWordCode } from "@/lib/domain/words";
import type { InboxEventPage } from "@/lib/queries/inbox-event-page";

/** "Webhook says / API says / Ledger says", what differs first. */
export function SaysTable({ event }: { readonly event: InboxEventPage }) {
  const { webhookSays, apiSays, ledgerSays, zone, contradicts } = event;
  const read = apiSays?.outcome === "read" ? apiSays : null;
  const statuses = [webhookSays.status, read?.status ?? null, ledgerSays?.status ?? null];
  const expiries = [null, read?.expiresAt ?? null, ledgerSays?.expiresAt ?? null];
  const refs = [webhookSays.platformRef, null, ledgerSays?.platformRef ?? null];
  return (
    <section className={panels.panel} aria-label="What the three say">
      <DifferenceTable
        caption="What the three say"
        sources={sourcesOf(event)}
        rows={[
          {
            label: "Status",
            differs: differ(statuses),
            values: statuses.map((status, place) =>
              place === 1 && apiSays !== null && read === null
                ? `no status: ${apiSays.outcome.replace("_", " ")}`
                : shownStatus(status),
            ),
          },
          {
            label: "Platform expiry",
            differs: differ(expiries),
            values: expiries.map((at) =>
              at === null ? null : (
                <TimeWithZone key={at} instant={at} kind="deadline" zone={zone} form="one" />
              ),
            ),
          },
          {
            label: "Reference at the platform",
            differs: differ(refs),
            values: refs.map((ref) => (ref === null ? null : <Mono key={ref}>{ref}</Mono>)),
          },
        ]}
      />
      {contradicts === null ? null : (
        <p>
          It tells another final end than our mirror held ("{contradicts}"). It moved nothing; the
          read decides.
        </p>
      )}
    </section>
  );
}

function sourcesOf({ source, webhookSays, apiSays, ledgerSays }: InboxEventPage) {
  return [
    {
      name: source === "poll" ? "Poll says" : "Webhook says",
      about:
        webhookSays.at === null ? (
          "tells no time"
        ) : (
          <>
            happened <TimeAgo instant={webhookSays.at} />
          </>
        ),
    },
    {
      name: "API says",
      about:
        apiSays === null ? (
          "no read yet"
        ) : (
          <>
            {shortReceipt(apiSays.receiptId)}, <TimeAgo instant={apiSays.readAt} />
            {apiSays.isAfter ? "" : ", before the event came"}
          </>
        ),
    },
    {
      name: "Ledger says",
      about:
        ledgerSays === null ? (
          "no request of ours"
        ) : ledgerSays.readAt === null ? (
          "never read"
        ) : (
          <>
            last read <TimeAgo instant={ledgerSays.readAt} />
            {ledgerSays.isFinal ? ", final" : ""}
          </>
        ),
    },
  ];
}

/** True when those that speak do not say the same. */
function differ(values: readonly (string | null)[]): boolean {
  return new Set(values.filter((value) => value !== null)).size > 1;
}

function shownStatus(status: string | null): ReactNode {
  if (status === null) return null;
  if (!Object.hasOwn(REQUEST_WORDS, status)) return <Mono>{status}</Mono>;
  return <StateBadge family="request" code={status as RequestWordCode} />;
}

function Mono({ children }: { readonly children: string }) {
  return <span className={classes.mono}>{children}</span>;
}
