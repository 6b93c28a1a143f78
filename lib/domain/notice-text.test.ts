import { expect, test } from "vitest";
import { nextInLine } from "./next-in-line";
import {
  NOTICE_KINDS,
  NOTICE_TRIES_MAX,
  pauseAfterNoticeTry,
  UNREACHED_AFTER_TRIES,
} from "./notice";
import { noticeChat, noticeEvent, noticeMail } from "./notice-message";
import type { NoticeFacts } from "./notice-text";
import { REASON_CODES } from "./reason";

const FACTS: NoticeFacts = {
  kind: "review_opened",
  escalation: false,
  reason: "possible_duplicate",
  consequence: "critical",
  count: 3,
  losesAt: "2026-12-02T15:00:00Z",
  audience: "team:on-call",
  openedAt: "2026-12-01T10:00:00.000Z",
  url: "https://ledger.invalid/t/north/reviews?reason=possible_duplicate&size=50",
};

test("OB-2: a mail says what happened, how many, what is lost when in the reader's zone, whose it is, and where to look", () => {
  const { subject, text, html } = noticeMail(FACTS, "Europe/Berlin", "https://ledger.invalid/me");
  expect(subject).toBe("[Deadline Ledger] 3 items wait for a decision: possible duplicate");
  for (const part of [
    "The first deadline is lost at 2026-12-02 16:00:00 CET (Europe/Berlin).",
    "Consequence of waiting: critical.",
    "Whose it is: the on-call engineers.",
    FACTS.url,
    "https://ledger.invalid/me",
  ]) {
    expect(text).toContain(part);
  }
  expect(html).toContain(
    'href="https://ledger.invalid/t/north/reviews?reason=possible_duplicate&amp;size=50"',
  );
});

test("OB-2: every kind of notice and every reason has words, and none of them shows a gap", () => {
  for (const kind of NOTICE_KINDS) {
    for (const reason of [null, ...REASON_CODES]) {
      for (const count of [1, 2]) {
        const facts = { ...FACTS, kind, reason, count };
        const { subject, text } = noticeMail(facts, "UTC", "https://ledger.invalid/me");
        expect(`${subject} ${text} ${noticeChat(facts)}`).not.toMatch(
          /undefined|not recorded|\{n\}/,
        );
      }
    }
  }
});

test("OB-2: what a webhook gets is the same for every try and holds codes and opaque references", () => {
  expect(noticeEvent(FACTS)).toBe(noticeEvent({ ...FACTS }));
  expect(JSON.parse(noticeEvent(FACTS))).toEqual({
    type: "notice.review_opened",
    timestamp: FACTS.openedAt,
    data: {
      escalation: false,
      reason: "possible_duplicate",
      consequence: "critical",
      count: 3,
      loses_at: FACTS.losesAt,
      owner: "team:on-call",
      url: FACTS.url,
    },
  });
});

test("OB-2: after a person comes the team, then on-call, then the admins, and nobody twice", () => {
  const first = { first: "account:a", team: "team:compliance", byRota: false };
  const line: string[] = [];
  for (let next = nextInLine({ ...first, after: [] }); next !== null; ) {
    line.push(next);
    next = nextInLine({ ...first, after: line });
  }
  expect(line).toEqual(["team:compliance", "team:on-call", "team:admins"]);
  const team = { first: "team:on-call", team: "team:on-call", after: [] };
  expect(nextInLine({ ...team, byRota: true })).toBe("team:on-call");
  expect(nextInLine({ ...team, byRota: false })).toBe("team:admins");
});

test("OB-2: the tries of a delivery are bounded, and the next in line is told before they end", () => {
  const pauses = Array.from({ length: NOTICE_TRIES_MAX }, (_, n) => pauseAfterNoticeTry(n + 1, 0));
  expect(pauses.at(-1)).toBeNull();
  expect(pauses.slice(0, -1)).not.toContain(null);
  expect(UNREACHED_AFTER_TRIES).toBeLessThan(NOTICE_TRIES_MAX);
  expect(pauseAfterNoticeTry(1, 0, 60_000)).toBe(60_000);
});
