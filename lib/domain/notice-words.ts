import type { Word } from "./words";

/** What one try came to, in words; for people who look why a message did not come. */
export const NOTICE_TRY_WORDS: Readonly<Record<string, string>> = {
  delivered: "taken",
  answered: "not taken",
  refused: "refused for good",
  deferred: "the mail server asks to come again later",
  sign_in_refused: "the mail server refuses our sign-in",
  gone: 'answered "gone"',
  redirect: "redirect, not followed",
  timeout: "no answer in time",
  connection_lost: "not reached",
  target_refused: "address leads into an internal network, nothing was sent",
  way_closed: "this way was switched off meanwhile",
};

/** `550, refused for good`, `no answer in time`; null before the first try. */
export function noticeTryWords(status: number | null, outcome: string | null): string | null {
  const words = outcome === null ? null : (NOTICE_TRY_WORDS[outcome] ?? outcome);
  if (status === null) return words;
  return words === null ? String(status) : `${status}, ${words}`;
}

/** What became of a notice as a whole. */
export type NoticeState = "gathering" | "waiting" | "reached" | "unreached" | "silent" | "settled";

export const NOTICE_WORDS: Record<NoticeState, Word> = {
  gathering: {
    label: "Gathering",
    icon: "timer",
    tone: "quiet",
    sentence: "Waits a few seconds, so that one message tells of all that comes together.",
  },
  waiting: {
    label: "On its way",
    icon: "hourglass",
    tone: "wait",
    sentence: "Not taken yet, or held by quiet hours.",
  },
  reached: {
    label: "Reached somebody",
    icon: "circle-check",
    tone: "good",
    sentence: "At least one way took the message.",
  },
  unreached: {
    label: "Reached nobody",
    icon: "triangle-alert",
    tone: "danger",
    sentence: "No way took it. The next in line was told, and a review item says so.",
  },
  silent: {
    label: "Not sent",
    icon: "circle-slash",
    tone: "attention",
    sentence: "Mail is off and there is no endpoint: it is only in the console.",
  },
  settled: {
    label: "Settled before",
    icon: "circle-check",
    tone: "quiet",
    sentence: "Nothing of it was open any more before the message left.",
  },
};
