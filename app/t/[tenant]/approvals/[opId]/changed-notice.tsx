"use client";

import { Button } from "@mantine/core";
import { type DifferenceRow, DifferenceTable } from "@/components/difference-table";
import { comparesExpiry, stateChange } from "@/lib/domain/approval";
import { formatLocal, formatMoment } from "@/lib/domain/deadline";
import type { RequestStatus } from "@/lib/domain/observation";
import { REQUEST_WORDS, type RequestWordCode } from "@/lib/domain/words";
import type { ApproveView } from "@/lib/queries/approve-page";
import classes from "./approve.module.css";
import type { Decision } from "./use-decision";
import type { Review } from "./use-review";

interface ChangedNoticeProps {
  readonly tenant: string;
  readonly view: ApproveView;
  readonly review: Review;
  readonly decision: Decision;
}

/** Why this page's look no longer holds, on top and with the difference (screens 4.3). */
export function ChangedNotice({ view, review, decision }: ChangedNoticeProps) {
  const change = changeOf(view, review, decision);
  if (change === null) return null;
  const again = () => {
    decision.forget();
    review.again();
  };
  return (
    <section className={classes.changed} role="alert" aria-label="What changed">
      {change === "version" ? <VersionChanged view={view} review={review} again={again} /> : null}
      {change === "request" ? (
        <RequestChanged
          view={view}
          review={review}
          again={again}
          tried={decision.problem !== null}
        />
      ) : null}
    </section>
  );
}

/** What keeps the present look from being approved; null while it holds. */
export function changeOf(
  view: ApproveView,
  { pin }: Review,
  { problem }: Decision,
): "version" | "request" | null {
  if (view.state !== "proposed" || pin === null) return null;
  if (view.version !== pin.version || view.hash !== pin.hash) return "version";
  if (problem?.code === "approval_stale") return "version";
  if (requestChange(view, pin) !== null) return "request";
  return problem?.code === "request_state_changed" ? "request" : null;
}

function requestChange(view: ApproveView, pin: NonNullable<Review["pin"]>) {
  const expected = view.asked?.expected;
  if (!expected) return null;
  const present = instant(view.request.platformExpiresAt);
  const basis = comparesExpiry(view.kind) ? instant(expected.expiresAt) : present;
  return stateChange(
    { status: expected.status as RequestStatus, expiresAt: basis },
    { status: pin.status as RequestStatus, expiresAt: instant(pin.expiresAt) },
    { status: view.request.status as RequestStatus, expiresAt: present },
  );
}

/** One spelling for equal instants. */
function instant(text: string | null): string | null {
  return text === null ? null : new Date(text).toISOString();
}

interface PartProps {
  readonly view: ApproveView;
  readonly review: Review;
  again(): void;
}

function VersionChanged({ view, review, again }: PartProps) {
  const seen = view.versions.find(({ version }) => version === review.pin?.version);
  const same = seen?.hash === view.hash;
  const rows = same ? [] : differingRows(seen?.plain?.rows ?? [], view.plain?.rows ?? []);
  const changed = rows.map(({ label }) => label).join(", ");
  return (
    <>
      <h2>This proposal changed while you were reading.</h2>
      <p>
        {same
          ? `Version ${view.version} has the same content as version ${seen?.version}. Look once more and approve version ${view.version}.`
          : `You saw version ${review.pin?.version}, now it is version ${view.version}. Changed: ${changedWords(changed)}.`}
      </p>
      {rows.length === 0 ? null : (
        <DifferenceTable
          caption="What was changed"
          sources={[
            { name: `Version ${seen?.version} (you saw)` },
            { name: `Version ${view.version}` },
          ]}
          rows={rows}
        />
      )}
      <Button onClick={again}>Review version {view.version}</Button>
    </>
  );
}

function changedWords(labels: string): string {
  return labels.includes("Business deadline") || labels.includes("Platform expiry")
    ? `deadline (${labels})`
    : labels || "the content";
}

type PlainRows = NonNullable<ApproveView["plain"]>["rows"];

function differingRows(before: PlainRows, after: PlainRows): readonly DifferenceRow[] {
  const earlier = new Map(before.map((row) => [row.label, row.after ?? row.before]));
  const later = new Map(after.map((row) => [row.label, row.after ?? row.before]));
  return [...new Set([...earlier.keys(), ...later.keys()])]
    .filter((label) => earlier.get(label) !== later.get(label))
    .map((label) => ({
      label,
      values: [earlier.get(label) ?? null, later.get(label) ?? null],
      differs: true,
    }));
}

interface RequestPartProps extends PartProps {
  /** True when somebody pressed the button and was turned down. */
  readonly tried: boolean;
}

function RequestChanged({ view, review, again, tried }: RequestPartProps) {
  const change = review.pin && requestChange(view, review.pin);
  const { readAt, zone } = view.request;
  const words = (value: string) =>
    change?.field === "expires_at" && value !== "unread"
      ? `expiry ${formatLocal(value, zone)}`
      : (REQUEST_WORDS[value as RequestWordCode]?.label ?? value);
  return (
    <>
      <h2>
        {change === null
          ? "The request changed."
          : `The request changed: ${words(change.old)} → ${words(change.new)}`}
        {readAt === null ? null : ` (as read ${formatMoment(readAt)})`}
      </h2>
      {tried ? (
        <p>
          Your approval was not recorded
          {change === null ? "" : `, because it was for a request that was ${words(change.old)}`}.
        </p>
      ) : null}
      {change !== null && change.field === "expires_at" ? (
        <p>
          It was proposed for another expiry and cannot be approved as it is. Reject it, and propose
          again if it is still wanted.
        </p>
      ) : null}
      <Button onClick={again} loading={review.read.state === "reading"}>
        Read again and review
      </Button>
    </>
  );
}
