import type { CallOutcome, PlatformRequest, RequestStatus } from "@/lib/domain/observation";
import { isTerminal } from "@/lib/domain/observation";

/** One effect that really happened, in the order in which it happened: the ground truth of a run. */
export interface Effect {
  readonly opId: string;
  readonly kind: Change["kind"];
  readonly platformRef: string;
  readonly atMs: number;
}

export type Change =
  | { readonly kind: "send"; readonly opId: string; readonly expiresAt: string }
  | ({ readonly kind: "extend"; readonly expiresAt: string } & ChangeOfExisting)
  | ({ readonly kind: "expire" | "void" | "remind" | "resend" } & ChangeOfExisting);

interface ChangeOfExisting {
  readonly opId: string;
  readonly platformRef: string;
  readonly ifVersion: string | null;
}

/** How the platform of a run behaves. */
export interface Manners {
  /** An expired request can be extended and is open again. */
  readonly revivable: boolean;
  /** Reads show the newest reminder and delivery. */
  readonly traces: boolean;
  /** By how much it sets an expiry later than it was asked for; it counts in days. */
  readonly laterByMs: number;
}

interface Held {
  readonly platformRef: string;
  readonly clientReference: string;
  status: RequestStatus;
  expiresAt: string;
  version: number;
  lastReminderAt: string | null;
  lastDeliveryAt: string;
}

/** The one signer of every request, as the platform knows them. */
export const SIGNER = "s_0000000000000001";

/** A platform in memory whose past can be read, so that a look-up can lag behind it. */
export interface ModelPlatform {
  readonly effects: readonly Effect[];
  /** True once somebody other than the ledger has changed an expiry. */
  readonly foreignEdit: boolean;
  apply(change: Change, nowMs: number): CallOutcome;
  read(platformRef: string, asOfMs: number): PlatformRequest | null;
  find(clientReference: string, asOfMs: number): PlatformRequest[];
  /** Another person, or the signer, acts. */
  edit(
    platformRef: string,
    to: { readonly status?: RequestStatus; readonly expiresAt?: string },
    nowMs: number,
  ): void;
  /** Ends what has reached its expiry. */
  tick(nowMs: number): void;
}

const DETAIL = { httpStatus: null, platformCode: null, platformRequestId: null } as const;

export function createModelPlatform(manners: Manners): ModelPlatform {
  const held = new Map<string, Held>();
  const effects: Effect[] = [];
  const past: { readonly atMs: number; readonly requests: readonly PlatformRequest[] }[] = [];
  const edits = { foreign: false };
  const keep = (atMs: number) =>
    past.push({ atMs, requests: [...held.values()].map((one) => shown(one, manners)) });
  const asOf = (ms: number) => past.findLast((picture) => picture.atMs <= ms)?.requests ?? [];
  const tick = (nowMs: number) => {
    for (const request of held.values()) {
      const due = !isTerminal(request.status) && Date.parse(request.expiresAt) <= nowMs;
      if (!due) continue;
      request.status = "expired";
      request.version += 1;
      keep(nowMs);
    }
  };
  return {
    effects,
    get foreignEdit() {
      return edits.foreign;
    },
    apply(change, nowMs) {
      tick(nowMs);
      if (change.kind === "send") {
        const platformRef = `env_${held.size}_${effects.length}`;
        held.set(platformRef, newRequest(platformRef, change, nowMs));
        effects.push({ opId: change.opId, kind: "send", platformRef, atMs: nowMs });
        keep(nowMs);
        return { kind: "accepted", platformRef };
      }
      const { opId, kind, platformRef } = change;
      const outcome = changed(held.get(platformRef), change, manners, nowMs);
      if (outcome.kind === "accepted") {
        effects.push({ opId, kind, platformRef, atMs: nowMs });
        keep(nowMs);
      }
      return outcome;
    },
    read: (ref, ms) => asOf(ms).find((request) => request.platformRef === ref) ?? null,
    find: (reference, ms) => asOf(ms).filter((request) => request.clientReference === reference),
    edit(ref, to, nowMs) {
      const request = held.get(ref);
      if (!request || isTerminal(request.status)) return;
      if (to.status) request.status = to.status;
      if (to.expiresAt) {
        request.expiresAt = to.expiresAt;
        edits.foreign = true;
      }
      request.version += 1;
      keep(nowMs);
    },
    tick,
  };
}

function newRequest(
  platformRef: string,
  change: Extract<Change, { kind: "send" }>,
  nowMs: number,
): Held {
  return {
    platformRef,
    clientReference: change.opId,
    status: "sent",
    expiresAt: change.expiresAt,
    version: 1,
    lastReminderAt: null,
    lastDeliveryAt: new Date(nowMs).toISOString(),
  };
}

function shown(request: Held, { traces }: Manners): PlatformRequest {
  const signed = request.status === "completed";
  return {
    platformRef: request.platformRef,
    clientReference: request.clientReference,
    status: request.status,
    rawStatus: request.status,
    expiresAt: request.expiresAt,
    version: String(request.version),
    lastReminderAt: traces ? request.lastReminderAt : null,
    platformReminders: false,
    lastDeliveryAt: traces ? request.lastDeliveryAt : null,
    signedCount: signed ? 1 : 0,
    signerCount: 1,
    signers: [{ reference: SIGNER, signed }],
  };
}

function changed(
  request: Held | undefined,
  change: Exclude<Change, { kind: "send" }>,
  { revivable, laterByMs }: Manners,
  nowMs: number,
): CallOutcome {
  const revives = revivable && change.kind === "extend" && request?.status === "expired";
  if (!request || (isTerminal(request.status) && !revives)) {
    return { kind: "refused_state", detail: { cause: "unlisted", ...DETAIL } };
  }
  if (change.ifVersion !== null && change.ifVersion !== String(request.version)) {
    return { kind: "precondition_failed", detail: { cause: "unlisted", ...DETAIL } };
  }
  const now = new Date(nowMs).toISOString();
  switch (change.kind) {
    case "extend":
      request.expiresAt = new Date(Date.parse(change.expiresAt) + laterByMs).toISOString();
      request.status = "sent";
      break;
    case "expire":
      request.status = "expired";
      break;
    case "void":
      request.status = "voided";
      break;
    case "remind":
      request.lastReminderAt = now;
      break;
    case "resend":
      request.lastDeliveryAt = now;
      break;
  }
  request.version += 1;
  return { kind: "accepted", platformRef: null };
}
