import { describe, expect, test } from "vitest";
import {
  ACCEPTED,
  after,
  anExpiry,
  aReminder,
  aResend,
  aVoid,
  BEFORE,
  detail,
  EARLIER,
  EARLY,
  EXACT,
  LATER,
  NO_TRACE,
  NOT_FOUND,
  OLD,
  PROVING,
  platform,
  REVIVABLE,
  type Row,
  shows,
  THIRD,
  unreadable,
} from "@/lib/testing/judged";
import { DEFAULT_BOUNDS } from "./bounds";
import { judge } from "./judge";
import { TERMINAL_STATUSES } from "./observation";

const reminded = platform({ lastReminderAt: LATER });
const signed = platform({
  signedCount: 0,
  signerCount: 2,
  signers: [
    { reference: "s_one", signed: true },
    { reference: "s_two", signed: false },
  ],
});
const delivered = platform({ lastDeliveryAt: LATER });
const once = platform({ lastDeliveryAt: EARLIER });
const voided = platform({ status: "voided" });
const used = { attempts: DEFAULT_BOUNDS.attemptsMax };
const refused = after({ kind: "refused_state", detail: detail("unlisted") });

const VOID_AND_EXPIRE: Row[] = [
  ["PL-5 void: open, acts", aVoid(), BEFORE, shows(platform()), { to: "act" }],
  [
    "PL-5 void: another expiry does not matter",
    aVoid(),
    BEFORE,
    shows(platform({ expiresAt: THIRD })),
    { to: "act" },
  ],
  [
    "PL-5 void: a status that nobody knows is no open request",
    aVoid(),
    BEFORE,
    shows(platform({ status: "unrecognised" })),
    { to: "quarantined", reason: "status_not_understood" },
  ],
  [
    "PL-5 void: not there",
    aVoid(),
    BEFORE,
    NOT_FOUND,
    { to: "quarantined", reason: "missing_at_platform" },
  ],
  [
    "PL-5 void: voided already, nothing was sent",
    aVoid(),
    BEFORE,
    shows(voided),
    { to: "obsolete", reason: "already_so" },
  ],
  [
    "PL-5 void: voided, and an own call may have done it",
    aVoid({ attempts: 1 }),
    BEFORE,
    shows(voided),
    { to: "needs_reconcile", reason: "lookup_inconclusive" },
  ],
  [
    "PL-5 expire: the deadline still is the approved one, acts",
    anExpiry(),
    BEFORE,
    shows(platform()),
    { to: "act" },
  ],
  [
    "PL-5 expire: somebody gave the request more time",
    anExpiry(),
    BEFORE,
    shows(platform({ expiresAt: THIRD })),
    { to: "quarantined", reason: "expiry_changed_since_approval" },
  ],
  [
    "PL-5 expire: expired by itself",
    anExpiry(),
    BEFORE,
    shows(platform({ status: "expired" })),
    { to: "obsolete", reason: "already_so" },
  ],
  [
    "PL-6 void: accepted and shown",
    aVoid({ attempts: 1 }),
    ACCEPTED,
    shows(voided),
    { to: "done", reason: "effect_confirmed" },
  ],
  [
    "PL-6 C-14c: accepted and still open, unknown",
    aVoid({ attempts: 1 }),
    ACCEPTED,
    shows(platform()),
    { to: "needs_reconcile", reason: "readback_shows_old_value" },
  ],
  [
    "PL-6 void: accepted and the read fails",
    aVoid({ attempts: 1 }),
    ACCEPTED,
    unreadable("timeout"),
    { to: "needs_reconcile", reason: "read_after_failed" },
  ],
  [
    "PL-4 C-14b: refused because it is completed",
    aVoid({ attempts: 1 }),
    refused,
    shows(platform({ status: "completed" })),
    { to: "obsolete", reason: "platform_refused_completed" },
  ],
  [
    "PL-4 expire: refused because somebody voided it",
    anExpiry({ attempts: 1 }),
    refused,
    shows(voided),
    { to: "obsolete", reason: "request_voided_first" },
  ],
  [
    "RC-2 void: found voided",
    aVoid({ attempts: 1 }),
    EARLY,
    shows(voided),
    { to: "done", reason: "effect_confirmed" },
  ],
  [
    "RC-2 void: another final end",
    aVoid({ attempts: 1 }),
    EARLY,
    shows(platform({ status: "completed" })),
    { to: "obsolete", reason: "request_completed_first" },
  ],
  [
    "RC-8 void: open, and it is too early to say",
    aVoid({ attempts: 1 }),
    EARLY,
    shows(platform()),
    { to: "needs_reconcile", reason: "awaiting_quiescence" },
  ],
  [
    "RC-2 void: still open when it counts, again",
    aVoid({ attempts: 1 }),
    PROVING,
    shows(platform()),
    { to: "scheduled", reason: "absence_proven" },
  ],
  [
    "RC-2 void: a revivable end counts as the old value",
    aVoid({ attempts: 1 }),
    PROVING,
    shows(platform({ status: "expired" })),
    { to: "scheduled", reason: "absence_proven" },
    REVIVABLE,
  ],
  [
    "RC-2 expire: its own end is the target, although it can be revived",
    anExpiry({ attempts: 1 }),
    EARLY,
    shows(platform({ status: "expired" })),
    { to: "done", reason: "effect_confirmed" },
    REVIVABLE,
  ],
  [
    "C-14a: every call was accepted and it is not voided",
    aVoid({ ...used, earlierAccepted: true, earlierUnknown: true }),
    PROVING,
    shows(platform()),
    { to: "failed_terminal", reason: "void_not_applied" },
  ],
  [
    "RC-2 void: no call was ever accepted, attempts used up",
    aVoid({ ...used, earlierUnknown: true }),
    PROVING,
    shows(platform()),
    { to: "failed_terminal", reason: "absence_confirmed_bound_reached" },
  ],
  [
    "RC-2 expire: accepted, not applied, attempts used up",
    anExpiry({ ...used, earlierAccepted: true }),
    PROVING,
    shows(platform()),
    { to: "failed_terminal", reason: "absence_confirmed_bound_reached" },
  ],
  [
    "ID-7 void: a successor waits and absence is proven",
    aVoid({ attempts: 1, successorRecorded: true }),
    PROVING,
    shows(platform()),
    { to: "superseded", reason: "superseded" },
  ],
];

