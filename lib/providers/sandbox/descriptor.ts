import type { CapabilityDescriptor } from "@/lib/domain/capability";
import type { SandboxProfile } from "./profiles";

const HOUR_MS = 3_600_000;

/** The sandbox never forgets a reference; ninety days is what it says. */
const LOOKUP_RETENTION_MS = 90 * 24 * HOUR_MS;

/** The truthful descriptor of an account with this profile (PL-2). */
export function descriptorOf(profile: SandboxProfile): CapabilityDescriptor {
  const times = profile.statesTimes
    ? profile.times
    : ({ pauseMs: "unknown", processingMs: "unknown", visibilityMs: "unknown" } as const);
  return {
    adapter: "sandbox",
    adapterVersion: "1.1.0",
    lookupByReference: lookupOf(profile),
    idempotencyKey:
      profile.keyKeptMs === 0
        ? { kind: "none" }
        : { kind: "header", retentionMs: profile.keyKeptMs },
    conditionalUpdate: profile.conditionalUpdate,
    expiryForm: expiryFormOf(profile),
    reminderTimestamp: profile.reminderTimestamp,
    deliveryRecord: profile.deliveryRecord,
    resendMovesExpiry: profile.resendMovesExpiry,
    voidShowsReason: true,
    remindsSingleSigners: true,
    rateLimitMeansNotProcessed: profile.rateLimit,
    conflictMeansNotProcessed: profile.conflict,
    bulkResult: "none",
    eventId: true,
    webhookAuthentication: "standard_webhooks",
    readLimitPerHour: "unknown",
    terminal: {
      completed: "final",
      declined: "final",
      expired: profile.expiredIs,
      voided: "final",
    },
    times: { send: times, extend: times, other: times },
    evidence: "source",
    asOf: "2026-11-30",
  };
}

function lookupOf(profile: SandboxProfile): CapabilityDescriptor["lookupByReference"] {
  switch (profile.lookup) {
    case "authoritative":
      return { kind: "authoritative", retentionMs: LOOKUP_RETENTION_MS };
    case "eventual":
      return {
        kind: "eventual",
        windowMs: profile.times.visibilityMs,
        retentionMs: LOOKUP_RETENTION_MS,
      };
    case "none":
      return { kind: "none" };
  }
}

function expiryFormOf(profile: SandboxProfile): CapabilityDescriptor["expiryForm"] {
  switch (profile.expiry) {
    case "exact":
      return { kind: "absolute", granularityMs: 1 };
    case "floored_to_hour":
      return { kind: "absolute", granularityMs: HOUR_MS };
    case "relative_days":
      return { kind: "relative_days", from: "send" };
  }
}
