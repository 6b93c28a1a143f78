"use client";

import { type DifferenceRow, DifferenceTable } from "@/components/difference-table";
import panel from "@/components/panel.module.css";
import { shortReceipt } from "@/components/read-receipt";
import { StateBadge } from "@/components/state-badge";
import { TimeAgo } from "@/components/time-ago";
import type { CapabilityDescriptor } from "@/lib/domain/capability";
import { formatDuration, formatLocal, formatMoment } from "@/lib/domain/deadline";
import { REQUEST_WORDS, type RequestWordCode } from "@/lib/domain/words";
import type { OperationPage } from "@/lib/queries/operation-page";
import type { StoryReceipt } from "@/lib/queries/operation-story";
import classes from "./operation.module.css";

/** Before, asked, last look: three accounts side by side, and the window that no read can close (PL-4, PL-5). */
export function AskedAndSeen({ page }: { readonly page: OperationPage }) {
  const before = page.receipts.find(({ purpose }) => purpose === "before") ?? null;
  const last = page.receipts.at(-1) ?? null;
  const seen = last !== null && last.id !== before?.id ? last : null;
  return (
    <section className={panel.panel} aria-label="What we asked and saw">
      <DifferenceTable
        caption="What we asked and saw"
        sources={[
          { name: "Before", about: <About receipt={before} /> },
          { name: "Asked" },
          { name: "Last look", about: <About receipt={seen} /> },
        ]}
        rows={rowsOf(page, before, seen)}
      />
      <p className={classes.note}>{raceWindow(page.operation.kind, page.connection.descriptor)}</p>
    </section>
  );
}

function About({ receipt }: { readonly receipt: StoryReceipt | null }) {
  if (receipt === null) return <>no read yet</>;
  return (
    <>
      {shortReceipt(receipt.id)}, <TimeAgo instant={receipt.startedAt} />
    </>
  );
}

/** What the kind is about first: an expiry, an end, a reminder or a delivery. */
function rowsOf(
  page: OperationPage,
  before: StoryReceipt | null,
  seen: StoryReceipt | null,
): readonly DifferenceRow[] {
  const expiry = expiryRow(page, before, seen);
  const status = statusRow(page, before, seen);
  const version = versionRow(before, seen);
  switch (page.operation.kind) {
    case "remind":
      return [contactRow("Last reminder", page, before, seen), status, expiry, version];
    case "resend":
      return [contactRow("Last delivery", page, before, seen), expiry, status, version];
    case "expire":
    case "void":
      return [status, expiry, version];
    default:
      return [expiry, status, version];
  }
}

/** A contact differs from what was asked while the last look still shows the one from before. */
function contactRow(
  label: "Last reminder" | "Last delivery",
  { asked }: OperationPage,
  before: StoryReceipt | null,
  seen: StoryReceipt | null,
): DifferenceRow {
  const at = (receipt: StoryReceipt | null) =>
    (label === "Last reminder" ? receipt?.lastReminderAt : receipt?.lastDeliveryAt) ?? null;
  const words = (receipt: StoryReceipt | null) => {
    const instant = at(receipt);
    if (receipt === null) return null;
    return instant === null ? "none shown" : formatMoment(instant);
  };
  const count = asked?.contacts ?? null;
  const wanted =
    count === null ? null : `a new one to ${count} ${count === 1 ? "signer" : "signers"}`;
  const differs = before !== null && seen !== null && at(before) === at(seen);
  return { label, values: [words(before), wanted, words(seen)], differs };
}

function expiryRow(
  { asked, request }: OperationPage,
  before: StoryReceipt | null,
  seen: StoryReceipt | null,
): DifferenceRow {
  const local = (instant: string | null | undefined) =>
    instant ? formatLocal(instant, request.zone) : null;
  const target = asked?.expiresAt ?? null;
  const shown = seen?.expiresAt ?? null;
  const differs = target !== null && shown !== null && Date.parse(target) !== Date.parse(shown);
  return {
    label: `Platform expiry (${request.zone})`,
    values: [local(before?.expiresAt), local(target), local(shown)],
    differs,
  };
}

function statusRow(
  { asked }: OperationPage,
  before: StoryReceipt | null,
  seen: StoryReceipt | null,
): DifferenceRow {
  const end = asked?.status ?? null;
  const wanted = end === null ? null : <StateBadge family="request" code={end} />;
  const differs = end !== null && seen?.status != null && seen.status !== end;
  return { label: "Status", values: [status(before), wanted, status(seen)], differs };
}

function status(receipt: StoryReceipt | null) {
  if (receipt === null) return null;
  const code = receipt.outcome === "not_found" ? "gone" : receipt.status;
  if (code === null || !Object.hasOwn(REQUEST_WORDS, code)) return receipt.outcome;
  return <StateBadge family="request" code={code as RequestWordCode} />;
}

function versionRow(before: StoryReceipt | null, seen: StoryReceipt | null): DifferenceRow {
  const values = [before?.version ?? null, null, seen?.version ?? null];
  return { label: "Version", values, differs: false };
}

/** The window between the read and the change, as the platform's descriptor lets us say it. */
export function raceWindow(kind: string, descriptor: CapabilityDescriptor | null): string {
  if (kind === "send") {
    return "A send is found again by our own reference; two people can still ask the same signers by other means.";
  }
  if (descriptor === null) {
    return "What this platform promises cannot be read, so nothing is assumed: someone else can change the request between our read and our change.";
  }
  if (descriptor.conditionalUpdate !== "none") {
    return "The platform compares the version that we read before it changes anything; what happens after its answer is seen by the read that follows.";
  }
  const { pauseMs, processingMs } =
    kind === "extend" ? descriptor.times.extend : descriptor.times.other;
  const most =
    pauseMs === "unknown" || processingMs === "unknown"
      ? "How long that window is, this platform does not say."
      : `By its own figures that window is at most ${formatDuration(pauseMs + processingMs)}.`;
  return `No conditional update. We read, change, read again; between read and change someone else can change the request, and the second read would show it. ${most}`;
}
