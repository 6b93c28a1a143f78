"use client";

import { VisuallyHidden } from "@mantine/core";
import { useNow } from "@/components/frame/live";
import { useReadingZone } from "@/components/frame/reading-zone";
import { type ClockFace, ThreeClocks } from "@/components/three-clocks";
import { kindNoun } from "@/lib/domain/asked";
import { BusinessDeadlineSchema } from "@/lib/domain/business-deadline";
import { formatAge } from "@/lib/domain/deadline";
import { roundingMsOf } from "@/lib/domain/promise-words";
import type { RequestHead } from "@/lib/queries/request-head";
import type { RequestOperation, RequestView } from "@/lib/queries/request-page";

/** The three clocks of a request with their owners and sources (TM-1). */
export function RequestClocks({ view }: { readonly view: RequestView }) {
  return (
    <>
      <VisuallyHidden component="h2">Three clocks</VisuallyHidden>
      <Clocks request={view} timer={nextTimer(view.operations)} />
    </>
  );
}

export interface Timer {
  readonly kind: string;
  readonly at: string;
  readonly opId: string;
}

interface ClocksProps {
  readonly request: RequestHead;
  readonly timer: Timer | null;
}

/** The same for a page that knows the head of a request and its next timer. */
export function Clocks({ request, timer }: ClocksProps) {
  const now = useNow();
  return (
    <ThreeClocks
      business={businessFace(request)}
      platform={platformFace(request, now)}
      scheduler={schedulerFace(request, timer)}
      roundingMs={roundingMsOf(request.descriptor)}
      now={request.now}
      readingZone={useReadingZone(request.zone)}
    />
  );
}

function businessFace({ businessDeadline, zone, owner }: RequestHead): ClockFace {
  const approved = BusinessDeadlineSchema.safeParse(businessDeadline?.approved).data;
  return {
    instant: businessDeadline?.at ?? null,
    zone: approved?.zone ?? zone,
    owner: owner === "you" ? "you" : "account manager",
    source: approved ? `approved, rule data ${approved.zoneData}` : "not approved here yet",
    note: businessDeadline === null ? "No deadline was approved here." : "",
  };
}

function platformFace(request: RequestHead, now: string): ClockFace {
  const { platformExpiresAt, zone, readAt, receiptId } = request;
  const receipt = receiptId === null ? "" : `, receipt r_${receiptId.slice(0, 8)}`;
  return {
    instant: platformExpiresAt,
    zone,
    owner: "platform",
    source: readAt === null ? "never read" : `read ${formatAge(readAt, now)}${receipt}`,
    note: platformExpiresAt === null ? "The platform shows no expiry." : "",
  };
}

function schedulerFace({ zone }: RequestHead, timer: Timer | null): ClockFace {
  return {
    instant: timer?.at ?? null,
    zone,
    owner: "this console",
    source: timer === null ? "nothing is planned" : `op ${timer.opId.slice(0, 8)}`,
    note: timer === null ? "No timer planned." : capital(kindNoun(timer.kind)),
  };
}

/** The next moment at which the ledger does something by itself. */
export function nextTimer(operations: readonly RequestOperation[]): Timer | null {
  const timers = operations.flatMap(({ opId, kind, state, dueAt, nextLookAt }) => {
    if (state === "scheduled") return [{ opId, kind, at: dueAt }];
    if (state === "needs_reconcile" && nextLookAt) return [{ opId, kind: "look", at: nextLookAt }];
    return [];
  });
  return timers.sort((left, right) => left.at.localeCompare(right.at))[0] ?? null;
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
