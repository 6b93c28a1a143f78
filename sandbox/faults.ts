import { z } from "zod";
import type { SandboxProfile } from "@/lib/providers/sandbox/profiles";

export const CALL_OPERATIONS = [
  "send",
  "extend",
  "remind",
  "resend",
  "expire",
  "void",
  "read",
  "find",
] as const;

export type CallOperation = (typeof CALL_OPERATIONS)[number];

const CHANGES = ["send", "extend", "remind", "resend", "expire", "void"] as const;
const CHANGES_OF_EXISTING = ["extend", "remind", "resend", "expire", "void"] as const;

/** How a call ends when it does not end well. `body` is sent as it is. */
export type Ending =
  | { readonly kind: "reset" }
  | { readonly kind: "truncated" }
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly code?: string;
      readonly body?: string;
      readonly headers?: Readonly<Record<string, string>>;
    };

export type PersonsChange = "completed" | "voided" | "expiry_changed";

/** What a fault does to one call, in the order in which it happens. */
export interface FaultPlan {
  readonly before?: {
    readonly delayMs?: number;
    readonly change?: PersonsChange;
    readonly clockOffsetMs?: number;
    readonly end?: Ending;
  };
  readonly effect?: {
    readonly queueMs?: number;
    /** Answers as if, and changes nothing. */
    readonly pretend?: boolean;
    readonly ignoreKey?: boolean;
    readonly ignoreExpiry?: boolean;
    readonly lookupHiddenMs?: number;
  };
  readonly after?: { readonly delayMs?: number; readonly end?: Ending };
  readonly webhook?: {
    readonly copies?: number;
    readonly delayMs?: number;
    readonly dropped?: boolean;
  };
}

/** What a rule may set; each fault has a sensible value for what is left out. */
export const FaultParameters = z.strictObject({
  delayMs: z.number().int().nonnegative().max(600_000).optional(),
  clockOffsetMs: z.number().int().optional(),
});

export type FaultParameters = z.infer<typeof FaultParameters>;

export interface Fault {
  readonly about: string;
  /** Operations on which the fault makes sense. */
  readonly operations: readonly (CallOperation | "webhook")[];
  /** Whether a change that meets the fault takes effect: at once, later (after the call's end or not), never. */
  readonly effect: "at_once" | "late" | "never";
  readonly plan: (profile: SandboxProfile, parameters: FaultParameters) => FaultPlan;
  /** True when the account's descriptor promises that this never happens. */
  readonly contradicts?: (profile: SandboxProfile, parameters: FaultParameters) => boolean;
}

/** Well past any client's patience in a test. */
const ANSWER_DELAY_MS = 3000;

const lateBy = (profile: SandboxProfile, { delayMs }: FaultParameters) =>
  delayMs ?? profile.times.processingMs / 2;

const hiddenFor = (profile: SandboxProfile, { delayMs }: FaultParameters) =>
  delayMs ?? profile.times.visibilityMs / 2;

/** A fifth is kept back for the time that the platform itself needs. */
const pastProcessing = (profile: SandboxProfile, parameters: FaultParameters) =>
  lateBy(profile, parameters) > profile.times.processingMs * 0.8;

const refused = (status: number, code: string, headers: Record<string, string> = {}): Ending => ({
  kind: "answer",
  status,
  code,
  headers,
});

const RATE_LIMITED = refused(429, "rate_limited", { "retry-after": "1" });

/** Personal data and a way to sign, where no answer should have them (C-37). */
const LEAKING: Ending = {
  kind: "answer",
  status: 500,
  body: JSON.stringify({
    message: "cannot deliver to pat.canary@example.com",
    signUrl: "https://sign.example/s/tok_CANARY_9f3c2a",
  }),
  headers: { location: "https://sign.example/s/tok_CANARY_9f3c2a" },
};

function never(about: string, end: Ending, operations: Fault["operations"] = CHANGES): Fault {
  return { about, operations, effect: "never", plan: () => ({ before: { end } }) };
}

function afterEffect(about: string, end: Ending): Fault {
  return { about, operations: CHANGES, effect: "at_once", plan: () => ({ after: { end } }) };
}

function byAnotherPerson(about: string, change: PersonsChange, effect: Fault["effect"]): Fault {
  return {
    about,
    operations: CHANGES_OF_EXISTING,
    effect,
    plan: () => ({ before: { change } }),
  };
}

