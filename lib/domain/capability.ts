import { z } from "zod";

/**
 * What a platform promises, as data (PL-2). The ledger's decisions follow these values and the console
 * shows them. `unknown` is a value and always means the safe branch.
 */
const Evidence = z.enum(["documented", "source", "observed", "assumed"]);

/** Milliseconds, or `unknown` where nobody can say. */
const Milliseconds = z.union([z.number().int().nonnegative(), z.literal("unknown")]);

const OperationTimes = z.strictObject({
  /** P of RC-8: longest time between a worker's last check and its first byte. */
  pauseMs: Milliseconds,
  /** D of RC-8: longest time between first byte and effect at the platform. */
  processingMs: Milliseconds,
  /** V of RC-8: longest time between effect and visibility in a read or look-up. */
  visibilityMs: Milliseconds,
});

export const CapabilityDescriptorSchema = z.strictObject({
  adapter: z.string(),
  adapterVersion: z.string(),
  lookupByReference: z.discriminatedUnion("kind", [
    z.strictObject({
      kind: z.literal("authoritative"),
      /** X of model.md: how long the reference can be looked up. */
      retentionMs: Milliseconds,
    }),
    z.strictObject({
      kind: z.literal("eventual"),
      windowMs: Milliseconds,
      retentionMs: Milliseconds,
    }),
    z.strictObject({ kind: z.literal("none") }),
  ]),
  idempotencyKey: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("none") }),
    z.strictObject({
      kind: z.literal("header"),
      /** K of model.md: how long a key is kept. */
      retentionMs: Milliseconds,
    }),
  ]),
  conditionalUpdate: z.enum(["none", "version", "lock"]),
  expiryForm: z.discriminatedUnion("kind", [
    z.strictObject({
      kind: z.literal("absolute"),
      /** The platform floors the instant to a multiple of this many milliseconds; 1 keeps it exact. */
      granularityMs: z.number().int().positive(),
    }),
    z.strictObject({ kind: z.literal("relative_days"), from: z.enum(["send", "now"]) }),
  ]),
  reminderTimestamp: z.boolean(),
  /** True when a read shows when the invitation was last delivered (RC-5). */
  deliveryRecord: z.boolean().default(false),
  /** True when a resend sets a new expiry by itself. */
  resendMovesExpiry: z.boolean().default(false),
  /** True when signers see the reason of a void. */
  voidShowsReason: z.boolean().default(false),
  /** True when a reminder can go to some signers only. */
  remindsSingleSigners: z.boolean().default(false),
  /** Only `guaranteed` permits a re-send after 429 without reconciliation (PL-3). */
  rateLimitMeansNotProcessed: z.enum(["guaranteed", "unstated", "observed_false"]),
  /** The same question for 409 and 423 (PL-3). */
  conflictMeansNotProcessed: z.enum(["guaranteed", "unstated"]),
  bulkResult: z.enum(["none", "per_recipient", "batch"]),
  eventId: z.boolean(),
  webhookAuthentication: z.enum(["standard_webhooks", "none"]),
  readLimitPerHour: z.union([z.number().int().positive(), z.literal("unknown")]),
  /** Whether a terminal status can be left again (IN-5, RC-2). */
  terminal: z.strictObject({
    completed: z.enum(["final", "revivable"]),
    declined: z.enum(["final", "revivable"]),
    expired: z.enum(["final", "revivable"]),
    voided: z.enum(["final", "revivable"]),
  }),
  times: z.strictObject({ send: OperationTimes, extend: OperationTimes, other: OperationTimes }),
  evidence: Evidence,
  asOf: z.iso.date(),
});

export type CapabilityDescriptor = z.infer<typeof CapabilityDescriptorSchema>;
export type OperationTimes = z.infer<typeof OperationTimes>;
