import { DEFAULT_BOUNDS } from "@/lib/domain/bounds";
import type { CapabilityDescriptor } from "@/lib/domain/capability";
import type {
  CallDetail,
  CallOutcome,
  Observation,
  PlatformRequest,
} from "@/lib/domain/observation";
import type { Baseline, JudgedOperation, Phase, ReminderFacts } from "@/lib/domain/verdict";

/** What the tests of the judge are made of: operations, reads and promises. */

export const OP = "11111111-1111-4111-8111-111111111111";
export const OLD = "2027-03-01T12:00:00Z";
export const TARGET = "2027-03-15T12:00:00Z";
export const THIRD = "2027-03-20T12:00:00Z";
export const TIMES = { pauseMs: 200, processingMs: 1_500, visibilityMs: 400 };

export const EXACT: CapabilityDescriptor = {
  adapter: "sandbox",
  adapterVersion: "1.0.0",
  lookupByReference: { kind: "authoritative", retentionMs: 86_400_000 },
  idempotencyKey: { kind: "none" },
  conditionalUpdate: "none",
  expiryForm: { kind: "absolute", granularityMs: 1 },
  reminderTimestamp: true,
  deliveryRecord: true,
  resendMovesExpiry: false,
  voidShowsReason: true,
  remindsSingleSigners: true,
  rateLimitMeansNotProcessed: "unstated",
  conflictMeansNotProcessed: "unstated",
  bulkResult: "none",
  eventId: true,
  webhookAuthentication: "standard_webhooks",
  readLimitPerHour: "unknown",
  terminal: { completed: "final", declined: "final", expired: "final", voided: "final" },
  times: { send: TIMES, extend: TIMES, other: TIMES },
  evidence: "source",
  asOf: "2026-11-30",
};

export const NO_LOOKUP: CapabilityDescriptor = { ...EXACT, lookupByReference: { kind: "none" } };
export const REVIVABLE: CapabilityDescriptor = {
  ...EXACT,
  terminal: { ...EXACT.terminal, expired: "revivable" },
};

export function extension(facts: Partial<JudgedOperation> = {}): JudgedOperation {
  return {
    opId: OP,
    kind: "extend",
    target: { kind: "expiry", expiresAt: TARGET },
    expectedExpiresAt: OLD,
    expectedStatus: null,
    baseline: null,
    reminder: null,
    acknowledged: false,
    attempts: 0,
    earlierUnknown: false,
    earlierAccepted: false,
    lastRefusal: null,
    declines: 0,
    looks: 0,
    unknownForMs: 0,
    successorRecorded: false,
    bounds: DEFAULT_BOUNDS,
    ...facts,
  };
}

export function aSend(facts: Partial<JudgedOperation> = {}): JudgedOperation {
  return extension({ kind: "send", target: { kind: "exists" }, expectedExpiresAt: null, ...facts });
}

export function platform(facts: Partial<PlatformRequest> = {}): PlatformRequest {
  return {
    platformRef: "env_1",
    clientReference: null,
    status: "sent",
    rawStatus: "sent",
    expiresAt: OLD,
    version: "1",
    lastReminderAt: null,
    platformReminders: false,
    lastDeliveryAt: null,
    signedCount: 0,
    signerCount: 1,
    signers: [{ reference: "s_one", signed: false }],
    ...facts,
  };
}

export const shows = (...matches: PlatformRequest[]): Observation => ({ kind: "read", matches });
export const found = shows(platform({ clientReference: OP }));
export const NOT_FOUND: Observation = { kind: "not_found" };
export const DECLINED: Observation = { kind: "declined", retryAfterMs: 7_000 };

export function detail(cause: CallDetail["cause"]): CallDetail {
  return { cause, httpStatus: 500, platformCode: null, platformRequestId: null };
}

export const unreadable = (cause: CallDetail["cause"]): Observation => ({
  kind: "unreadable",
  detail: detail(cause),
});

export const BEFORE: Phase = { kind: "before" };
export const after = (outcome: CallOutcome): Phase => ({ kind: "after", outcome });
export const ACCEPTED: Phase = after({ kind: "accepted", platformRef: "env_1" });
export const look = (absenceCounts: boolean, withinRetention = true): Phase => ({
  kind: "look",
  absenceCounts,
  withinRetention,
});
export const EARLY = look(false);
export const PROVING = look(true);

export type Row = [string, JudgedOperation, Phase, Observation, object, CapabilityDescriptor?];

/** A void that its approver wanted while the request was open. */
export function aVoid(facts: Partial<JudgedOperation> = {}): JudgedOperation {
  return extension({ kind: "void", target: { kind: "status", status: "voided" }, ...facts });
}

export function anExpiry(facts: Partial<JudgedOperation> = {}): JudgedOperation {
  return extension({ kind: "expire", target: { kind: "status", status: "expired" }, ...facts });
}

const UNTOUCHED: Baseline = { lastReminderAt: null, lastDeliveryAt: null };

export const REMINDER: ReminderFacts = {
  owner: "application",
  deadlineAt: "2027-02-28T17:00:00Z",
  readAt: "2027-02-20T09:00:00Z",
  lastContactAt: null,
  minIntervalMs: 86_400_000,
};

/** A reminder to one signer at a request of which nobody has been reminded. */
export function aReminder(
  facts: Partial<JudgedOperation> = {},
  reminder: Partial<ReminderFacts> = {},
): JudgedOperation {
  return extension({
    kind: "remind",
    target: { kind: "reminded", subjectRefs: ["s_one"] },
    baseline: UNTOUCHED,
    reminder: { ...REMINDER, ...reminder },
    ...facts,
  });
}

/** A resend to one signer at a request that was delivered once. */
export function aResend(facts: Partial<JudgedOperation> = {}): JudgedOperation {
  return extension({
    kind: "resend",
    target: { kind: "resent", subjectRefs: ["s_one"] },
    baseline: { ...UNTOUCHED, lastDeliveryAt: EARLIER },
    ...facts,
  });
}

export const EARLIER = "2027-02-10T09:00:00Z";
export const LATER = "2027-02-20T09:00:00Z";

/** No read of it shows a reminder or a delivery. */
export const NO_TRACE: CapabilityDescriptor = {
  ...EXACT,
  reminderTimestamp: false,
  deliveryRecord: false,
};

/** Its refusals of the kind "not now" guarantee that nothing was processed. */
export const STRICT: CapabilityDescriptor = {
  ...EXACT,
  rateLimitMeansNotProcessed: "guaranteed",
  conflictMeansNotProcessed: "guaranteed",
};
