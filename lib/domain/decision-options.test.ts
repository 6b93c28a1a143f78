import fc from "fast-check";
import { expect, test } from "vitest";
import { EXACT, extension, NO_LOOKUP, OLD, OP, TARGET, THIRD } from "@/lib/testing/judged";
import { DECISION_CODES, type DecisionOption } from "./decision";
import { type DecisionFamily, familyOf } from "./decision-family";
import { type DecisionFacts, decisionOptions, optionAmong } from "./decision-options";
import { type DecidedSubject, decisionVerdict, overriddenMove } from "./decision-verdict";
import type { Observation, PlatformRequest } from "./observation";
import { REQUEST_STATUSES } from "./observation";
import { canMove, HUMAN_STATES, OPERATION_KINDS, OPERATION_STATES } from "./operation";
import { REASON_CODES, reasonWord } from "./reason";
import { REFUSALS } from "./refusal-words";

const NOW = "2027-03-10T12:00:00.000Z";
const OPENS_MS = Date.parse("2027-03-10T12:00:05.000Z");

const FAMILIES: readonly DecisionFamily[] = [
  "operation",
  "extra_request",
  "late_evidence",
  "drift",
  "setting",
  "late_signature",
  "zone_rules",
  "input",
  "delivery",
  "notice",
];

const FACTS = fc.record<DecisionFacts>({
  reason: fc.constantFrom(...REASON_CODES),
  family: fc.constantFrom(...FAMILIES),
  settled: fc.constantFrom(false, false, false, true),
  operation: fc.option(
    fc.record({
      kind: fc.constantFrom(...OPERATION_KINDS),
      state: fc.constantFrom(...HUMAN_STATES),
      attempts: fc.nat(6),
      attemptsMax: fc.constant(5),
      acknowledged: fc.boolean(),
      successorRecorded: fc.boolean(),
      refused: fc.boolean(),
      effectReadable: fc.boolean(),
    }),
    { nil: null },
  ),
  requestEnded: fc.boolean(),
  absence: fc.oneof(
    fc.record({ fromMs: fc.constantFrom(Number.NEGATIVE_INFINITY, Date.parse(NOW), OPENS_MS) }),
    fc.record({ never: fc.constantFrom("times" as const, "worker" as const) }),
  ),
  readable: fc.boolean(),
  searchable: fc.boolean(),
  may: fc.record({ replay: fc.boolean(), deliveries: fc.boolean() }),
  now: fc.constant(NOW),
});

function forOperation(facts: Partial<DecisionFacts> = {}): DecisionFacts {
  return {
    reason: "reconcile_bound_reached",
    family: "operation",
    settled: false,
    operation: {
      kind: "extend",
      state: "needs_review",
      attempts: 1,
      attemptsMax: 5,
      acknowledged: false,
      successorRecorded: false,
      refused: false,
      effectReadable: true,
    },
    requestEnded: false,
    absence: { fromMs: Date.parse(NOW) - 1 },
    readable: true,
    searchable: true,
    may: { replay: true, deliveries: true },
    now: NOW,
    ...facts,
  };
}

function option(facts: DecisionFacts, code: DecisionOption["code"]): DecisionOption {
  const found = optionAmong(decisionOptions(facts), code);
  if (found === null) throw new Error(`${code} is not listed`);
  return found;
}

test("RV-3: whatever the facts, a closed option says why, an open one does not, and no option stands twice", () => {
  fc.assert(
    fc.property(FACTS, (facts) => {
      const options = decisionOptions(facts);
      expect(new Set(options.map(({ code }) => code)).size).toBe(options.length);
      for (const one of options) {
        expect(one.closedBecause === null).toBe(one.open);
        if (one.closedBecause !== null) expect(REFUSALS[one.closedBecause]).toBeTruthy();
        if (one.opensAt !== null) expect(one.open).toBe(false);
      }
      expect(facts.settled && options.length > 0).toBe(false);
    }),
  );
});

test("RV-3 SM-1: schedule again is never open from quarantined, never overridable, and never without proof", () => {
  fc.assert(
    fc.property(FACTS, (facts) => {
      const again = optionAmong(decisionOptions(facts), "schedule_again");
      if (again === null) return;
      expect([again.overridable, again.secondPerson]).toEqual([false, false]);
      if (!again.open) return;
      const { operation, absence } = facts;
      expect(operation?.state).toBe("needs_review");
      const proven =
        operation?.attempts === 0 ||
        operation?.refused ||
        ("fromMs" in absence && absence.fromMs <= Date.parse(NOW) && again.needsRead);
      expect(proven).toBe(true);
      expect(facts.reason).not.toBe("possible_duplicate");
    }),
  );
});

