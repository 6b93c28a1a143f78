import { expect, test } from "vitest";
import {
  ACCEPTED,
  after,
  aSend,
  BEFORE,
  DECLINED,
  detail,
  EARLY,
  EXACT,
  extension,
  found,
  look,
  NO_LOOKUP,
  NOT_FOUND,
  OP,
  PROVING,
  platform,
  REVIVABLE,
  type Row,
  STRICT,
  shows,
  TARGET,
  THIRD,
  unreadable,
} from "@/lib/testing/judged";
import { DEFAULT_BOUNDS } from "./bounds";
import { judge } from "./judge";
import { TERMINAL_STATUSES } from "./observation";
import { showsExpiry } from "./reached";
import type { Phase } from "./verdict";

const BEFORE_ROWS: Row[] = [
  ["extend: old value, acts", extension(), BEFORE, shows(platform()), { to: "act" }],
  [
    "extend: progress among open statuses is no difference",
    extension(),
    BEFORE,
    shows(platform({ status: "partially_signed" })),
    { to: "act" },
  ],
  [
    "unreadable: does not act",
    extension(),
    BEFORE,
    unreadable("timeout"),
    { to: "needs_reconcile", reason: "read_before_failed" },
  ],
  [
    "target there, never submitted: already so",
    extension(),
    BEFORE,
    shows(platform({ expiresAt: TARGET })),
    { to: "obsolete", reason: "already_so" },
  ],
  [
    "target there after an own attempt: only a look decides",
    extension({ attempts: 1 }),
    BEFORE,
    shows(platform({ expiresAt: TARGET })),
    { to: "needs_reconcile", reason: "lookup_inconclusive" },
  ],
  [
    "target before terminal",
    extension(),
    BEFORE,
    shows(platform({ expiresAt: TARGET, status: "completed" })),
    { to: "obsolete", reason: "already_so" },
  ],
  [
    "not found",
    extension(),
    BEFORE,
    NOT_FOUND,
    { to: "quarantined", reason: "missing_at_platform" },
  ],
  [
    "another expiry than approved",
    extension(),
    BEFORE,
    shows(platform({ expiresAt: "2027-03-02T12:00:00Z" })),
    { to: "quarantined", reason: "expiry_changed_since_approval" },
  ],
  [
    "no expiry where one was approved",
    extension(),
    BEFORE,
    shows(platform({ expiresAt: null })),
    { to: "quarantined", reason: "expiry_changed_since_approval" },
  ],
  [
    "TM-3: a later expiry is never shortened",
    extension(),
    BEFORE,
    shows(platform({ expiresAt: THIRD })),
    { to: "quarantined", reason: "would_shorten" },
  ],
  [
    "TM-3: not even when the later expiry was the approved basis",
    extension({ expectedExpiresAt: THIRD }),
    BEFORE,
    shows(platform({ expiresAt: THIRD })),
    { to: "quarantined", reason: "would_shorten" },
  ],
  [
    "progress among open statuses is no difference",
    extension(),
    BEFORE,
    shows(platform({ status: "viewed" })),
    { to: "act" },
  ],
  [
    "unless the policy wants the approved status",
    extension({ expectedStatus: "sent" }),
    BEFORE,
    shows(platform({ status: "viewed" })),
    { to: "quarantined", reason: "status_changed_since_approval" },
  ],
  [
    "and an end is an end whatever the policy wants",
    extension({ expectedStatus: "sent" }),
    BEFORE,
    shows(platform({ status: "completed" })),
    { to: "obsolete", reason: "request_completed_first" },
  ],
  [
    "the basis advanced by our own done extension",
    extension({ expectedExpiresAt: "2027-03-05T12:00:00Z" }),
    BEFORE,
    shows(platform({ expiresAt: "2027-03-05T12:00:00Z" })),
    { to: "act" },
  ],
  [
    "a status that nobody understands",
    extension(),
    BEFORE,
    shows(platform({ status: "unrecognised", rawStatus: "frozen" })),
    { to: "quarantined", reason: "status_not_understood" },
  ],
  [
    "PL-4: a declined read waits as long as the platform asks",
    extension(),
    BEFORE,
    DECLINED,
    { to: "scheduled", reason: "awaiting_rate_limit", waitMs: 7_000 },
  ],
  [
    "PL-3: declined reads are bounded",
    extension({ declines: DEFAULT_BOUNDS.declinesMax }),
    BEFORE,
    DECLINED,
    { to: "needs_review", reason: "declined_too_often" },
  ],
  ["send: nothing there, acts", aSend(), BEFORE, NOT_FOUND, { to: "act" }],
  [
    "PL-4 send: a hit is reconciled, never sent again",
    aSend(),
    BEFORE,
    found,
    { to: "needs_reconcile", reason: "lookup_inconclusive" },
  ],
  [
    "PL-4 send: unreadable look-up, does not act",
    aSend(),
    BEFORE,
    unreadable("connection_lost"),
    { to: "needs_reconcile", reason: "read_before_failed" },
  ],
  [
    "PL-2 send: without look-up the first call may leave",
    aSend(),
    BEFORE,
    unreadable("not_supported"),
    { to: "act" },
    NO_LOOKUP,
  ],
  [
    "PL-2 send: without look-up no second call by itself",
    aSend({ attempts: 1 }),
    BEFORE,
    unreadable("not_supported"),
    { to: "needs_review", reason: "no_lookup" },
    NO_LOOKUP,
  ],
  [
    "PL-2 PL-4 send: a look-up that the descriptor promises and the platform denies is a failed read",
    aSend(),
    BEFORE,
    unreadable("not_supported"),
    { to: "needs_reconcile", reason: "read_before_failed" },
  ],
];

