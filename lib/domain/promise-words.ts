import type { CapabilityDescriptor } from "./capability";
import { formatDay, formatDuration } from "./deadline";
import { shownExpiry } from "./shown-expiry";
import { localOf } from "./zone";

/**
 * What the platform will make of a new expiry (C-24): "This platform stores whole hours, rounded down: it will
 * show 17:00."; null where it keeps the instant as it is.
 */
export function roundingSentence(
  descriptor: CapabilityDescriptor | null,
  targetAt: string,
  zone: string,
): string | null {
  if (descriptor === null) return "What this platform makes of an expiry is not known.";
  const form = descriptor.expiryForm;
  if (form.kind === "relative_days") {
    return `This platform counts whole days from ${form.from === "send" ? "sending" : "the call"}, rounded up: it may show a later time than asked, never an earlier one.`;
  }
  if (form.granularityMs <= 1000) return null;
  const shown = shownExpiry(targetAt, descriptor) ?? targetAt;
  const [day, wanted] = [localOf(zone, shown), localOf(zone, targetAt).date];
  const time = day.date === wanted ? day.time : `${formatDay(day.date)}, ${day.time}`;
  return `This platform stores whole ${unitOf(form.granularityMs)}, rounded down: it will show ${time}.`;
}

function unitOf(granularityMs: number): string {
  if (granularityMs === 60_000) return "minutes";
  if (granularityMs === 3_600_000) return "hours";
  if (granularityMs === 86_400_000) return "days";
  return `steps of ${formatDuration(granularityMs)}`;
}

/** How long it took from the read before a change until the platform answered, over thirty days. */
export interface RaceWindow {
  readonly medianMs: number;
  readonly worstMs: number;
}

/** The residual race window in words (AP-1, D3): what can happen between our read and our change. */
export function raceSentence(
  descriptor: CapabilityDescriptor | null,
  window: RaceWindow | null,
): string {
  const measured =
    window === null
      ? "not measured on this connection yet"
      : `measured: ${seconds(window.medianMs)} median, ${seconds(window.worstMs)} worst of 30 d`;
  switch (descriptor?.conditionalUpdate) {
    case "version":
      return `Conditional update by version: the platform refuses our change when somebody changed the request after our read (${measured}).`;
    case "lock":
      return `We hold the platform's lock between read and change (${measured}); nobody else can change it then.`;
    case "none":
    case undefined:
      return `No conditional update. We read, change, read again. Between read and change (${measured}) someone else can change it; we would notice and stop.`;
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** What the platform also does on a resend, as far as it says. */
export function resendSentence(descriptor: CapabilityDescriptor | null): string {
  if (descriptor === null) return "What this platform also does on a resend is not known.";
  const expiry = descriptor.resendMovesExpiry
    ? "This platform also counts the expiry anew from the call."
    : "This platform leaves the expiry as it is.";
  const record = descriptor.deliveryRecord
    ? "A read shows the new delivery."
    : "No read shows a delivery: its acceptance will be the only evidence, and an unknown resend goes to a person.";
  return `${expiry} ${record}`;
}

/** "can be searched by our reference: authoritative". */
export function lookupSentence(descriptor: CapabilityDescriptor | null): string {
  switch (descriptor?.lookupByReference.kind) {
    case "authoritative":
      return "can be searched by our reference: authoritative";
    case "eventual":
      return "can be searched by our reference: with a lag";
    case "none":
      return "cannot be searched by our reference";
    case undefined:
      return "what it promises is not known";
  }
}

const DAY_MS = 86_400_000;

/** Milliseconds by which the platform's own rounding may move an expiry: two clocks closer than this agree (C-24). */
export function roundingMsOf(descriptor: CapabilityDescriptor | null): number {
  if (descriptor === null) return 1;
  const form = descriptor.expiryForm;
  return form.kind === "relative_days" ? DAY_MS : form.granularityMs;
}
