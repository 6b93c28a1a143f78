import type { Word } from "./words";

export type Mode = "off" | "shadow" | "live";

export const MODE_WORDS: Record<Mode, Word> = {
  off: { label: "Off", icon: "power-off", tone: "quiet", sentence: "Proposals are refused." },
  shadow: {
    label: "Shadow",
    icon: "flask-conical",
    tone: "wait",
    sentence: "Everything but the call. We record what it would have done.",
  },
  live: {
    label: "Live",
    icon: "radio",
    tone: "info",
    sentence: "Approved operations reach the platform.",
  },
};

export type SwitchState = "running" | "paused" | "ramping";

export const SWITCH_WORDS: Record<SwitchState, Word> = {
  running: { label: "Running", icon: "play", tone: "quiet", sentence: "Nothing is paused here." },
  paused: {
    label: "Paused",
    icon: "octagon-pause",
    tone: "danger",
    sentence: "No new operation starts. Reads, events and reviews go on.",
  },
  ramping: {
    label: "Resuming",
    icon: "timer",
    tone: "attention",
    sentence: "Held operations start again, a few per minute.",
  },
};

export type ConnectionState = "ok" | "throttled" | "budget_low" | "refused" | "silent";

export const CONNECTION_WORDS: Record<ConnectionState, Word> = {
  ok: { label: "Answers", icon: "plug", tone: "good", sentence: "The last call was answered." },
  throttled: {
    label: "Throttled[ until {t}]",
    icon: "timer",
    tone: "wait",
    sentence: "The platform asked us to wait.",
  },
  budget_low: {
    label: "Reads low",
    icon: "gauge",
    tone: "wait",
    sentence: "Few reads are left in this hour.",
  },
  refused: {
    label: "Refuses our credentials",
    icon: "key-round",
    tone: "danger",
    sentence: "The platform refuses our credentials. Nothing is sent until they are corrected.",
  },
  silent: {
    label: "Does not answer[ since {t}]",
    icon: "unplug",
    tone: "unknown",
    sentence: "Calls end without an answer. What they did is unknown until a read tells.",
  },
};

export type WorkerState = "alive" | "late" | "dead" | "draining";

export const WORKER_WORDS: Record<WorkerState, Word> = {
  alive: { label: "Alive", icon: "heart-pulse", tone: "good", sentence: "Its heartbeat is fresh." },
  late: {
    label: "Late",
    icon: "timer",
    tone: "wait",
    sentence: "No heartbeat for {n} s.",
  },
  dead: {
    label: "Dead",
    icon: "heart-crack",
    tone: "danger",
    sentence: "No heartbeat for 30 s. What it held is taken over.",
  },
  draining: {
    label: "Stopping",
    icon: "hourglass",
    tone: "quiet",
    sentence: "Finishes or gives back what it holds, and takes nothing new.",
  },
};

export type ChainState = "verified" | "broken" | "unsealed";

export const CHAIN_WORDS: Record<ChainState, Word> = {
  verified: {
    label: "Verified",
    icon: "link",
    tone: "good",
    sentence: "Hashes fit[ to seal {n} of {moment}].",
  },
  broken: { label: "Changed", icon: "unlink", tone: "danger", sentence: "Entry {n} does not fit." },
  unsealed: {
    label: "Not sealed yet",
    icon: "circle-dot-dashed",
    tone: "quiet",
    sentence: "Not part of a seal yet.[ Next seal at {moment}.]",
  },
};

export type VerificationResult = "passed" | "failed" | "indeterminate" | "not_run" | "running";

export const VERIFICATION_WORDS: Record<VerificationResult, Word> = {
  passed: {
    label: "Passed",
    icon: "shield-check",
    tone: "good",
    sentence: "Every required check passed under policy {policy} v{n}.",
  },
  failed: {
    label: "Failed",
    icon: "shield-x",
    tone: "danger",
    sentence: "At least one check proves that the signature or the document is not good.",
  },
  indeterminate: {
    label: "Indeterminate",
    icon: "shield-question-mark",
    tone: "unknown",
    sentence: "The evidence at hand proves neither. It may pass later.",
  },
  not_run: {
    label: "Not verified yet",
    icon: "circle-dashed",
    tone: "quiet",
    sentence: "No result yet. This is not a pass.",
  },
  running: {
    label: "Verifying",
    icon: "loader-circle",
    tone: "work",
    sentence: "No result yet. This is not a pass.",
  },
};

export type AgeBand = "within" | "warning" | "breached";

export const AGE_BAND_WORDS: Record<AgeBand, Word> = {
  within: {
    label: "Within its limit",
    icon: "clock",
    tone: "quiet",
    sentence: "Less than half of its limit has passed.",
  },
  warning: {
    label: "Limit near",
    icon: "clock-alert",
    tone: "wait",
    sentence: "More than half of its limit has passed.",
  },
  breached: {
    label: "Past its limit",
    icon: "alarm-clock",
    tone: "danger",
    sentence: "Older than its limit; the escalation contact is told.",
  },
};

/** `warning` from half of the limit, `breached` from the limit on; both in milliseconds. */
export function ageBandOf(ageMs: number, limitMs: number): AgeBand {
  if (ageMs >= limitMs) return "breached";
  return ageMs * 2 >= limitMs ? "warning" : "within";
}
