/** Words for a request at a platform, the same for every adapter (screens: status of a signing request). */
export const REQUEST_STATUSES = [
  "draft",
  "sent",
  "viewed",
  "partially_signed",
  "finishing",
  "completed",
  "declined",
  "expired",
  "voided",
  "unrecognised",
] as const;

export type RequestStatus = (typeof REQUEST_STATUSES)[number];

export const TERMINAL_STATUSES = [
  "completed",
  "declined",
  "expired",
  "voided",
] as const satisfies readonly RequestStatus[];

export type TerminalStatus = (typeof TERMINAL_STATUSES)[number];

/** True for completed, declined, expired and voided; whether they can be left again is in the descriptor. */
export function isTerminal(status: RequestStatus): status is TerminalStatus {
  return (TERMINAL_STATUSES as readonly RequestStatus[]).includes(status);
}

/** One request as the platform held it at the moment of a read. Instants are RFC 3339 in UTC. */
export interface PlatformRequest {
  readonly platformRef: string;
  /** Our own reference that the platform carries: the op_id of the send that made it (ID-2). */
  readonly clientReference: string | null;
  readonly status: RequestStatus;
  /** The platform's own word, kept when `status` is `unrecognised`. */
  readonly rawStatus: string;
  readonly expiresAt: string | null;
  readonly version: string | null;
  readonly lastReminderAt: string | null;
  /** Whether the platform reminds by itself (RM-1); null where it does not say. */
  readonly platformReminders: boolean | null;
  /** The newest delivery of the invitation, resends included; null without a delivery record. */
  readonly lastDeliveryAt: string | null;
  /** When the last signer signed, by the platform's clock; null or absent where it does not say. */
  readonly completedAt?: string | null;
  readonly signedCount: number;
  readonly signerCount: number;
  /** Who has signed, by the reference that a send gave each signer; empty where the platform does not say. */
  readonly signers: readonly ShownSigner[];
}

export interface ShownSigner {
  /** Null where the platform knows the signer by nothing that is a plain reference. */
  readonly reference: string | null;
  readonly signed: boolean;
}

/** What a read came to (PL-4). `matches` has one entry for a plain read and any number for a look-up. */
export type Observation =
  | { readonly kind: "read"; readonly matches: readonly PlatformRequest[] }
  | { readonly kind: "not_found" }
  | { readonly kind: "declined"; readonly retryAfterMs: number | null }
  | { readonly kind: "unreadable"; readonly detail: CallDetail };

/** What may be kept of an exchange with a platform (PV-4, C-37): no body, no headers, no address. */
export interface CallDetail {
  readonly cause:
    | "timeout"
    | "connection_lost"
    | "response_cut"
    | "response_unusable"
    | "platform_error"
    | "unlisted"
    | "not_supported";
  readonly httpStatus: number | null;
  /** The platform's own error code, kept only when it is a plain identifier. */
  readonly platformCode: string | null;
  readonly platformRequestId: string | null;
}

/** The outcome of one consequential call (PL-3). */
export type CallOutcome =
  | { readonly kind: "accepted"; readonly platformRef: string | null }
  | { readonly kind: "rejected_payload"; readonly detail: CallDetail }
  | {
      readonly kind: "rejected_fixable";
      readonly fix: "credentials" | "template" | "setting";
      readonly detail: CallDetail;
    }
  | {
      readonly kind: "declined";
      readonly by: "rate_limit" | "conflict";
      readonly retryAfterMs: number | null;
      readonly detail: CallDetail;
    }
  | { readonly kind: "precondition_failed"; readonly detail: CallDetail }
  | { readonly kind: "refused_state"; readonly detail: CallDetail }
  | { readonly kind: "unknown"; readonly detail: CallDetail };