test.each(BEFORE_ROWS)("PL-5 %s", (_name, operation, phase, observation, wanted, descriptor) => {
  expect(judge(operation, phase, observation, descriptor ?? EXACT)).toEqual(wanted);
});

test.each(TERMINAL_STATUSES)("PL-5: a request that is %s makes a change obsolete", (status) => {
  const verdict = judge(extension(), BEFORE, shows(platform({ status })), EXACT);

  expect(verdict).toEqual({ to: "obsolete", reason: `request_${status}_first` });
});

const rejected = (fix: "credentials" | "template" | "setting"): Phase =>
  after({ kind: "rejected_fixable", fix, detail: detail("platform_error") });
const PAYLOAD = after({ kind: "rejected_payload", detail: detail("platform_error") });
const STATE = after({ kind: "refused_state", detail: detail("platform_error") });
const throttled = (by: "rate_limit" | "conflict"): Phase =>
  after({ kind: "declined", by, retryAfterMs: 3_000, detail: detail("platform_error") });
const PRECONDITION = after({ kind: "precondition_failed", detail: detail("platform_error") });

const ONE = { attempts: 1 };
const OLD_READ = shows(platform());
const NEW_READ = shows(platform({ expiresAt: TARGET }));
const UNKNOWN = { to: "needs_reconcile" } as const;

