import type { Asked } from "@/lib/domain/asked";
import { type Payload, PayloadSchema } from "@/lib/domain/payload";
import { describePayload, type PayloadDescription } from "@/lib/domain/payload-words";

/** What a stored canonical text asks for; null where it is no payload that this program knows. */
export function askedOf(canonicalText: string): Asked | null {
  const parsed = PayloadSchema.safeParse(JSON.parse(canonicalText));
  return parsed.success ? fromPayload(parsed.data) : null;
}

/** The same text in plain words and in full (AP-1); null where it is no payload that this program knows. */
export function plainOf(canonicalText: string): PayloadDescription | null {
  const parsed = PayloadSchema.safeParse(JSON.parse(canonicalText));
  return parsed.success ? describePayload(parsed.data) : null;
}

function fromPayload(payload: Payload): Asked {
  const { kind } = payload;
  const expected = kind === "send" ? null : payload.expected;
  const signers = "signers" in payload ? payload.signers : (expected?.signers ?? []);
  return {
    kind,
    ...targetOf(payload),
    expected: expected && {
      status: expected.status,
      expiresAt: expected.expires_at,
      version: expected.version,
    },
    signers: signers.length,
    documentDigests: kind === "send" ? payload.documents.map(({ digest }) => digest) : [],
    timers: timersOf(payload),
    showsReason: kind === "void" && payload.shown_reason !== null,
    movesExpiry: kind === "resend" && payload.moves_expiry !== undefined,
    hasMessage: "message" in payload && payload.message !== null,
  };
}

function timersOf(payload: Payload): Asked["timers"] {
  if (payload.kind !== "send" && payload.kind !== "extend") return null;
  const { timers } = payload;
  if (timers === undefined) return null;
  return { reminders: timers.reminders, closesAtDeadline: timers.closes_at_deadline };
}

function targetOf(payload: Payload): Pick<Asked, "targetAt" | "deadline"> {
  switch (payload.kind) {
    case "extend": {
      const { expires_at: targetAt, business_deadline: deadline } = payload.target;
      return { targetAt, deadline };
    }
    case "send":
      return { targetAt: payload.expires_at, deadline: payload.business_deadline };
    case "expire": {
      const deadline = payload.business_deadline;
      return { targetAt: deadline?.instant ?? null, deadline };
    }
    case "resend":
      return { targetAt: payload.moves_expiry_to, deadline: null };
    case "remind":
    case "void":
      return { targetAt: null, deadline: null };
  }
}
