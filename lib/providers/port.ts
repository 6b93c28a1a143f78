import type { CapabilityDescriptor } from "@/lib/domain/capability";
import type { CallOutcome, Observation } from "@/lib/domain/observation";

/** Every call has its own bound (PL-3); no adapter retries (CL-8). */
export interface CallOptions {
  readonly timeoutMs: number;
}

/** Contact details, resolved from the vault at the moment of the call (ID-5). Never logged, never stored. */
export interface ResolvedSigner {
  readonly subjectRef: string;
  readonly role: string;
  readonly order: number;
  readonly name: string;
  readonly email: string;
}

export interface SendCall {
  /** Our op_id: client reference and, where the platform has one, idempotency key (ID-2). */
  readonly opId: string;
  readonly documentDigest: string;
  readonly templateId: string | null;
  readonly templateVersion: string | null;
  readonly title: string;
  readonly message: string;
  readonly expiresAt: string;
  readonly remindersByPlatform: boolean;
  readonly signers: readonly ResolvedSigner[];
}

export interface ExtendCall {
  readonly opId: string;
  readonly platformRef: string;
  /** Absolute target, RFC 3339 in UTC. Adapters for relative platforms convert (TM-3). */
  readonly expiresAt: string;
  /** The version that the read before showed; sent where the platform can compare (PL-5). */
  readonly ifVersion: string | null;
}

export interface TargetCall {
  readonly opId: string;
  readonly platformRef: string;
  readonly ifVersion: string | null;
}

/**
 * The platform port (PL-1). Adapters translate; they decide nothing. No method throws for anything that a
 * platform or a network did: such things are an `Observation` or a `CallOutcome`.
 */
export interface Provider {
  readonly descriptor: CapabilityDescriptor;
  readRequest(platformRef: string, options: CallOptions): Promise<Observation>;
  findByReference(opId: string, options: CallOptions): Promise<Observation>;
  send(call: SendCall, options: CallOptions): Promise<CallOutcome>;
  extend(call: ExtendCall, options: CallOptions): Promise<CallOutcome>;
  resend(call: TargetCall, options: CallOptions): Promise<CallOutcome>;
  /** `message` is what signers read; empty for none. */
  remind(
    call: TargetCall & { readonly subjectRefs: readonly string[]; readonly message: string },
    options: CallOptions,
  ): Promise<CallOutcome>;
  expire(call: TargetCall, options: CallOptions): Promise<CallOutcome>;
  /** `reason` is what signers see; null where nobody is told one. */
  void(
    call: TargetCall & { readonly reason: string | null },
    options: CallOptions,
  ): Promise<CallOutcome>;
  verifyWebhook(
    raw: Uint8Array,
    headers: WebhookHeaders,
    secrets: readonly WebhookSecret[],
  ): Authenticity;
  parseEvent(raw: Uint8Array): PlatformEvent | null;
}

/** Lower-cased header names. */
export type WebhookHeaders = Readonly<Record<string, string>>;

export interface WebhookSecret {
  readonly keyId: string;
  readonly secret: string;
}

/**
 * Which active secret matched, by id and never by value (IN-1, C-17). `deliveryId` is the signed id of the delivery and
 * `signedAtMs` the signed time, in epoch milliseconds.
 */
export type Authenticity =
  | {
      readonly authentic: true;
      readonly keyId: string;
      readonly deliveryId: string;
      readonly signedAtMs: number;
    }
  | { readonly authentic: false; readonly why: RefusalCause };

export type RefusalCause = "headers" | "timestamp" | "signature";

/** A webhook reduced to what may be acted on: a hint to look, plus the state it claims (IN-5). */
export interface PlatformEvent {
  readonly eventId: string | null;
  readonly type: string;
  /** The platform's account that it names; null where it names none. */
  readonly account: string | null;
  readonly platformRef: string;
  readonly clientReference: string | null;
  readonly status: string | null;
  readonly occurredAt: string | null;
  /** Every time that the event itself tells, for an identity without an id (IN-3). */
  readonly times: readonly string[];
}

/** What an authentic body turned out to hold (IN-4). `twice`: it says the same member twice. */
export type EventContent =
  | { readonly kind: "event" | "unknown_type"; readonly event: PlatformEvent }
  | { readonly kind: "unreadable"; readonly twice: boolean };
