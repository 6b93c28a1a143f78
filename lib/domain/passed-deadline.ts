import type { Payload } from "./payload";
import type { Verdict } from "./verdict";

/**
 * What becomes of an operation that would ask for a deadline that has passed by `at`, the database time of the read
 * before the call: a person decides, nothing stale is sent. Null for everything else; an expiry is right also after
 * its deadline, and reminders are judged with theirs (RM-3).
 */
export function passedDeadline(payload: Payload, at: Date): Exclude<Verdict, { to: "act" }> | null {
  const instant = askedInstant(payload);
  if (instant === null || Date.parse(instant) > at.getTime()) return null;
  return { to: "needs_review", reason: "deadline_passed_while_held" };
}

function askedInstant(payload: Payload): string | null {
  switch (payload.kind) {
    case "send":
      return payload.expires_at;
    case "extend":
      return payload.target.expires_at;
    case "resend":
    case "remind":
    case "expire":
    case "void":
      return null;
  }
}
