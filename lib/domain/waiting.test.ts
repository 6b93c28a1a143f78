import { expect, test } from "vitest";
import { FINAL_STATES, OPERATION_STATES } from "./operation";
import { clockWords, nextLookSentence, ownerWords, type WaitingFacts, waitingFor } from "./waiting";

const FACTS: WaitingFacts = {
  state: "scheduled",
  now: "2026-11-30T16:22:07Z",
  approvalsHave: 1,
  approvalsNeed: 1,
  approvalExpiresAt: "2026-12-01T16:06:00Z",
  dueAt: "2026-11-30T16:20:00Z",
  heldBy: null,
  holdsBack: [],
  pausedBy: null,
  quotaFull: null,
  readsFreeAt: null,
  leaseUntil: null,
  nextLookAt: null,
  looks: 0,
  looksMax: 12,
  owner: null,
};

const other = {
  opId: "7c1e4b09-0000-4000-8000-000000000001",
  kind: "extend",
  state: "needs_reconcile",
} as const;

function holding(facts: Partial<WaitingFacts>) {
  return waitingFor({ ...FACTS, ...facts }).conditions.find(({ status }) => status === "holds");
}

test("at most one condition holds in any state, and a final operation waits for nothing", () => {
  for (const state of OPERATION_STATES) {
    const { conditions } = waitingFor({ ...FACTS, state, heldBy: other });
    const count = conditions.filter(({ status }) => status === "holds").length;
    const final = (FINAL_STATES as readonly string[]).includes(state);
    expect(count, state).toBe(final ? 0 : 1);
  }
});

test("a proposal waits for its approvals and says when the request for them expires", () => {
  expect(holding({ state: "proposed", approvalsHave: 0 })).toMatchObject({
    name: "approval",
    code: "awaiting_approval",
    sentence: "Waits for 0 of 1 approvals. The request for approval expires 1 Dec 2026, 16:06 UTC.",
  });
});

test("CL-4: what holds the request is named, and can be opened", () => {
  expect(holding({ heldBy: other })).toMatchObject({
    name: "request_free",
    sentence: "Another change of this request is not settled: extend op 7c1e4b09, unknown.",
    about: other,
  });
});

test("the order is approval, due, request, pause, platform: the first unmet one holds", () => {
  const late = { dueAt: "2026-11-30T18:00:00Z", heldBy: other };
  expect(holding(late)?.name).toBe("due");
  expect(waitingFor({ ...FACTS, ...late }).next).toBe("2026-11-30T18:00:00Z");
  const pausedBy = { scope: "connection sbx-1", since: "2026-11-30T15:40:00Z" };
  expect(holding({ pausedBy })?.sentence).toBe(
    "Paused: connection sbx-1 since 15:40 UTC. It is not lost.",
  );
  expect(holding({})?.name).toBe("platform");
});

test("CL-5 PL-7: a full quota holds before used up reads, and each says what is used", () => {
  const quotaFull = { of: "in_flight", scope: "connection", used: 8, limit: 8, ahead: 3 } as const;
  const readsFreeAt = "2026-11-30T16:40:00Z";
  expect(holding({ quotaFull, readsFreeAt })).toMatchObject({
    name: "capacity",
    code: "awaiting_capacity",
    sentence: "8 of 8 operations are in flight on this connection. About 3 are ahead.",
  });
  expect(holding({ quotaFull: { ...quotaFull, of: "calls", scope: "tenant" } })?.sentence).toBe(
    "8 of 8 calls of the last minute are used in this tenant. About 3 are ahead.",
  );
  expect(holding({ readsFreeAt })).toMatchObject({
    name: "reads",
    code: "awaiting_read_budget",
    sentence: "Reads of this hour are used up. The next one is free at 16:40 UTC.",
  });
  expect(waitingFor({ ...FACTS, readsFreeAt }).next).toBe(readsFreeAt);
  expect(holding({ state: "claimed", quotaFull, readsFreeAt })?.name).toBe("platform");
});

test("an unknown operation waits for the next look, a reviewed one for its owner", () => {
  const nextLookAt = "2026-11-30T16:24:00Z";
  const unknown = waitingFor({ ...FACTS, state: "needs_reconcile", nextLookAt, looks: 2 });
  expect(unknown.next).toBe(nextLookAt);
  expect(unknown.conditions.at(-1)?.sentence).toBe("Next look 16:24 UTC, look 3 of 12.");
  expect(holding({ state: "needs_review", owner: "team:on-call" })).toMatchObject({
    name: "person",
    sentence: "The on-call team decides.",
  });
});

test("a look that is overdue is said to come now, and a nameless owner is never empty", () => {
  expect(nextLookSentence({ ...FACTS, nextLookAt: FACTS.dueAt })).toBe(
    "Next look now, look 1 of 12.",
  );
  expect(ownerWords(null)).not.toBe("");
  expect(ownerWords("account:7c1e4b09-0000-4000-8000-000000000001")).toBe("Account 7c1e4b09");
  expect(clockWords("2026-12-01T00:00:00Z", FACTS.now)).toBe("1 Dec 2026, 00:00 UTC");
});