const REMINDERS: Row[] = [
  ["RM-3: open, unsigned, in time, acts", aReminder(), BEFORE, shows(platform()), { to: "act" }],
  [
    "PL-5 remind: another expiry does not matter",
    aReminder(),
    BEFORE,
    shows(platform({ expiresAt: THIRD })),
    { to: "act" },
  ],
  [
    "RC-5: a newer reminder after an own call is looked at first",
    aReminder({ attempts: 1 }),
    BEFORE,
    shows(reminded),
    { to: "needs_reconcile", reason: "lookup_inconclusive" },
  ],
  [
    "RM-3 C-25b: its signer has signed",
    aReminder(),
    BEFORE,
    shows(signed),
    { to: "obsolete", reason: "skipped_signed" },
  ],
  [
    "RM-3: one of two has not signed, acts",
    aReminder({ target: { kind: "reminded", subjectRefs: ["s_one", "s_two"] } }),
    BEFORE,
    shows(signed),
    { to: "act" },
  ],
  [
    "RM-3: a platform that names no signers says only how many",
    aReminder(),
    BEFORE,
    shows(platform({ signedCount: 2, signerCount: 2, signers: [] })),
    { to: "obsolete", reason: "skipped_signed" },
  ],
  [
    "RM-3 C-25c: the deadline has passed",
    aReminder({}, { deadlineAt: "2027-02-20T09:00:00Z" }),
    BEFORE,
    shows(platform()),
    { to: "obsolete", reason: "skipped_past_deadline" },
  ],
  [
    "RM-1: reminding is the platform's",
    aReminder({}, { owner: "platform" }),
    BEFORE,
    shows(platform()),
    { to: "quarantined", reason: "platform_also_reminds" },
  ],
  [
    "RM-1: the platform reminds too",
    aReminder(),
    BEFORE,
    shows(platform({ platformReminders: true })),
    { to: "quarantined", reason: "platform_also_reminds" },
  ],
  [
    "RM-1: a platform that does not say is believed to be silent",
    aReminder(),
    BEFORE,
    shows(platform({ platformReminders: null })),
    { to: "act" },
  ],
  [
    "RM-2: contacted a moment ago",
    aReminder({}, { lastContactAt: "2027-02-19T09:00:01Z" }),
    BEFORE,
    shows(platform()),
    { to: "obsolete", reason: "skipped_too_soon" },
  ],
  [
    "RM-2: contacted exactly one interval ago",
    aReminder({}, { lastContactAt: "2027-02-19T09:00:00Z" }),
    BEFORE,
    shows(platform()),
    { to: "act" },
  ],
  [
    "RM-2: the platform's own reminder counts",
    aReminder({ baseline: null }),
    BEFORE,
    shows(platform({ lastReminderAt: "2027-02-20T08:00:00Z" })),
    { to: "obsolete", reason: "skipped_too_soon" },
  ],
  [
    "PL-6 remind: accepted, and a read shows it",
    aReminder({ attempts: 1 }),
    ACCEPTED,
    shows(reminded),
    { to: "done", reason: "effect_confirmed" },
  ],
  [
    "PL-6 remind: accepted, and the read shows none",
    aReminder({ attempts: 1 }),
    ACCEPTED,
    shows(platform()),
    { to: "needs_reconcile", reason: "readback_shows_old_value" },
  ],
  [
    "PL-6 remind: accepted, and the reminder shown is the old one",
    aReminder({ attempts: 1, baseline: { lastReminderAt: LATER, lastDeliveryAt: null } }),
    ACCEPTED,
    shows(reminded),
    { to: "needs_reconcile", reason: "readback_shows_old_value" },
  ],
  [
    "PL-6: accepted where no read can show it",
    aReminder({ attempts: 1 }),
    ACCEPTED,
    unreadable("timeout"),
    { to: "done", reason: "accepted_unverified" },
    NO_TRACE,
  ],
  [
    "RM-3: refused because everybody whom it names has signed",
    aReminder({ attempts: 1 }),
    refused,
    shows(signed),
    { to: "obsolete", reason: "skipped_signed" },
  ],
  [
    "RC-5 remind: found by the platform's last reminder, also after the end",
    aReminder({ attempts: 1 }),
    EARLY,
    shows(platform({ status: "completed", lastReminderAt: LATER })),
    { to: "done", reason: "effect_confirmed" },
  ],
  [
    "RC-5 remind: the request ended and no reminder shows",
    aReminder({ attempts: 1 }),
    EARLY,
    shows(platform({ status: "voided" })),
    { to: "obsolete", reason: "request_voided_first" },
  ],
  [
    "RC-8 remind: too early to say",
    aReminder({ attempts: 1 }),
    EARLY,
    shows(platform()),
    { to: "needs_reconcile", reason: "awaiting_quiescence" },
  ],
  [
    "RC-8 remind: none went out, again",
    aReminder({ attempts: 1 }),
    PROVING,
    shows(platform()),
    { to: "scheduled", reason: "absence_proven" },
  ],
  [
    "RC-5 remind: an older one than before proves neither",
    aReminder({ attempts: 1, baseline: { lastReminderAt: LATER, lastDeliveryAt: null } }),
    PROVING,
    shows(platform({ lastReminderAt: EARLIER })),
    { to: "needs_reconcile", reason: "lookup_inconclusive" },
  ],
  [
    "RC-5: unknown where no read can tell, let go",
    aReminder({ attempts: 1, earlierUnknown: true }),
    EARLY,
    shows(platform()),
    { to: "obsolete", reason: "skipped_unknown" },
    NO_TRACE,
  ],
  [
    "RC-5: nothing ever left, so nothing is unknown",
    aReminder(),
    EARLY,
    shows(platform()),
    { to: "scheduled", reason: "absence_proven" },
    NO_TRACE,
  ],
  [
    "RC-2 remind: not there within the bound",
    aReminder({ attempts: 1 }),
    EARLY,
    NOT_FOUND,
    { to: "needs_reconcile", reason: "found_then_missing" },
  ],
];

