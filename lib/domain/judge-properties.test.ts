import fc from "fast-check";
import { expect, test } from "vitest";
import {
  after,
  anExpiry,
  aReminder,
  aResend,
  aSend,
  aVoid,
  BEFORE,
  detail,
  EARLIER,
  EXACT,
  extension,
  LATER,
  NO_LOOKUP,
  NO_TRACE,
  OLD,
  OP,
  REVIVABLE,
  STRICT,
  TARGET,
  THIRD,
  unreadable,
} from "@/lib/testing/judged";
import { DEFAULT_BOUNDS } from "./bounds";
import type { CapabilityDescriptor } from "./capability";
import { judge } from "./judge";
import type { CallDetail, CallOutcome, Observation, PlatformRequest } from "./observation";
import { isTerminal, REQUEST_STATUSES } from "./observation";
import { canMove } from "./operation";
import { ownerFor } from "./owner";
import { showsExpiry } from "./reached";
import { reasonWord } from "./reason";
import type { JudgedOperation, Phase, Verdict } from "./verdict";

const INSTANT = fc.constantFrom(OLD, TARGET, THIRD, "2027-03-15T11:00:00Z", "2027-03-15T13:30:00Z");

const REQUEST = fc.record<PlatformRequest>({
  platformRef: fc.constantFrom("env_1", "env_2"),
  clientReference: fc.constantFrom(null, OP, "another"),
  status: fc.constantFrom(...REQUEST_STATUSES),
  rawStatus: fc.constant("word"),
  expiresAt: fc.option(INSTANT, { nil: null }),
  version: fc.constant("1"),
  lastReminderAt: fc.constantFrom(null, EARLIER, LATER),
  platformReminders: fc.constantFrom(null, true, false),
  lastDeliveryAt: fc.constantFrom(null, EARLIER, LATER),
  signedCount: fc.nat(2),
  signerCount: fc.constant(2),
  signers: fc.constantFrom<PlatformRequest["signers"]>(
    [],
    [{ reference: "s_one", signed: false }],
    [{ reference: "s_one", signed: true }],
  ),
});

const CAUSE = fc.constantFrom<CallDetail["cause"]>(
  "timeout",
  "connection_lost",
  "response_cut",
  "response_unusable",
  "platform_error",
  "unlisted",
  "not_supported",
);

const OBSERVATION = fc.oneof(
  fc.record({
    kind: fc.constant("read" as const),
    matches: fc.array(REQUEST, { maxLength: 2 }),
  }),
  fc.constant<Observation>({ kind: "not_found" }),
  fc.record({
    kind: fc.constant("declined" as const),
    retryAfterMs: fc.option(fc.nat(), { nil: null }),
  }),
  CAUSE.map((cause): Observation => unreadable(cause)),
);

const DETAIL = CAUSE.map(detail);

const OUTCOME: fc.Arbitrary<CallOutcome> = fc.oneof(
  fc.constantFrom<CallOutcome>(
    { kind: "accepted", platformRef: "env_1" },
    { kind: "accepted", platformRef: null },
  ),
  DETAIL.map((it): CallOutcome => ({ kind: "rejected_payload", detail: it })),
  DETAIL.map((it): CallOutcome => ({ kind: "refused_state", detail: it })),
  DETAIL.map((it): CallOutcome => ({ kind: "precondition_failed", detail: it })),
  DETAIL.map((it): CallOutcome => ({ kind: "unknown", detail: it })),
  fc
    .record({ fix: fc.constantFrom("credentials", "template", "setting"), detail: DETAIL })
    .map((it): CallOutcome => ({ kind: "rejected_fixable", ...it })),
  fc
    .record({
      by: fc.constantFrom("rate_limit", "conflict"),
      retryAfterMs: fc.option(fc.nat(), { nil: null }),
      detail: DETAIL,
    })
    .map((it): CallOutcome => ({ kind: "declined", ...it })),
);

const PHASE: fc.Arbitrary<Phase> = fc.oneof(
  fc.constant(BEFORE),
  OUTCOME.map(after),
  fc
    .record({ absenceCounts: fc.boolean(), withinRetention: fc.boolean() })
    .map((it): Phase => ({ kind: "look", ...it })),
);