const AFTER_ROWS: Row[] = [
  [
    "a success code is not an effect: only the read makes it done",
    extension(ONE),
    ACCEPTED,
    NEW_READ,
    { to: "done", reason: "effect_confirmed", platformRef: "env_1" },
  ],
  [
    "C-14: accepted, and the read-back shows the old value",
    extension(ONE),
    ACCEPTED,
    OLD_READ,
    { ...UNKNOWN, reason: "readback_shows_old_value", platformRef: "env_1" },
  ],
  [
    "accepted, and the read-back shows a third value",
    extension(ONE),
    ACCEPTED,
    shows(platform({ expiresAt: THIRD })),
    { ...UNKNOWN, reason: "readback_shows_old_value", platformRef: "env_1" },
  ],
  [
    "accepted, and the read-back cannot be had",
    extension(ONE),
    ACCEPTED,
    unreadable("timeout"),
    { ...UNKNOWN, reason: "read_after_failed", platformRef: "env_1" },
  ],
  [
    "accepted, and the read-back is declined",
    extension(ONE),
    ACCEPTED,
    DECLINED,
    { ...UNKNOWN, reason: "read_after_failed", platformRef: "env_1" },
  ],
  [
    "C-12: accepted, then not found",
    aSend(ONE),
    ACCEPTED,
    NOT_FOUND,
    { ...UNKNOWN, reason: "found_then_missing", platformRef: "env_1" },
  ],
  [
    "a send is done when the read shows its own reference",
    aSend(ONE),
    ACCEPTED,
    found,
    { to: "done", reason: "effect_confirmed", platformRef: "env_1" },
  ],
  [
    "a send is not done when the read shows somebody else's reference",
    aSend(ONE),
    ACCEPTED,
    shows(platform({ clientReference: "other" })),
    { ...UNKNOWN, reason: "readback_shows_old_value", platformRef: "env_1" },
  ],
  [
    "PL-3: an accepted send without a reference is unknown",
    aSend(ONE),
    after({ kind: "accepted", platformRef: null }),
    found,
    { ...UNKNOWN, reason: "response_unusable" },
  ],
  [
    "PL-3: 429 without a promise is unknown",
    extension(ONE),
    throttled("rate_limit"),
    OLD_READ,
    { ...UNKNOWN, reason: "throttled_effect_unknown" },
  ],
  [
    "PL-3: 409 without a promise is unknown",
    extension(ONE),
    throttled("conflict"),
    OLD_READ,
    { ...UNKNOWN, reason: "throttled_effect_unknown" },
  ],
  [
    "PL-3: 429 with a promise waits and goes again",
    extension(ONE),
    throttled("rate_limit"),
    OLD_READ,
    { to: "scheduled", reason: "not_processed", waitMs: 3_000 },
    STRICT,
  ],
  [
    "PL-3: 423 with a promise waits and goes again",
    extension(ONE),
    throttled("conflict"),
    OLD_READ,
    { to: "scheduled", reason: "not_processed", waitMs: 3_000 },
    STRICT,
  ],
  [
    "PL-3: declined attempts are bounded",
    extension({ ...ONE, declines: DEFAULT_BOUNDS.declinesMax }),
    throttled("rate_limit"),
    OLD_READ,
    { to: "needs_review", reason: "declined_too_often" },
    STRICT,
  ],
  [
    "PL-3: the bound of declined attempts does not end what an earlier attempt left unknown",
    extension({ attempts: 2, earlierUnknown: true, declines: DEFAULT_BOUNDS.declinesMax }),
    throttled("rate_limit"),
    OLD_READ,
    { ...UNKNOWN, reason: "refused_after_unknown" },
    STRICT,
  ],
  [
    "PL-3: 412 goes back so that the next read decides",
    extension(ONE),
    PRECONDITION,
    OLD_READ,
    { to: "scheduled", reason: "not_processed" },
  ],
  [
    "PL-3: a refused payload ends it",
    extension(ONE),
    PAYLOAD,
    OLD_READ,
    { to: "failed_terminal", reason: "rejected_payload" },
  ],
  [
    "PL-3: a refused payload of a send ends it",
    aSend(ONE),
    PAYLOAD,
    NOT_FOUND,
    { to: "failed_terminal", reason: "rejected_payload" },
  ],
  [
    "PL-3: a refusal speaks for this attempt only",
    extension({ attempts: 2, earlierUnknown: true }),
    PAYLOAD,
    OLD_READ,
    { ...UNKNOWN, reason: "refused_after_unknown" },
  ],
  [
    "PL-3: a refused credential after an unknown attempt is reconciled first",
    aSend({ attempts: 2, earlierUnknown: true }),
    rejected("credentials"),
    NOT_FOUND,
    { ...UNKNOWN, reason: "refused_after_unknown" },
  ],
  [
    "PL-3: a refused credential",
    extension(ONE),
    rejected("credentials"),
    OLD_READ,
    { to: "needs_review", reason: "credentials_refused" },
  ],
  [
    "PL-3: a missing template",
    aSend(ONE),
    rejected("template"),
    NOT_FOUND,
    { to: "needs_review", reason: "template_missing" },
  ],
  [
    "PL-3: a missing setting",
    aSend(ONE),
    rejected("setting"),
    NOT_FOUND,
    { to: "needs_review", reason: "setting_missing" },
  ],
  [
    "PL-4: a refused change on a completed request is obsolete",
    extension(ONE),
    STATE,
    shows(platform({ status: "completed" })),
    { to: "obsolete", reason: "platform_refused_completed" },
  ],
  [
    "PL-4: a change refused for an end that the read does not show yet is looked at again",
    extension(ONE),
    STATE,
    OLD_READ,
    { ...UNKNOWN, reason: "lookup_inconclusive" },
  ],
  [
    "PL-4: a change refused because of its payload ends it also when the request is open",
    extension(ONE),
    PAYLOAD,
    OLD_READ,
    { to: "failed_terminal", reason: "rejected_payload" },
  ],
  [
    "PL-4: a refused change on a voided request is obsolete",
    extension(ONE),
    STATE,
    shows(platform({ status: "voided" })),
    { to: "obsolete", reason: "request_voided_first" },
  ],
  [
    "PL-4: a refused change without the read that explains it is reconciled",
    extension(ONE),
    STATE,
    unreadable("timeout"),
    { ...UNKNOWN, reason: "read_after_failed" },
  ],
  [
    "PL-4: a refused change on a request that is gone",
    extension(ONE),
    STATE,
    NOT_FOUND,
    { to: "needs_review", reason: "missing_at_platform" },
  ],
];

