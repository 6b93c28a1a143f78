import { canonicalText, sha256Hex } from "./canonical";

/** What becomes of what a switch held, in the order in which the preview shows it (BL-6). */
export const RESUME_GROUPS = [
  "start",
  "due_later",
  "deadline_passed",
  "approval_expired",
  "joined",
  "reminder_past",
  "waits",
  "still_held",
] as const;

export type ResumeGroup = (typeof RESUME_GROUPS)[number];

export const RESUME_WORDS: Record<ResumeGroup, { readonly label: string; readonly note: string }> =
  {
    start: {
      label: "Would start now",
      note: "A worker reads the platform and checks the approval before each call.",
    },
    due_later: { label: "Due later", note: "They start at their own time." },
    deadline_passed: {
      label: "Deadline passed while held",
      note: "Not started. Each goes to review and needs a decision.",
    },
    approval_expired: {
      label: "Approvals expired",
      note: "Nobody approved in time. They ended; propose again where it is still wanted.",
    },
    joined: {
      label: "Reminders joined",
      note: "Missed ones of a plan become its newest one; they are not sent.",
    },
    reminder_past: {
      label: "Reminders past their deadline",
      note: "They end and are not sent.",
    },
    waits: {
      label: "Wait for another operation",
      note: "Their request has an operation that a person decides, or that has to be done first.",
    },
    still_held: {
      label: "Held by another switch or mode",
      note: "They go on waiting.",
    },
  };

export interface PreviewItem {
  readonly group: ResumeGroup;
  readonly opId: string;
}

export interface PreviewSeal {
  /** How many operations the preview names. */
  readonly count: number;
  /** SHA-256 over the groups with the ids in them. */
  readonly hash: string;
}

/** Binds what was on screen: the same groups with the same operations give the same seal, in any order. */
export function sealOf(items: readonly PreviewItem[]): PreviewSeal {
  const groups = Object.fromEntries(
    RESUME_GROUPS.map((group) => [
      group,
      items
        .filter((item) => item.group === group)
        .map(({ opId }) => opId)
        .sort(),
    ]),
  );
  return { count: items.length, hash: sha256Hex(canonicalText(groups)) };
}
