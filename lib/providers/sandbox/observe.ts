import type { Observation, PlatformRequest, RequestStatus } from "@/lib/domain/observation";
import type { Exchange } from "@/lib/providers/http";
import { codeOf, detailOf, WireRequest, WireRequests } from "./wire";

const STATUS_WORDS: Readonly<Record<string, RequestStatus>> = {
  draft: "draft",
  sent: "sent",
  viewed: "viewed",
  partially_signed: "partially_signed",
  completed: "completed",
  declined: "declined",
  expired: "expired",
  voided: "voided",
};

/** What reading one request came to (PL-4). "Not found" counts only in the platform's own words. */
export function observationOfRead(result: Exchange, platformRef: string): Observation {
  if (result.kind === "answer" && result.status === 200) {
    const parsed = WireRequest.safeParse(result.body);
    if (parsed.success && parsed.data.id === platformRef) {
      return { kind: "read", matches: [platformRequest(parsed.data)] };
    }
  }
  if (
    result.kind === "answer" &&
    result.status === 404 &&
    codeOf(result.body) === "request_not_found"
  ) {
    return { kind: "not_found" };
  }
  return withoutRequest(result);
}

/**
 * What a look-up by our reference came to. References are compared again here, letter by letter; none that
 * matches is `not_found`.
 */
export function observationOfFind(result: Exchange, clientReference: string): Observation {
  if (result.kind === "answer" && result.status === 200) {
    const parsed = WireRequests.safeParse(result.body);
    if (parsed.success) {
      const matches = parsed.data.requests.filter((it) => it.client_reference === clientReference);
      return matches.length === 0
        ? { kind: "not_found" }
        : { kind: "read", matches: matches.map(platformRequest) };
    }
  }
  return withoutRequest(result);
}

function withoutRequest(result: Exchange): Observation {
  if (result.status === 429) return { kind: "declined", retryAfterMs: result.retryAfterMs };
  return { kind: "unreadable", detail: detailOf(result, unreadableCause(result.status)) };
}

function unreadableCause(status: number | null) {
  if (status === 200) return "response_unusable";
  if (status === 501) return "not_supported";
  return status !== null && status >= 500 ? "platform_error" : "unlisted";
}

function platformRequest(wire: WireRequest): PlatformRequest {
  const signers = wire.signers.map(({ reference, status }) => ({
    reference: reference ?? null,
    signed: status === "signed",
  }));
  return {
    platformRef: wire.id,
    clientReference: wire.client_reference,
    status: STATUS_WORDS[wire.status] ?? "unrecognised",
    // A word that is no word may be anything, also something personal.
    rawStatus: /^[a-z_]{1,40}$/.test(wire.status) ? wire.status : "unrecognised",
    expiresAt: wire.expires_at,
    version: String(wire.version),
    lastReminderAt: wire.last_reminder_at ?? null,
    platformReminders: wire.reminders ?? null,
    lastDeliveryAt: wire.last_delivery_at ?? null,
    completedAt: wire.completed_at ?? null,
    signedCount: signers.filter((signer) => signer.signed).length,
    signerCount: signers.length,
    signers,
  };
}