test.each(AFTER_ROWS)("PL-6 %s", (_name, operation, phase, observation, wanted, descriptor) => {
  expect(judge(operation, phase, observation, descriptor ?? EXACT)).toEqual(wanted);
});

test.each([
  ["timeout", "call_timed_out"],
  ["connection_lost", "connection_lost"],
  ["response_cut", "response_cut"],
  ["response_unusable", "response_unusable"],
  ["platform_error", "platform_error"],
  ["unlisted", "platform_error"],
] as const)("PL-3: a call that ended as %s is unknown, whatever a read shows", (cause, reason) => {
  const phase = after({ kind: "unknown", detail: detail(cause) });

  for (const observation of [NEW_READ, OLD_READ, NOT_FOUND, unreadable("timeout")]) {
    expect(judge(extension(ONE), phase, observation, EXACT)).toEqual({ ...UNKNOWN, reason });
  }
});

const MAX = { attempts: DEFAULT_BOUNDS.attemptsMax };
const STAY = { to: "needs_reconcile", reason: "awaiting_quiescence" };
const PROVEN = { to: "scheduled", reason: "absence_proven" };

const LOOK_ROWS: Row[] = [
  [
    "RC-2 target reached",
    extension(ONE),
    EARLY,
    NEW_READ,
    { to: "done", reason: "effect_confirmed" },
  ],
  [
    "RC-2 target reached, also on a terminal request",
    extension(ONE),
    EARLY,
    shows(platform({ expiresAt: TARGET, status: "completed" })),
    { to: "done", reason: "effect_confirmed" },
  ],
  [
    "RC-2 final end without the target",
    extension(ONE),
    EARLY,
    shows(platform({ status: "voided" })),
    { to: "obsolete", reason: "request_voided_first" },
  ],
  [
    "RC-2 a revivable end counts as the old value: stays",
    extension(ONE),
    EARLY,
    shows(platform({ status: "expired" })),
    STAY,
    REVIVABLE,
  ],
  [
    "RC-2 a revivable end counts as the old value: goes again when absence is proven",
    extension(ONE),
    PROVING,
    shows(platform({ status: "expired" })),
    PROVEN,
    REVIVABLE,
  ],
  ["RC-2 RC-8 old value too early: stays", extension(ONE), EARLY, OLD_READ, STAY],
  ["RC-2 RC-8 old value, proven: goes again", extension(ONE), PROVING, OLD_READ, PROVEN],
  [
    "RC-2 old value, proven, successor recorded",
    extension({ ...ONE, successorRecorded: true }),
    PROVING,
    OLD_READ,
    { to: "superseded", reason: "superseded" },
  ],
  [
    "ID-7 RC-8: a successor ends nothing before absence is proven",
    extension({ ...ONE, successorRecorded: true }),
    EARLY,
    OLD_READ,
    STAY,
  ],
  [
    "RC-2 RC-4 old value, proven, attempts used up",
    extension(MAX),
    PROVING,
    OLD_READ,
    { to: "failed_terminal", reason: "absence_confirmed_bound_reached" },
  ],
  [
    "RC-2 RC-8 attempts used up ends nothing before absence is proven",
    extension(MAX),
    EARLY,
    OLD_READ,
    STAY,
  ],
  [
    "RC-2 a third value near the target, never failed_terminal",
    extension(ONE),
    PROVING,
    shows(platform({ expiresAt: "2027-03-15T13:00:00Z" })),
    { to: "quarantined", reason: "neither_old_nor_new" },
  ],
  [
    "RC-2 C-24 a third value far from the target",
    extension(MAX),
    PROVING,
    shows(platform({ expiresAt: THIRD })),
    { to: "quarantined", reason: "platform_ignored_expiry" },
  ],
  [
    "RC-2 never submitted: needs no proof of absence",
    extension(),
    EARLY,
    shows(platform({ expiresAt: THIRD })),
    PROVEN,
  ],
  [
    "RC-2 unreadable: stays",
    extension(ONE),
    PROVING,
    unreadable("timeout"),
    { to: "needs_reconcile", reason: "lookup_failed" },
  ],
  [
    "RC-2 declined: stays as long as the platform asks",
    extension(ONE),
    PROVING,
    DECLINED,
    { to: "needs_reconcile", reason: "lookup_failed", waitMs: 7_000 },
  ],
  [
    "RC-2 a request that is gone stays unknown",
    extension(ONE),
    PROVING,
    NOT_FOUND,
    { to: "needs_reconcile", reason: "found_then_missing" },
  ],
  [
    "RC-4 a request that is gone past the bound",
    extension({ ...ONE, looks: DEFAULT_BOUNDS.looksMax }),
    PROVING,
    NOT_FOUND,
    { to: "needs_review", reason: "missing_at_platform" },
  ],
  [
    "RC-2 a status that nobody understands",
    extension(ONE),
    PROVING,
    shows(platform({ status: "unrecognised" })),
    { to: "quarantined", reason: "status_not_understood" },
  ],
  [
    "PL-3 a proven refusal of the payload",
    extension({ ...ONE, lastRefusal: "payload" }),
    PROVING,
    OLD_READ,
    { to: "failed_terminal", reason: "rejected_payload" },
  ],
  [
    "PL-3 RC-8 a refusal is not proven before absence is",
    extension({ ...ONE, lastRefusal: "payload" }),
    EARLY,
    OLD_READ,
    STAY,
  ],
  [
    "PL-3 a proven refusal of the credential",
    extension({ ...ONE, lastRefusal: "credentials" }),
    PROVING,
    OLD_READ,
    { to: "needs_review", reason: "credentials_refused" },
  ],
  [
    "RC-3 exactly one match",
    aSend(ONE),
    EARLY,
    found,
    { to: "done", reason: "effect_found_by_lookup", platformRef: "env_1" },
  ],
  [
    "RC-3 the match counts also when its request has ended",
    aSend(ONE),
    EARLY,
    shows(platform({ clientReference: OP, status: "voided" })),
    { to: "done", reason: "effect_found_by_lookup", platformRef: "env_1" },
  ],
  [
    "RC-3 more than one match",
    aSend(ONE),
    PROVING,
    shows(platform({ clientReference: OP }), platform({ clientReference: OP })),
    { to: "needs_review", reason: "possible_duplicate" },
  ],
  [
    "SM-5 a match that carries another reference",
    aSend(ONE),
    PROVING,
    shows(platform({ clientReference: "another" })),
    { to: "needs_review", reason: "possible_duplicate" },
  ],
  ["RC-3 C-11 none too early: stays", aSend(ONE), EARLY, NOT_FOUND, STAY],
  ["RC-3 none, proven: goes again", aSend(ONE), PROVING, NOT_FOUND, PROVEN],
  ["RC-3 an empty list is none", aSend(ONE), PROVING, shows(), PROVEN],
  [
    "RC-3 none, but the platform may have forgotten the reference",
    aSend(ONE),
    look(true, false),
    NOT_FOUND,
    { to: "needs_review", reason: "reconcile_bound_reached" },
  ],
  [
    "RC-3 look-up fails: stays",
    aSend(ONE),
    PROVING,
    unreadable("platform_error"),
    { to: "needs_reconcile", reason: "lookup_failed" },
  ],
  [
    "PL-2 without look-up only a person can tell",
    aSend(ONE),
    PROVING,
    unreadable("not_supported"),
    { to: "needs_review", reason: "no_lookup" },
    NO_LOOKUP,
  ],
  [
    "PL-2 RC-3 a look-up that the descriptor promises and the platform denies has failed",
    aSend(ONE),
    PROVING,
    unreadable("not_supported"),
    { to: "needs_reconcile", reason: "lookup_failed" },
  ],
  [
    "C-12 a send that the platform has acknowledged is never sent again by itself",
    aSend({ ...ONE, acknowledged: true }),
    PROVING,
    NOT_FOUND,
    { to: "needs_reconcile", reason: "found_then_missing" },
  ],
  [
    "C-12 an acknowledged send that stays missing is a person's case",
    aSend({ ...ONE, acknowledged: true, looks: DEFAULT_BOUNDS.looksMax }),
    PROVING,
    NOT_FOUND,
    { to: "needs_review", reason: "missing_at_platform" },
  ],
  [
    "C-12 not even with a successor is an acknowledged send absent",
    aSend({ ...ONE, acknowledged: true, successorRecorded: true }),
    PROVING,
    NOT_FOUND,
    { to: "needs_reconcile", reason: "found_then_missing" },
  ],
  ["RC-3 a send that never left needs no proof", aSend(), EARLY, NOT_FOUND, PROVEN],
  [
    "RC-4 the bound of looks",
    extension({ ...ONE, looks: DEFAULT_BOUNDS.looksMax }),
    EARLY,
    OLD_READ,
    { to: "needs_review", reason: "reconcile_bound_reached" },
  ],
  [
    "RC-4 past its age it is told of, and looked at further",
    aSend({ ...ONE, unknownForMs: DEFAULT_BOUNDS.unknownToldAfterMs }),
    EARLY,
    unreadable("timeout"),
    { to: "needs_reconcile", reason: "unknown_past_age" },
  ],
  [
    "RC-4 until when absence proves nothing says more than its age",
    aSend({ ...ONE, unknownForMs: DEFAULT_BOUNDS.unknownToldAfterMs }),
    EARLY,
    NOT_FOUND,
    { to: "needs_reconcile", reason: "awaiting_quiescence" },
  ],
  [
    "RC-4 the bound of age",
    aSend({ ...ONE, unknownForMs: DEFAULT_BOUNDS.unknownAgeMaxMs }),
    EARLY,
    NOT_FOUND,
    { to: "needs_review", reason: "reconcile_bound_reached" },
  ],
  [
    "RC-4 past the bound a proof of absence still counts",
    extension({ ...ONE, looks: DEFAULT_BOUNDS.looksMax }),
    PROVING,
    OLD_READ,
    PROVEN,
  ],
  [
    "RC-4 past the bound a found effect still counts",
    aSend({ ...ONE, looks: 1_000, unknownForMs: 1e12 }),
    EARLY,
    found,
    { to: "done", reason: "effect_found_by_lookup", platformRef: "env_1" },
  ],
];

