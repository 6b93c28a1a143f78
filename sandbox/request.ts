import { randomBytes } from "node:crypto";

/** One request as the platform keeps it. Instants are RFC 3339 in UTC, by the account's clock. */
export interface SandboxRequest {
  readonly id: string;
  readonly clientReference: string | null;
  readonly status: SandboxStatus;
  readonly title: string;
  readonly message: string;
  readonly documentDigest: string;
  readonly templateId: string | null;
  readonly templateVersion: string | null;
  readonly reminders: boolean;
  readonly sentAt: string;
  readonly expiresAt: string;
  /** Raised by every change. */
  readonly version: number;
  readonly lastReminderAt: string | null;
  /** The newest delivery of the invitation: the sending, or a resend. */
  readonly lastDeliveryAt: string;
  /** What the signers are told about a void. */
  readonly voidReason: string | null;
  /** When the last signer signed; absent before. */
  readonly completedAt?: string;
  readonly signers: readonly SandboxSigner[];
}

export type SandboxStatus =
  | "sent"
  | "viewed"
  | "partially_signed"
  | "completed"
  | "declined"
  | "expired"
  | "voided";

export interface SandboxSigner {
  readonly reference: string;
  readonly name: string;
  readonly email: string;
  readonly role: string;
  readonly order: number;
  readonly status: "sent" | "viewed" | "signed" | "declined";
  /** Whoever has it can sign; it appears in the link and nowhere else. */
  readonly token: string;
}

export type EffectKind =
  | "sent"
  | "viewed"
  | "signed"
  | "completed"
  | "declined"
  | "reminded"
  | "resent"
  | "reminders_set"
  | "extended"
  | "expired"
  | "voided";

/** One real effect: a row of the effect log. */
export interface Effect {
  readonly kind: EffectKind;
  readonly value: string | null;
}

export interface Refusal {
  readonly status: number;
  readonly code: string;
}

/** What a change comes to: a new version with the effects that it had, or a refusal that changed nothing. */
export type Transition =
  | { readonly ok: true; readonly request: SandboxRequest; readonly effects: readonly Effect[] }
  | { readonly ok: false; readonly refusal: Refusal };

export type SendInput = Omit<
  SandboxRequest,
  | "id"
  | "status"
  | "sentAt"
  | "version"
  | "lastReminderAt"
  | "lastDeliveryAt"
  | "voidReason"
  | "signers"
> & { readonly signers: readonly Omit<SandboxSigner, "status" | "token">[] };

const OPEN: readonly SandboxStatus[] = ["sent", "viewed", "partially_signed"];

/** Open requests can be viewed, signed, reminded, extended, expired and voided. */
export function isOpen(request: SandboxRequest): boolean {
  return OPEN.includes(request.status);
}

/** A new request, sent at `sentAt`. */
export function sendRequest(id: string, input: SendInput, sentAt: string): Transition {
  const signers = input.signers.map((signer) => ({
    ...signer,
    status: "sent" as const,
    token: `${id}-${randomBytes(18).toString("hex")}`,
  }));
  return {
    ok: true,
    request: {
      ...input,
      id,
      status: "sent",
      sentAt,
      version: 1,
      lastReminderAt: null,
      lastDeliveryAt: sentAt,
      voidReason: null,
      signers,
    },
    effects: [{ kind: "sent", value: input.expiresAt }],
  };
}

/** Sets the expiry. A revivable expired request is open again afterwards. */
export function extendRequest(
  request: SandboxRequest,
  expiresAt: string,
  expiredIs: "final" | "revivable",
): Transition {
  const revived = request.status === "expired" && expiredIs === "revivable";
  if (!isOpen(request) && !revived) return refusedByState(request);
  const status = revived ? openStatus(request.signers) : request.status;
  return changed(request, { expiresAt, status }, [{ kind: "extended", value: expiresAt }]);
}

/** Reminds the named signers who have not signed, or all of them when nobody is named. */
export function remindRequest(
  request: SandboxRequest,
  references: readonly string[],
  at: string,
): Transition {
  if (!isOpen(request)) return refusedByState(request);
  const due = request.signers.filter(
    (it) =>
      it.status !== "signed" && (references.length === 0 || references.includes(it.reference)),
  );
  if (due.length === 0) return { ok: false, refusal: { status: 422, code: "nobody_to_remind" } };
  const effects = due.map((it) => ({ kind: "reminded" as const, value: it.reference }));
  return changed(request, { lastReminderAt: at }, effects);
}

