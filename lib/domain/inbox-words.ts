import type { Word } from "./words";

/** What an event can come to. */
export const INBOX_OUTCOMES = [
  "received",
  "applied",
  "no_change",
  "unmatched",
  "quarantined",
  "dead",
] as const;

export type InboxOutcome = (typeof INBOX_OUTCOMES)[number];

/** What a badge says of an event: its outcome, or that it came more than once. */
export const INBOX_WORDS: Record<InboxOutcome | "duplicate", Word> = {
  received: {
    label: "Not applied yet",
    icon: "clock",
    tone: "wait",
    sentence: "Recorded. A worker applies it and tries again when that fails.",
  },
  applied: {
    label: "Applied",
    icon: "circle-check",
    tone: "good",
    sentence: "It moved our mirror, or ordered the read that says what it means.",
  },
  no_change: {
    label: "No change",
    icon: "circle-slash",
    tone: "quiet",
    sentence: "Our mirror knew as much or more.",
  },
  unmatched: {
    label: "Not matched yet",
    icon: "unlink",
    tone: "wait",
    sentence: "It may belong to a send that is still open, and waits for it.",
  },
  quarantined: {
    label: "Quarantined",
    icon: "octagon-alert",
    tone: "attention",
    sentence: "Authentic, and not understood or about nothing that we know. It changed nothing.",
  },
  dead: {
    label: "Dead letter",
    icon: "mail-x",
    tone: "danger",
    sentence: "It could not be applied in all tries. Its body is kept until somebody replays it.",
  },
  duplicate: {
    label: "Duplicate[ ×{n}]",
    icon: "copy",
    tone: "quiet",
    sentence: "The same event was delivered more than once. Copies are counted and change nothing.",
  },
};

export const SOURCE_WORDS = { webhook: "webhook", poll: "poll" } as const;

/** Why deliveries failed authentication. */
export const REFUSED_WORDS: Readonly<Record<string, string>> = {
  headers: "headers missing or broken",
  timestamp: "time outside the tolerance",
  signature: "no active secret fits",
};

/** What a replay came to, in words after a number: "3 applied". */
const REPLAY_WORDS: Readonly<Record<string, string>> = {
  applied: "applied",
  no_change: "without a change",
  unmatched: "wait for a send",
  quarantined: "quarantined",
  received: "to be tried again by a worker",
};

/** One event's replay in words. */
export function replayWords(result: string): string {
  return REPLAY_WORDS[result] ?? result;
}

/** `3 applied, 12 without a change`; "nothing" when there were none. */
export function replaySum(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([result, count]) => `${count} ${replayWords(result)}`);
  return parts.length === 0 ? "nothing" : parts.join(", ");
}

/** At least so many events are replayed in a second; what is said beforehand about how long it takes. */
const REPLAYED_PER_SECOND = 100;

/** `about 44 s`, `about 3 min`. */
export function replayTime(count: number): string {
  const seconds = Math.max(1, Math.ceil(count / REPLAYED_PER_SECOND));
  return seconds < 90 ? `about ${seconds} s` : `about ${Math.ceil(seconds / 60)} min`;
}

/** What an event changed, one sentence each; what it did not change is left out. */
export function effectSentences(
  effects: Readonly<Record<string, unknown>> | null,
): readonly string[] {
  if (effects === null) return [];
  const { from, to, ended, woken, outbox, read, late, meaning } = effects;
  const sentences: string[] = [];
  if (meaning === "read" && typeof to === "string") sentences.push(`A poll read "${to}".`);
  else if (typeof to === "string") {
    sentences.push(`Our mirror moved from "${textOr(from, "never read")}" to "${to}".`);
  } else if (typeof meaning === "string") sentences.push(MEANINGS[meaning] ?? "");
  if (count(ended) > 0) sentences.push(`${counted(count(ended), "waiting operation")} ended.`);
  if (count(woken) > 0) sentences.push(`${counted(count(woken), "unknown operation")} woken.`);
  if (count(outbox) > 0) sentences.push("Subscribers are told once a read agrees.");
  if (read === true) sentences.push("An authoritative read was ordered.");
  if (late === true) sentences.push("Completed after the business deadline.");
  return sentences.filter((sentence) => sentence !== "");
}

const MEANINGS: Readonly<Record<string, string>> = {
  advance: "Somebody else moved our mirror at the same moment.",
  same: "Our mirror said the same.",
  behind: "It tells of an earlier state than our mirror holds.",
  contradiction: "It tells another final end than our mirror holds, and moved nothing.",
  needs_read: "Only a read may say what it means.",
};

function count(value: unknown): number {
  return typeof value === "number" ? value : 0;
}

function counted(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}

function textOr(value: unknown, other: string): string {
  return typeof value === "string" ? value : other;
}
