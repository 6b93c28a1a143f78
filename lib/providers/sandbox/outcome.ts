import type { CallOutcome } from "@/lib/domain/observation";
import type { Exchange } from "@/lib/providers/http";
import { codeOf, detailOf, WireReference } from "./wire";

/** Codes with which the platform refuses what we sent; another attempt with the same bytes is pointless. */
const PAYLOAD_CODES = new Set(["invalid_payload", "expiry_in_past", "expiry_form"]);

/** Codes with which it refuses a change because of the state of the request. */
const STATE_CODES = new Set([
  "request_draft",
  "request_completed",
  "request_declined",
  "request_expired",
  "request_voided",
  // Everybody whom a reminder names has signed by now.
  "nobody_to_remind",
]);

/**
 * The outcome of one consequential call by PL-3. A send counts as accepted only with a usable reference; what
 * is not listed is unknown. Whether `declined` means "not processed" is for the ledger to decide.
 */
export function outcomeOf(result: Exchange, kind: "send" | "change"): CallOutcome {
  if (result.kind === "no_answer") {
    return { kind: "unknown", detail: detailOf(result, "unlisted") };
  }
  const { status } = result;
  if (status >= 200 && status < 300) return accepted(result, kind);
  if (status === 401 || status === 403) {
    return { kind: "rejected_fixable", fix: "credentials", detail: refusal(result) };
  }
  if (status === 429) return declined(result, "rate_limit");
  if (status === 409 || status === 423) return declined(result, "conflict");
  if (status === 412) return { kind: "precondition_failed", detail: refusal(result) };
  return refusedByCode(result);
}

function accepted(result: Exchange & { kind: "answer" }, kind: "send" | "change"): CallOutcome {
  const reference = WireReference.safeParse(result.body);
  if (reference.success) return { kind: "accepted", platformRef: reference.data.id };
  if (kind === "change") return { kind: "accepted", platformRef: null };
  return { kind: "unknown", detail: detailOf(result, "response_unusable") };
}

function declined(result: Exchange, by: "rate_limit" | "conflict"): CallOutcome {
  return { kind: "declined", by, retryAfterMs: result.retryAfterMs, detail: refusal(result) };
}

function refusedByCode(result: Exchange & { kind: "answer" }): CallOutcome {
  const code = codeOf(result.body);
  const client = result.status === 400 || result.status === 404 || result.status === 422;
  if (client && code !== null) {
    if (code === "template_not_found") {
      return { kind: "rejected_fixable", fix: "template", detail: refusal(result) };
    }
    if (PAYLOAD_CODES.has(code)) return { kind: "rejected_payload", detail: refusal(result) };
    if (STATE_CODES.has(code)) return { kind: "refused_state", detail: refusal(result) };
  }
  const cause = result.status >= 500 ? "platform_error" : "unlisted";
  return { kind: "unknown", detail: detailOf(result, cause) };
}

function refusal(result: Exchange) {
  return detailOf(result, "platform_error");
}