const RESENDS: Row[] = [
  ["PL-5 resend: as approved, acts", aResend(), BEFORE, shows(once), { to: "act" }],
  [
    "PL-5 resend: another expiry than approved",
    aResend(),
    BEFORE,
    shows(platform({ lastDeliveryAt: EARLIER, expiresAt: THIRD })),
    { to: "quarantined", reason: "expiry_changed_since_approval" },
  ],
  [
    "RM-3 resend: everybody has signed",
    aResend(),
    BEFORE,
    shows(signed),
    { to: "obsolete", reason: "skipped_signed" },
  ],
  [
    "RC-5 resend: a newer delivery after an own call is looked at first, whatever the expiry",
    aResend({ attempts: 1 }),
    BEFORE,
    shows(platform({ lastDeliveryAt: LATER, expiresAt: THIRD })),
    { to: "needs_reconcile", reason: "lookup_inconclusive" },
  ],
  [
    "PL-6 resend: accepted and recorded, with the expiry that it moves",
    aResend({ attempts: 1 }),
    ACCEPTED,
    shows(platform({ lastDeliveryAt: LATER, expiresAt: THIRD })),
    { to: "done", reason: "effect_confirmed" },
  ],
  [
    "PL-6 resend: accepted where there is no record",
    aResend({ attempts: 1 }),
    ACCEPTED,
    shows(platform()),
    { to: "done", reason: "accepted_unverified" },
    NO_TRACE,
  ],
  [
    "RC-5 resend: the record shows it",
    aResend({ attempts: 1, earlierUnknown: true }),
    EARLY,
    shows(delivered),
    { to: "done", reason: "effect_confirmed" },
  ],
  [
    "RC-5 resend: the record shows none, never repeated by itself",
    aResend({ attempts: 1, earlierUnknown: true }),
    PROVING,
    shows(once),
    { to: "failed_terminal", reason: "resend_not_delivered" },
  ],
  [
    "RC-8 resend: the record shows none, too early to say",
    aResend({ attempts: 1, earlierUnknown: true }),
    EARLY,
    shows(once),
    { to: "needs_reconcile", reason: "awaiting_quiescence" },
  ],
  [
    "RC-5 resend: unknown without a record is a person's",
    aResend({ attempts: 1, earlierUnknown: true }),
    PROVING,
    shows(platform()),
    { to: "needs_review", reason: "resend_unknown" },
    NO_TRACE,
  ],
  [
    "RC-2 resend: nothing ever left, again",
    aResend(),
    EARLY,
    shows(once),
    { to: "scheduled", reason: "absence_proven" },
  ],
];

