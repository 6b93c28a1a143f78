import fc from "fast-check";
import { expect, test } from "vitest";
import { type MirroredStatus, meaningOfEvent } from "./event-order";
import { isTerminal, REQUEST_STATUSES, type RequestStatus } from "./observation";

const FINAL = { completed: "final", declined: "final", expired: "final", voided: "final" } as const;
const REVIVABLE = { ...FINAL, expired: "revivable" } as const;

const told = (status: string | null, hasEventId = true) => ({ status, hasEventId });
const mirror = (status: string | null, isFinal = false): MirroredStatus => ({ status, isFinal });

test("IN-5 C-20: viewed, sent and completed again after completed move nothing, expired contradicts", () => {
  const held = mirror("completed", true);
  expect(meaningOfEvent(held, told("viewed"), FINAL)).toEqual({ kind: "behind" });
  expect(meaningOfEvent(held, told("sent"), FINAL)).toEqual({ kind: "behind" });
  expect(meaningOfEvent(held, told("completed"), FINAL)).toEqual({ kind: "same" });
  expect(meaningOfEvent(held, told("expired"), FINAL)).toEqual({
    kind: "contradiction",
    held: "completed",
    told: "expired",
  });
});

test("IN-5: an end that may be revived is left by a read, not by an event", () => {
  const held = mirror("expired");
  expect(meaningOfEvent(held, told("viewed"), REVIVABLE)).toEqual({ kind: "needs_read" });
  expect(meaningOfEvent(held, told("completed"), REVIVABLE)).toEqual({ kind: "needs_read" });
});

test("IN-3: without an id of its own an event only triggers a read", () => {
  expect(meaningOfEvent(mirror("sent"), told("completed", false), FINAL)).toEqual({
    kind: "needs_read",
  });
});

test("IN-5: what nobody can place in the order needs a read", () => {
  for (const status of [null, "unrecognised", "archived"]) {
    expect(meaningOfEvent(mirror("sent"), told(status), FINAL)).toEqual({ kind: "needs_read" });
  }
  expect(meaningOfEvent(mirror("unrecognised"), told("viewed"), FINAL)).toEqual({
    kind: "needs_read",
  });
  expect(meaningOfEvent(mirror(null), told("viewed"), FINAL)).toEqual({
    kind: "advance",
    status: "viewed",
    isFinal: false,
  });
});

/** Applies events one after the other, as the mirror would. */
function after(events: readonly RequestStatus[]): MirroredStatus {
  return events.reduce<MirroredStatus>((held, status) => {
    const meaning = meaningOfEvent(held, told(status), FINAL);
    return meaning.kind === "advance" ? { status: meaning.status, isFinal: meaning.isFinal } : held;
  }, mirror("sent"));
}

test("IN-5: any order and any repetition of a request's events with one end comes to the same state", () => {
  const open = REQUEST_STATUSES.filter((one) => !isTerminal(one) && one !== "unrecognised");
  const day = fc
    .tuple(
      fc.array(fc.constantFrom(...open), { maxLength: 8 }),
      fc.option(fc.constantFrom("completed", "declined", "expired", "voided" as const)),
    )
    .map(([before, end]) => (end === null ? before : [...before, end as RequestStatus]));
  const shuffledDay = day.chain((events) =>
    fc.record({
      events: fc.constant(events),
      mixed: fc
        .shuffledSubarray(events, { minLength: events.length })
        .map((once) => [...once, ...once]),
    }),
  );
  fc.assert(
    fc.property(shuffledDay, ({ events, mixed }) => {
      expect(after(mixed)).toEqual(after(events));
    }),
  );
});