const FACTS = fc.record({
  acknowledged: fc.boolean(),
  attempts: fc.nat(6),
  earlierUnknown: fc.boolean(),
  lastRefusal: fc.constantFrom(null, "payload", "credentials", "template", "setting"),
  declines: fc.constantFrom(0, 19, 20, 21),
  looks: fc.constantFrom(0, 29, 30, 31),
  unknownForMs: fc.constantFrom(0, 7_199_999, 7_200_000),
  successorRecorded: fc.boolean(),
});

const BASELINE = fc.option(
  fc.record({
    lastReminderAt: fc.constantFrom(null, EARLIER, LATER),
    lastDeliveryAt: fc.constantFrom(null, EARLIER, LATER),
  }),
  { nil: null },
);

const REMINDERS = fc.record({
  owner: fc.constantFrom("platform" as const, "application" as const),
  deadlineAt: fc.constantFrom(null, EARLIER, THIRD),
  readAt: fc.constantFrom(EARLIER, LATER),
  lastContactAt: fc.constantFrom(null, EARLIER, LATER),
  minIntervalMs: fc.constantFrom(0, 3_600_000, 30 * 86_400_000),
});

const OPERATION = fc.oneof(
  FACTS.map((facts) => extension(facts)),
  FACTS.map((facts) => aSend(facts)),
  FACTS.map((facts) => aVoid(facts)),
  FACTS.map((facts) => anExpiry(facts)),
  fc
    .record({ facts: FACTS, baseline: BASELINE })
    .map(({ facts, baseline }) => aResend({ ...facts, baseline })),
  fc
    .record({ facts: FACTS, baseline: BASELINE, reminder: REMINDERS })
    .map(({ facts, baseline, reminder }) => aReminder({ ...facts, baseline }, reminder)),
);

const DESCRIPTOR = fc.constantFrom(EXACT, NO_LOOKUP, REVIVABLE, STRICT, NO_TRACE, {
  ...EXACT,
  expiryForm: { kind: "relative_days", from: "send" } as const,
});

/** Every combination that can be judged. fast-check prints the seed and the smallest case when one fails. */
function always(
  claim: (
    verdict: Verdict,
    operation: JudgedOperation,
    phase: Phase,
    observation: Observation,
    descriptor: CapabilityDescriptor,
  ) => void,
): void {
  fc.assert(
    fc.property(OPERATION, PHASE, OBSERVATION, DESCRIPTOR, (operation, phase, seen, descriptor) =>
      claim(judge(operation, phase, seen, descriptor), operation, phase, seen, descriptor),
    ),
    { numRuns: 4_000 },
  );
}

test("RC-1: a call is asked for only by the read before it, never by a look and never after a call", () => {
  always((verdict, _operation, phase) => {
    if (verdict.to === "act") expect(phase.kind).toBe("before");
  });
});

test("RC-8: after an own attempt no look ends in scheduled, failed_terminal or superseded unless absence counts", () => {
  always((verdict, operation, phase) => {
    if (phase.kind !== "look" || operation.attempts === 0 || phase.absenceCounts) return;
    expect(["scheduled", "failed_terminal", "superseded"]).not.toContain(verdict.to);
  });
});

test("RC-8 PL-3: a call that left goes again only on the platform's word that it was not processed", () => {
  always((verdict, _operation, phase, _seen, descriptor) => {
    if (phase.kind !== "after" || verdict.to !== "scheduled") return;
    const { outcome } = phase;
    if (outcome.kind === "precondition_failed") return;
    expect(outcome.kind).toBe("declined");
    expect(descriptor).toBe(STRICT);
  });
});

test("PL-6: done only when the observation shows the target, or when no read ever can and the platform accepted", () => {
  always((verdict, operation, phase, seen, descriptor) => {
    if (verdict.to !== "done") return;
    if (verdict.reason === "accepted_unverified") {
      expect(phase).toMatchObject({ kind: "after", outcome: { kind: "accepted" } });
      expect(descriptor).toBe(NO_TRACE);
      expect(["remind", "resend"]).toContain(operation.kind);
      return;
    }
    const [request] = seen.kind === "read" ? seen.matches : [];
    expect(request !== undefined && showsTarget(operation, request, descriptor)).toBe(true);
  });
});