describe.each([
  ["void and expire", VOID_AND_EXPIRE],
  ["remind", REMINDERS],
  ["resend", RESENDS],
])("%s", (_kind, rows) => {
  test.each(rows)("%s", (_name, operation, phase, observation, wanted, descriptor) => {
    expect(judge(operation, phase, observation, descriptor ?? EXACT)).toMatchObject(wanted);
  });
});

test.each(TERMINAL_STATUSES)("PL-5 IN-6: a request that is %s ends what waits for it", (status) => {
  const seen = shows(platform({ status, lastDeliveryAt: EARLIER }));
  for (const operation of [aVoid(), anExpiry(), aReminder(), aResend()]) {
    const own = operation.target.kind === "status" && operation.target.status === status;
    expect(judge(operation, BEFORE, seen, EXACT)).toEqual({
      to: "obsolete",
      reason: own ? "already_so" : `request_${status}_first`,
    });
  }
});

test("PL-5: a change never acts on a read that failed", () => {
  for (const operation of [aVoid(), anExpiry(), aReminder(), aResend()]) {
    for (const cause of ["timeout", "not_supported"] as const) {
      expect(judge(operation, BEFORE, unreadable(cause), EXACT)).toEqual({
        to: "needs_reconcile",
        reason: "read_before_failed",
      });
    }
  }
});

test("RC-2: the old expiry of a request that was reminded or resent is no third value", () => {
  expect(OLD).not.toBe(THIRD);
  const seen = shows(platform({ expiresAt: THIRD, lastDeliveryAt: EARLIER }));
  expect(judge(aVoid({ attempts: 1 }), PROVING, seen, EXACT)).toMatchObject({ to: "scheduled" });
  expect(judge(aReminder({ attempts: 1 }), PROVING, seen, EXACT)).toMatchObject({
    to: "scheduled",
  });
});