/**
 * Delivers the request again, at `at`, to everybody who has not signed. With `movesExpiry` the request gets the
 * whole number of days again that it had from its sending.
 */
export function resendRequest(
  request: SandboxRequest,
  at: string,
  movesExpiry: boolean,
): Transition {
  if (!isOpen(request)) return refusedByState(request);
  const daysMs = Date.parse(request.expiresAt) - Date.parse(request.sentAt);
  const expiresAt = movesExpiry
    ? new Date(Date.parse(at) + daysMs).toISOString()
    : request.expiresAt;
  return changed(request, { lastDeliveryAt: at, expiresAt }, [{ kind: "resent", value: null }]);
}

/** Switches the platform's own reminders of an open request on or off. */
export function setReminders(request: SandboxRequest, on: boolean): Transition {
  if (!isOpen(request)) return refusedByState(request);
  return changed(request, { reminders: on }, [{ kind: "reminders_set", value: on ? "on" : "off" }]);
}

/** Ends an open request as expired, now. */
export function expireRequest(request: SandboxRequest): Transition {
  return ended(request, "expired");
}

/** Ends an open request as voided; `reason` is what its signers are told, null when nothing. */
export function voidRequest(request: SandboxRequest, reason: string | null = null): Transition {
  const voided = ended(request, "voided");
  return voided.ok ? { ...voided, request: { ...voided.request, voidReason: reason } } : voided;
}

/** The signer opened the page; only the first time is a change. */
export function viewRequest(request: SandboxRequest, reference: string): Transition {
  if (!isOpen(request)) return refusedByState(request);
  const signer = request.signers.find((it) => it.reference === reference);
  if (signer?.status !== "sent") return { ok: true, request, effects: [] };
  const signers = withStatus(request, reference, "viewed");
  const status = request.status === "sent" ? "viewed" : request.status;
  return changed(request, { signers, status }, [{ kind: "viewed", value: reference }]);
}

/** The signer signs; the last signature completes the request. */
export function signRequest(request: SandboxRequest, reference: string): Transition {
  if (!isOpen(request)) return refusedByState(request);
  const signer = request.signers.find((it) => it.reference === reference);
  if (!signer || signer.status === "signed") {
    return { ok: false, refusal: { status: 422, code: "signer_not_open" } };
  }
  const earlier = request.signers.some((it) => it.order < signer.order && it.status !== "signed");
  if (earlier) return { ok: false, refusal: { status: 422, code: "signer_not_next" } };
  const signers = withStatus(request, reference, "signed");
  const effects: Effect[] = [{ kind: "signed", value: reference }];
  const complete = signers.every((it) => it.status === "signed");
  if (complete) effects.push({ kind: "completed", value: null });
  return changed(
    request,
    { signers, status: complete ? "completed" : "partially_signed" },
    effects,
  );
}

/** The signer declines, which ends the request. */
export function declineRequest(request: SandboxRequest, reference: string): Transition {
  if (!isOpen(request)) return refusedByState(request);
  const signers = withStatus(request, reference, "declined");
  return changed(request, { signers, status: "declined" }, [
    { kind: "declined", value: reference },
  ]);
}

/** Everybody who is left signs at once. */
export function completeRequest(request: SandboxRequest): Transition {
  if (!isOpen(request)) return refusedByState(request);
  const left = request.signers.filter((it) => it.status !== "signed");
  const signers = request.signers.map((it) => ({ ...it, status: "signed" as const }));
  return changed(request, { signers, status: "completed" }, [
    ...left.map((it) => ({ kind: "signed" as const, value: it.reference })),
    { kind: "completed", value: null },
  ]);
}

function ended(request: SandboxRequest, status: "expired" | "voided"): Transition {
  if (!isOpen(request)) return refusedByState(request);
  return changed(request, { status }, [{ kind: status, value: null }]);
}

function changed(
  request: SandboxRequest,
  fields: Partial<SandboxRequest>,
  effects: readonly Effect[],
): Transition {
  return { ok: true, request: { ...request, ...fields, version: request.version + 1 }, effects };
}

function refusedByState(request: SandboxRequest): Transition {
  return { ok: false, refusal: { status: 422, code: `request_${request.status}` } };
}

function withStatus(request: SandboxRequest, reference: string, status: SandboxSigner["status"]) {
  return request.signers.map((it) => (it.reference === reference ? { ...it, status } : it));
}

function openStatus(signers: readonly SandboxSigner[]): SandboxStatus {
  if (signers.some((it) => it.status === "signed")) return "partially_signed";
  return signers.some((it) => it.status === "viewed") ? "viewed" : "sent";
}