test("RC-8: after a call, what claims not applied is closed until absence can be proven, and says when it opens", () => {
  fc.assert(
    fc.property(
      FACTS,
      fc.constantFrom("not_applied" as const, "not_needed" as const),
      (facts, code) => {
        const claim = optionAmong(decisionOptions(facts), code);
        const { operation, absence } = facts;
        if (claim === null || operation === null || operation.attempts === 0) return;
        if (code === "not_needed" && facts.requestEnded) return;
        const early = "fromMs" in absence && absence.fromMs > Date.parse(NOW);
        if (early && facts.reason !== "possible_duplicate") {
          expect(claim).toMatchObject({
            open: false,
            closedBecause: "decision_absence_open",
            opensAt: "2027-03-10T12:00:05Z",
          });
        }
        if ("never" in absence && absence.never === "worker") expect(claim.open).toBe(false);
        // Where no moment will ever prove it, only two people together can end it.
        if (claim.open && "never" in absence) expect(claim.secondPerson).toBe(true);
      },
    ),
  );
});

test("RC-8: the same facts after that instant have it open", () => {
  const early = forOperation({ absence: { fromMs: OPENS_MS } });
  const late = { ...early, now: "2027-03-10T12:00:05.000Z" };
  for (const code of ["not_applied", "not_needed", "schedule_again"] as const) {
    expect([code, option(early, code).open, option(late, code).open]).toEqual([code, false, true]);
  }
  expect(option(early, "applied").open).toBe(true);
});

test("every item family lists its options, and an operation lists all five, closed ones too", () => {
  const quarantined = forOperation({ reason: "neither_old_nor_new" });
  const facts = {
    ...quarantined,
    operation: quarantined.operation && { ...quarantined.operation, state: "quarantined" as const },
  };
  expect(decisionOptions(facts).map(({ code, open }) => [code, open])).toEqual([
    ["applied", true],
    ["not_needed", true],
    ["replace", true],
    ["not_applied", true],
    ["schedule_again", false],
  ]);
  for (const family of FAMILIES) {
    const { length } = decisionOptions(forOperation({ family }));
    expect([family, length > 0]).toEqual([family, true]);
  }
});

test("C-11: several requests with one reference are decided by choosing one, or by a replacement", () => {
  const facts = forOperation({ reason: "possible_duplicate" });
  expect(option(facts, "keep_one")).toMatchObject({ open: true, reference: "choose" });
  for (const code of ["not_needed", "not_applied", "schedule_again"] as const) {
    expect(option(facts, code).closedBecause).toBe("decision_not_for_reason");
  }
});

test("screens 4.8: without a look-up a send is applied by its reference and denied by two people only", () => {
  const base = forOperation({ reason: "no_lookup", searchable: false, readable: false });
  const facts = {
    ...base,
    operation: base.operation && { ...base.operation, kind: "send" as const },
  };
  expect(option(facts, "applied")).toMatchObject({ open: true, reference: "enter" });
  expect(option(facts, "not_applied")).toMatchObject({ open: true, secondPerson: true });
  expect(option(facts, "schedule_again")).toMatchObject({
    open: false,
    closedBecause: "proof_needed",
  });
});

test("PL-3: after a refused credential the refusal itself is the proof", () => {
  const base = forOperation({
    reason: "credentials_refused",
    absence: { never: "times" },
  });
  const facts = { ...base, operation: base.operation && { ...base.operation, refused: true } };
  expect(option(facts, "schedule_again")).toMatchObject({ open: true, needsRead: true });
});

test("the family follows from what an item is about and where its operation stands", () => {
  const nothing = { operation: null, hasRequest: false, hasEvent: false, hasSubscriber: false };
  const about = { ...nothing, hasRequest: true };
  const waiting = { state: "quarantined", reason: "neither_old_nor_new" } as const;
  const cases: [Parameters<typeof familyOf>[0], DecisionFamily][] = [
    [{ ...about, reason: "neither_old_nor_new", operation: waiting }, "operation"],
    [{ ...about, reason: "late_result_contradicts", operation: waiting }, "late_evidence"],
    [
      { ...about, reason: "possible_duplicate", operation: { ...waiting, state: "done" } },
      "extra_request",
    ],
    [{ ...about, reason: "drift_expiry" }, "drift"],
    [{ ...about, hasEvent: true, reason: "contradicting_end" }, "drift"],
    [{ ...about, reason: "platform_also_reminds" }, "setting"],
    [{ ...about, reason: "signed_after_deadline" }, "late_signature"],
    [{ ...about, reason: "zone_rules_changed" }, "zone_rules"],
    [{ ...nothing, hasEvent: true, reason: "event_malformed" }, "input"],
    [{ ...nothing, hasSubscriber: true, reason: "delivery_dead" }, "delivery"],
    [{ ...nothing, reason: "clock_skew" }, "notice"],
  ];
  for (const [item, family] of cases)
    expect([item.reason, familyOf(item)]).toEqual([item.reason, family]);
});

