import fc from "fast-check";
import { expect, test } from "vitest";
import type { OperationTimes } from "./capability";
import { type AttemptFacts, absenceCounts, provesAbsence } from "./quiet-time";

const TIMES: OperationTimes = { pauseMs: 200, processingMs: 1_500, visibilityMs: 400 };

function attempt(facts: Partial<AttemptFacts> = {}): AttemptFacts {
  return {
    leaseUntilMs: 10_000,
    reportedAtMs: null,
    noCall: false,
    workerAlive: false,
    ...facts,
  };
}

test("RC-8: a reported attempt is quiet D after its report, and V later absence counts", () => {
  const counts = absenceCounts([attempt({ reportedAtMs: 3_000 })], TIMES);

  expect(counts).toEqual({ fromMs: 3_000 + 1_500 + 400 });
});

test("RC-8: an attempt without a report is quiet P and D after the end of its lease", () => {
  expect(absenceCounts([attempt()], TIMES)).toEqual({ fromMs: 10_000 + 200 + 1_500 + 400 });
});

test("RC-8: the latest quiet time of all attempts counts, not the newest attempt's", () => {
  const early = attempt({ leaseUntilMs: 20_000 });
  const late = attempt({ leaseUntilMs: 30_000, reportedAtMs: 12_000 });

  expect(absenceCounts([early, late], TIMES)).toEqual({ fromMs: 20_000 + 200 + 1_500 + 400 });
  expect(absenceCounts([late, early], TIMES)).toEqual({ fromMs: 20_000 + 200 + 1_500 + 400 });
});

test("RC-8: an attempt of which certainly no call left asks for no wait", () => {
  const noCall = attempt({ noCall: true, reportedAtMs: 9_000 });

  expect(provesAbsence(absenceCounts([], TIMES), 0)).toBe(true);
  expect(provesAbsence(absenceCounts([noCall], TIMES), 0)).toBe(true);
  expect(absenceCounts([noCall, attempt()], TIMES)).toEqual(absenceCounts([attempt()], TIMES));
});

test.each(["pauseMs", "processingMs", "visibilityMs"] as const)(
  "RC-8 PL-2: with an unknown %s absence never counts",
  (unknown) => {
    const times = { ...TIMES, [unknown]: "unknown" as const };

    expect(absenceCounts([attempt({ reportedAtMs: 1 })], times)).toEqual({ never: "times" });
    expect(absenceCounts([attempt()], times)).toEqual({ never: "times" });
  },
);

test("RC-9: while a worker with an unreported attempt lives, absence never counts", () => {
  const alive = attempt({ workerAlive: true });
  const counts = absenceCounts([attempt({ reportedAtMs: 1 }), alive], TIMES);

  expect(counts).toEqual({ never: "worker" });
  expect(provesAbsence(counts, Number.MAX_SAFE_INTEGER)).toBe(false);
});

test("RC-9: a living worker that has reported holds nothing up", () => {
  expect(absenceCounts([attempt({ workerAlive: true, reportedAtMs: 5 })], TIMES)).toEqual({
    fromMs: 5 + 1_500 + 400,
  });
});

test("RC-8: the read has to start at that moment or later; a millisecond before it proves nothing", () => {
  const counts = absenceCounts([attempt({ reportedAtMs: 1_000 })], TIMES);

  expect(provesAbsence(counts, 2_899)).toBe(false);
  expect(provesAbsence(counts, 2_900)).toBe(true);
});

const ATTEMPT = fc.record<AttemptFacts>({
  leaseUntilMs: fc.integer({ min: 0, max: 100_000 }),
  reportedAtMs: fc.option(fc.integer({ min: 0, max: 100_000 }), { nil: null }),
  noCall: fc.boolean(),
  workerAlive: fc.boolean(),
});

test("RC-8 RC-9: no read that proves absence starts before the inequality of any single attempt", () => {
  fc.assert(
    fc.property(
      fc.array(ATTEMPT, { maxLength: 5 }),
      fc.integer({ min: 0, max: 200_000 }),
      (attempts, startedAtMs) => {
        if (!provesAbsence(absenceCounts(attempts, TIMES), startedAtMs)) return;
        for (const one of attempts.filter(({ noCall }) => !noCall)) {
          const quietMs = one.reportedAtMs ?? one.leaseUntilMs + 200;
          expect(startedAtMs).toBeGreaterThanOrEqual(quietMs + 1_500 + 400);
          expect(one.reportedAtMs === null && one.workerAlive).toBe(false);
        }
      },
    ),
    { numRuns: 2_000 },
  );
});

test("RC-8: one more attempt never lets absence count earlier", () => {
  fc.assert(
    fc.property(
      fc.array(ATTEMPT, { maxLength: 4 }),
      ATTEMPT,
      fc.integer({ min: 0, max: 200_000 }),
      (attempts, another, startedAtMs) => {
        const before = provesAbsence(absenceCounts(attempts, TIMES), startedAtMs);
        const after = provesAbsence(absenceCounts([...attempts, another], TIMES), startedAtMs);
        expect(after && !before).toBe(false);
      },
    ),
    { numRuns: 2_000 },
  );
});