/** Every fault of SB-2 that concerns requests, by its name. A matrix test goes through all of them. */
export const FAULTS = {
  answer_delayed: {
    about: "Takes effect at once; the answer comes long after the client's time-out.",
    operations: CALL_OPERATIONS,
    effect: "at_once",
    plan: (_profile, { delayMs }) => ({ after: { delayMs: delayMs ?? ANSWER_DELAY_MS } }),
  },
  travelling: {
    about: "The call travels: it takes effect late, when the client may have given up.",
    operations: CHANGES,
    effect: "late",
    plan: (profile, parameters) => ({ before: { delayMs: lateBy(profile, parameters) } }),
    contradicts: pastProcessing,
  },
  queued: {
    about: "Accepted at once, takes effect later.",
    operations: CHANGES,
    effect: "late",
    plan: (profile, parameters) => ({ effect: { queueMs: lateBy(profile, parameters) } }),
    contradicts: pastProcessing,
  },
  reset_before: never("The connection breaks before anything happened.", { kind: "reset" }),
  reset_after: afterEffect("The connection breaks after the effect.", { kind: "reset" }),
  error_before: never("503 before anything happened.", refused(503, "unavailable")),
  error_after: afterEffect("502 after the effect.", refused(502, "bad_gateway")),
  truncated_after: afterEffect("The body stops in the middle, after the effect.", {
    kind: "truncated",
  }),
  garbled_after: afterEffect("200 with a page instead of JSON, after the effect.", {
    kind: "answer",
    status: 200,
    body: "<html><body>Welcome</body></html>",
  }),
  no_reference_after: {
    ...afterEffect("2xx without a reference, after the effect.", {
      kind: "answer",
      status: 200,
      body: '{"ok":true}',
    }),
    operations: ["send"],
  },
  rate_limited_without_effect: never("429, and nothing happened.", RATE_LIMITED),
  rate_limited_with_effect: {
    ...afterEffect("429, although the effect happened.", RATE_LIMITED),
    contradicts: (profile) => profile.rateLimit === "guaranteed",
  },
  conflict_without_effect: never("409, and nothing happened.", refused(409, "busy")),
  locked_without_effect: never("423, and nothing happened.", refused(423, "locked")),
  conflict_with_effect: {
    ...afterEffect("409, although the effect happened.", refused(409, "busy")),
    contradicts: (profile) => profile.conflict === "guaranteed",
  },
  ignored: {
    about: "Answers 2xx and does nothing (C-14).",
    operations: CHANGES,
    effect: "never",
    plan: () => ({ effect: { pretend: true } }),
  },
  expiry_ignored: {
    about: "Takes effect with an expiry of the platform's own choice, 120 days from now (C-24).",
    operations: ["send", "extend"],
    effect: "at_once",
    plan: () => ({ effect: { ignoreExpiry: true } }),
  },
  key_forgotten: {
    about: "The idempotency key of this call counts for nothing.",
    operations: CHANGES,
    effect: "at_once",
    plan: () => ({ effect: { ignoreKey: true } }),
    contradicts: (profile) => profile.keyKeptMs > 0,
  },
  lookup_late: {
    about: "The new request can be looked up only after a while.",
    operations: ["send"],
    effect: "at_once",
    plan: (profile, parameters) => ({ effect: { lookupHiddenMs: hiddenFor(profile, parameters) } }),
    contradicts: (profile, parameters) =>
      hiddenFor(profile, parameters) > profile.times.visibilityMs * 0.8,
  },
  lookup_unsupported: never("There is no look-up.", refused(501, "lookup_not_supported"), ["find"]),
  read_error: never("503 on a read.", refused(503, "unavailable"), ["read", "find"]),
  read_reset: never("The connection breaks on a read.", { kind: "reset" }, ["read", "find"]),
  read_rate_limited: never("429 on a read.", RATE_LIMITED, ["read", "find"]),
  read_truncated: never("The body of a read stops in the middle.", { kind: "truncated" }, [
    "read",
    "find",
  ]),
  completed_by_person: byAnotherPerson("Signed by everybody just before.", "completed", "never"),
  voided_by_person: byAnotherPerson("Voided by somebody just before.", "voided", "never"),
  expiry_changed_by_person: byAnotherPerson(
    "Another expiry was set by somebody just before.",
    "expiry_changed",
    "at_once",
  ),
  unauthorized: never("401: the credential is refused.", refused(401, "invalid_credentials"), [
    ...CALL_OPERATIONS,
  ]),
  forbidden: never("403: the credential may not do this.", refused(403, "forbidden")),
  template_missing: never("The template does not exist.", refused(422, "template_not_found"), [
    "send",
  ]),
  payload_refused: never(
    "400: the platform refuses what was sent.",
    refused(400, "invalid_payload"),
  ),
  undeliverable: never("500 with an address and a signing link in it (C-37).", LEAKING),
  clock_skewed: {
    about: "The account's clock is ten minutes behind from here on.",
    operations: CHANGES,
    effect: "at_once",
    plan: (_profile, { clockOffsetMs }) => ({
      before: { clockOffsetMs: clockOffsetMs ?? -600_000 },
    }),
  },
  webhook_duplicated: {
    about: "The event is delivered twice.",
    operations: ["webhook"],
    effect: "at_once",
    plan: () => ({ webhook: { copies: 2 } }),
  },
  webhook_late: {
    about: "The event is delivered late.",
    operations: ["webhook"],
    effect: "at_once",
    plan: (_profile, { delayMs }) => ({ webhook: { delayMs: delayMs ?? 1500 } }),
  },
  webhook_reordered: {
    about: "The event waits just long enough for the next one to overtake it.",
    operations: ["webhook"],
    effect: "at_once",
    plan: (_profile, { delayMs }) => ({ webhook: { delayMs: delayMs ?? 400 } }),
  },
  webhook_dropped: {
    about: "The event is never delivered.",
    operations: ["webhook"],
    effect: "at_once",
    plan: () => ({ webhook: { dropped: true } }),
  },
} as const satisfies Record<string, Fault>;

export type FaultName = keyof typeof FAULTS;

export const FAULT_NAMES = Object.keys(FAULTS) as readonly FaultName[];

/** The fault of that name, with the same shape for all of them. */
export function faultNamed(name: FaultName): Fault {
  return FAULTS[name];
}

/** True when a fault can strike this operation without making the profile's descriptor a lie. */
export function faultApplies(
  name: FaultName,
  operation: CallOperation | "webhook",
  profile: SandboxProfile,
  parameters: FaultParameters = {},
): boolean {
  const fault = faultNamed(name);
  return fault.operations.includes(operation) && !fault.contradicts?.(profile, parameters);
}
