import { expect, test } from "vitest";
import { OPERATION_STATES } from "./operation";
import { ownerToldAt, type SentenceFacts, shortSentence, topSentences } from "./operation-sentence";
import { REASON_CODES } from "./reason";

const FACTS: SentenceFacts = {
  state: "needs_reconcile",
  reason: "call_timed_out",
  zone: "Europe/Berlin",
  attempts: 1,
  attemptsMax: 5,
  looks: 2,
  looksMax: 30,
  callTimeoutMs: 10_000,
  unknownSince: "2026-11-30T16:21:00Z",
  unknownToldAfterMs: 7_200_000,
  nextLookAt: "2026-11-30T16:24:00Z",
  approvalExpiresAt: null,
  dueAt: "2026-11-30T16:20:00Z",
  owner: null,
  successorOpId: null,
  platformRef: null,
  target: "2026-12-18T16:00:00Z",
  expected: "2026-12-15T16:00:00Z",
  expectedStatus: "viewed",
  lastRead: {
    at: "2026-11-30T16:21:30Z",
    status: "viewed",
    expiresAt: "2026-12-01T00:00:00Z",
    matches: 1,
  },
  now: "2026-11-30T16:22:07Z",
};

test("unknown is said in plain words, first what is so and then why", () => {
  expect(topSentences(FACTS)).toEqual([
    "We could not confirm that the platform applied this. It is not repeated.",
    "The platform did not answer within 10 s. It may have applied the change.",
  ]);
  expect(ownerToldAt(FACTS)).toBe("2026-11-30T18:21:00.000Z");
});

test("an operation that never called is not said to be possibly applied", () => {
  const facts = { ...FACTS, attempts: 0, reason: "read_before_failed" };
  expect(topSentences(facts).join(" ")).toBe(
    "We could not read the request before acting, so we did not act. Nothing was sent.",
  );
});

test("a request that ended first is told as such", () => {
  const facts = { ...FACTS, state: "obsolete", reason: "request_completed_first" } as const;
  expect(topSentences(facts)[0]).toBe("Not applied: the request was completed first.");
});

test("a conflict names what was seen and what was found, and who decides", () => {
  const facts = {
    ...FACTS,
    state: "quarantined",
    reason: "expiry_changed_since_approval",
  } as const;
  expect(topSentences({ ...facts, owner: "team:on-call" })).toEqual([
    "The approver saw expiry 15 Dec 2026, 17:00 CET; the platform now says 1 Dec 2026, 01:00 CET. Nothing was sent.",
    "The on-call team decides.",
  ]);
});

test("a list has a sentence for every state with any reason, and none speaks of success or failure", () => {
  for (const state of OPERATION_STATES) {
    for (const reason of [...REASON_CODES, "of_a_later_release"]) {
      const text = [
        ...topSentences({ ...FACTS, state, reason }),
        shortSentence({ ...FACTS, state, reason }),
      ];
      for (const sentence of text) {
        expect(sentence, `${state} ${reason}`).not.toBe("");
        expect(sentence).not.toMatch(/\{|\bsucce|synced/i);
      }
    }
  }
});

test("an ordinary step is told by its state, with the due time while it lies ahead", () => {
  const facts = { ...FACTS, state: "scheduled", reason: "approved" } as const;
  expect(shortSentence({ ...facts, dueAt: "2026-12-01T08:00:00Z" })).toBe(
    "Approved. Due 1 Dec 2026, 08:00 UTC.",
  );
  expect(shortSentence(facts)).toContain("A worker starts it when it is due");
});

test("RM-2 RM-3: a reminder that came too soon says who was earlier and when the next one is possible", () => {
  const facts = { ...FACTS, state: "obsolete", reason: "skipped_too_soon" } as const;
  const contact = {
    at: "2026-11-30T13:21:30Z",
    by: "platform",
    possibleAt: "2026-12-01T13:21:30Z",
  } as const;
  expect(topSentences({ ...facts, contact })[0]).toBe(
    "Reminder skipped: last reminder 3 h ago by the platform; possible again 1 Dec 2026, 13:21 UTC.",
  );
  expect(topSentences(facts)[0]).toBe("Reminder skipped.");
});

test("C-14 screens 4.6: a void that was overtaken, and one that did nothing, say so first", () => {
  const overtaken = { ...FACTS, state: "obsolete", reason: "platform_refused_completed" } as const;
  expect(topSentences(overtaken)[0]).toBe("Not applied: the request was completed first.");
  const idle = { ...FACTS, state: "failed_terminal", reason: "void_not_applied" } as const;
  expect(topSentences({ ...idle, looks: 7 })[0]).toBe(
    "The platform said yes, but 7 reads over 1 min 7 s still show Opened. It is not voided.",
  );
});

test("PL-6: what is done on the platform's word alone is not said to be shown by a read", () => {
  const facts = { ...FACTS, state: "done", reason: "accepted_unverified" } as const;
  expect(topSentences(facts)).toEqual([
    "The platform accepted it. No read can show this effect, so its acceptance is the evidence.",
  ]);
});