function showsTarget(
  { target, baseline, attempts }: JudgedOperation,
  request: PlatformRequest,
  descriptor: CapabilityDescriptor,
): boolean {
  switch (target.kind) {
    case "exists":
      return request.clientReference === null || request.clientReference === OP;
    case "expiry":
      return showsExpiry(request, target.expiresAt, descriptor);
    case "status":
      return request.status === target.status;
    case "reminded":
      return attempts > 0 && (request.lastReminderAt ?? "") > (baseline?.lastReminderAt ?? "");
    case "resent":
      return attempts > 0 && (request.lastDeliveryAt ?? "") > (baseline?.lastDeliveryAt ?? "");
  }
}

test("RM-2 RM-3: a reminder leaves only to an open request with somebody left to sign, in time, and after the interval", () => {
  always((verdict, operation, _phase, seen) => {
    const { reminder } = operation;
    if (verdict.to !== "act" || reminder === null) return;
    const [request] = seen.kind === "read" ? seen.matches : [];
    expect(isTerminal(request?.status ?? "completed")).toBe(false);
    expect(request?.signers.every((signer) => signer.signed) && request.signers.length > 0).toBe(
      false,
    );
    expect(reminder.owner).toBe("application");
    expect(request?.platformReminders).not.toBe(true);
    const readAt = Date.parse(reminder.readAt);
    expect(Date.parse(reminder.deadlineAt ?? "2099-01-01T00:00:00Z")).toBeGreaterThan(readAt);
    for (const at of [reminder.lastContactAt, request?.lastReminderAt]) {
      if (at) expect(Date.parse(at) + reminder.minIntervalMs).toBeLessThanOrEqual(readAt);
    }
  });
});

test("RC-5: after a call that may have left, a resend is never scheduled by a look", () => {
  always((verdict, operation, phase) => {
    if (operation.kind !== "resend" || phase.kind !== "look" || operation.attempts === 0) return;
    expect(verdict.to).not.toBe("scheduled");
  });
});

test("RV-1: every verdict that asks a person has an owner", () => {
  const nobody = { proposer: null, approver: null, requestOwner: null, connectionOwner: "" };
  always((verdict) => {
    if (verdict.to !== "quarantined" && verdict.to !== "needs_review") return;
    expect(ownerFor(reasonWord(verdict.reason).owner, nobody)).toMatch(/^(team|account):./);
  });
});

test("SM-1: every verdict is a legal move from the state in which its phase is judged", () => {
  const FROM = { before: "claimed", after: "submitting", look: "reconciling" } as const;
  always((verdict, operation, phase) => {
    if (verdict.to === "act") return;
    if (phase.kind === "after" && operation.attempts === 0) return;
    expect([FROM[phase.kind], verdict.to, canMove(FROM[phase.kind], verdict.to)]).toEqual([
      FROM[phase.kind],
      verdict.to,
      true,
    ]);
  });
});

test("PL-3: while an earlier attempt is unknown, no refusal ends the operation", () => {
  always((verdict, operation, phase) => {
    if (phase.kind !== "after" || !operation.earlierUnknown) return;
    expect(["failed_terminal", "obsolete", "needs_review"]).not.toContain(verdict.to);
  });
});

test("RC-4: past the bounds a look never leaves the operation unknown", () => {
  always((verdict, operation, phase) => {
    if (phase.kind !== "look" || operation.looks < DEFAULT_BOUNDS.looksMax) return;
    expect(verdict.to).not.toBe("needs_reconcile");
  });
});

test("PL-2: without look-up a send is never sent a second time by itself", () => {
  always((verdict, operation, phase, seen, descriptor) => {
    if (descriptor !== NO_LOOKUP || operation.kind !== "send" || operation.attempts === 0) return;
    if (phase.kind === "after" || seen.kind !== "unreadable") return;
    if (seen.detail.cause !== "not_supported") return;
    expect(["act", "scheduled"]).not.toContain(verdict.to);
  });
});
