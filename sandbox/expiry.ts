import type { SandboxProfile } from "@/lib/providers/sandbox/profiles";
import type { Refusal } from "./request";

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** How a caller may name an expiry; which form the platform takes is in the profile. */
export interface ExpiryInput {
  readonly expiresAt: string | null;
  readonly days: number | null;
}

/** The instant that the platform makes of it, or why it takes no such thing. Days count from `sentAtMs`. */
export function expiryInstant(
  input: ExpiryInput,
  profile: SandboxProfile,
  sentAtMs: number,
  nowMs: number,
): { readonly expiresAt: string } | { readonly refusal: Refusal } {
  const wanted = wantedMs(input, profile, sentAtMs);
  if (wanted === null) return { refusal: { status: 400, code: "expiry_form" } };
  const kept = profile.expiry === "floored_to_hour" ? wanted - (wanted % HOUR_MS) : wanted;
  if (kept <= nowMs) return { refusal: { status: 400, code: "expiry_in_past" } };
  return { expiresAt: new Date(kept).toISOString() };
}

function wantedMs(input: ExpiryInput, profile: SandboxProfile, sentAtMs: number): number | null {
  if (profile.expiry === "relative_days") {
    return input.days === null ? null : sentAtMs + input.days * DAY_MS;
  }
  return input.expiresAt === null ? null : Date.parse(input.expiresAt);
}