test.each(LOOK_ROWS)("%s", (_name, operation, phase, observation, wanted, descriptor) => {
  expect(judge(operation, phase, observation, descriptor ?? EXACT)).toEqual(wanted);
});

test("TM-3 C-24: a platform of whole hours shows the floored target, one of whole days less than a day more", () => {
  const hourly = { ...EXACT, expiryForm: { kind: "absolute", granularityMs: 3_600_000 } } as const;
  const daily = { ...EXACT, expiryForm: { kind: "relative_days", from: "send" } } as const;
  const at = (expiresAt: string) => platform({ expiresAt });
  const target = "2027-03-15T12:34:00Z";

  expect(showsExpiry(at("2027-03-15T12:00:00Z"), target, hourly)).toBe(true);
  expect(showsExpiry(at("2027-03-15T13:00:00Z"), target, hourly)).toBe(false);
  expect(showsExpiry(at("2027-03-15T12:34:00Z"), target, daily)).toBe(true);
  expect(showsExpiry(at("2027-03-16T12:33:59.999Z"), target, daily)).toBe(true);
  expect(showsExpiry(at("2027-03-16T12:34:00Z"), target, daily)).toBe(false);
  expect(showsExpiry(at("2027-03-15T12:33:59.999Z"), target, daily)).toBe(false);
});