const REQUEST = fc.record<PlatformRequest>({
  platformRef: fc.constantFrom("env_1", "env_2"),
  clientReference: fc.constantFrom(null, OP, "another"),
  status: fc.constantFrom(...REQUEST_STATUSES),
  rawStatus: fc.constant("word"),
  expiresAt: fc.constantFrom(null, OLD, TARGET, THIRD),
  version: fc.constant("1"),
  lastReminderAt: fc.constant(null),
  platformReminders: fc.constant(null),
  lastDeliveryAt: fc.constant(null),
  signedCount: fc.nat(2),
  signerCount: fc.constant(2),
  signers: fc.constant([]),
});

const READ = fc
  .array(REQUEST, { minLength: 1, maxLength: 2 })
  .map((matches): Observation => ({ kind: "read", matches }));

function subject(facts: Partial<DecidedSubject> = {}): DecidedSubject {
  return {
    operation: extension({ attempts: 1, earlierUnknown: true }),
    state: "quarantined",
    descriptor: EXACT,
    sent: null,
    kept: null,
    ownRef: null,
    ...facts,
  };
}

const PHASE = { kind: "look", absenceCounts: true, withinRetention: true } as const;

test("RC-2: a decision about a change stands exactly when a look would come to the same", () => {
  fc.assert(
    fc.property(READ, (observation) => {
      const [request] = observation.kind === "read" ? observation.matches : [];
      const applied = decisionVerdict("applied", subject(), PHASE, observation);
      const not = decisionVerdict("not_applied", subject(), PHASE, observation);
      expect(applied.kind === "agrees").toBe(request?.expiresAt === TARGET);
      // A third value is never "not applied": something of ours may have made it.
      if (request?.expiresAt === THIRD) expect(not.kind).toBe("disagrees");
      expect(applied.kind === "agrees" && not.kind === "agrees").toBe(false);
    }),
  );
});

test("RC-8: the same read proves nothing as long as a call may still land", () => {
  fc.assert(
    fc.property(READ, fc.constantFrom(...DECISION_CODES), (observation, code) => {
      const early = decisionVerdict(
        code,
        subject(),
        { ...PHASE, absenceCounts: false },
        observation,
      );
      if (early.kind !== "agrees" || early.move === null) return;
      const { to, reason } = early.move;
      expect(["done", "obsolete"]).toContain(to);
      if (code === "not_needed") expect(reason).toBe("decided_not_needed");
    }),
  );
});

test("SM-1: every move of a decision is one that the table allows, with a reason that ends there", () => {
  const states = OPERATION_STATES.filter((state) =>
    (HUMAN_STATES as readonly string[]).includes(state),
  );
  fc.assert(
    fc.property(
      READ,
      fc.constantFrom(...DECISION_CODES),
      fc.constantFrom(...states),
      (read, code, state) => {
        const { move = null } = {
          move: null,
          ...decisionVerdict(code, subject({ state }), PHASE, read),
        };
        for (const each of [move, overriddenMove(code, null)]) {
          if (each === null || (each.to === "scheduled" && state === "quarantined")) continue;
          expect([each.to, canMove(state, each.to)]).toEqual([each.to, true]);
          const { endsIn } = reasonWord(each.reason);
          if (endsIn !== null) expect(endsIn).toBe(each.to);
        }
      },
    ),
  );
});

test("RV-3: an override of what was not applied ends as not proven and never as failed_terminal", () => {
  for (const code of DECISION_CODES) {
    const move = overriddenMove(code, null);
    expect(move?.to).not.toBe("failed_terminal");
    if (code === "not_applied" || code === "not_needed") expect(move?.reason).toBe("not_proven");
    if (code === "schedule_again") expect(move).toBeNull();
  }
});

test("screens 4.8: a reference that was found by hand counts only when it is nobody else's and shows what was approved", () => {
  const found = (more: Partial<PlatformRequest>): Observation => ({
    kind: "read",
    matches: [
      {
        platformRef: "env_1",
        clientReference: null,
        status: "sent",
        rawStatus: "sent",
        expiresAt: TARGET,
        version: "1",
        lastReminderAt: null,
        platformReminders: null,
        lastDeliveryAt: null,
        signedCount: 0,
        signerCount: 2,
        signers: [],
        ...more,
      },
    ],
  });
  const sent = subject({
    operation: extension({ kind: "send", target: { kind: "exists" }, attempts: 1 }),
    descriptor: NO_LOOKUP,
    sent: { expiresAt: TARGET, signers: 2 },
    kept: "env_1",
  });
  const kindOf = (more: Partial<PlatformRequest>) =>
    decisionVerdict("applied", sent, PHASE, found(more)).kind;
  expect(kindOf({})).toBe("agrees");
  expect(kindOf({ clientReference: OP, expiresAt: THIRD })).toBe("agrees");
  expect(kindOf({ clientReference: "another" })).toBe("disagrees");
  expect(kindOf({ expiresAt: THIRD })).toBe("disagrees");
  expect(kindOf({ signerCount: 3 })).toBe("disagrees");
});
