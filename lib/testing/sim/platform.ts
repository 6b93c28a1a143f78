import type { CallOutcome, PlatformRequest, RequestStatus } from "@/lib/domain/observation";
import { isTerminal } from "@/lib/domain/observation";

/** One effect that really happened, in the order in which it happened: the ground truth of a run. */
export interface Effect {
  readonly opId: string;
  readonly kind: "send" | "extend";
  readonly value: string;
  readonly atMs: number;
}

export type Change =
  | { readonly kind: "send"; readonly opId: string; readonly expiresAt: string }
  | {
      readonly kind: "extend";
      readonly opId: string;
      readonly platformRef: string;
      readonly expiresAt: string;
      readonly ifVersion: string | null;
    };

interface Held {
  readonly platformRef: string;
  readonly clientReference: string;
  status: RequestStatus;
  expiresAt: string;
  version: number;
}

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
}

const DETAIL = { httpStatus: null, platformCode: null, platformRequestId: null } as const;

export function createModelPlatform(): ModelPlatform {
  const held = new Map<string, Held>();
  const effects: Effect[] = [];
  const past: { readonly atMs: number; readonly requests: readonly PlatformRequest[] }[] = [];
  const edits = { foreign: false };
  const keep = (atMs: number) => past.push({ atMs, requests: [...held.values()].map(shown) });
  const asOf = (ms: number) => past.findLast((picture) => picture.atMs <= ms)?.requests ?? [];
  return {
    effects,
    get foreignEdit() {
      return edits.foreign;
    },
    apply(change, nowMs) {
      const outcome =
        change.kind === "send" ? send(held, change, effects.length) : extend(held, change);
      if (outcome.kind === "accepted") {
        effects.push({
          opId: change.opId,
          kind: change.kind,
          value: change.expiresAt,
          atMs: nowMs,
        });
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
  };
}

function shown(request: Held): PlatformRequest {
  return {
    platformRef: request.platformRef,
    clientReference: request.clientReference,
    status: request.status,
    rawStatus: request.status,
    expiresAt: request.expiresAt,
    version: String(request.version),
    lastReminderAt: null,
    platformReminders: false,
    lastDeliveryAt: null,
    signedCount: 0,
    signerCount: 1,
    signers: [],
  };
}

function send(
  held: Map<string, Held>,
  change: Extract<Change, { kind: "send" }>,
  count: number,
): CallOutcome {
  const platformRef = `env_${held.size}_${count}`;
  held.set(platformRef, {
    platformRef,
    clientReference: change.opId,
    status: "sent",
    expiresAt: change.expiresAt,
    version: 1,
  });
  return { kind: "accepted", platformRef };
}

function extend(held: Map<string, Held>, change: Extract<Change, { kind: "extend" }>): CallOutcome {
  const request = held.get(change.platformRef);
  if (!request || isTerminal(request.status)) {
    return { kind: "refused_state", detail: { cause: "unlisted", ...DETAIL } };
  }
  if (change.ifVersion !== null && change.ifVersion !== String(request.version)) {
    return { kind: "precondition_failed", detail: { cause: "unlisted", ...DETAIL } };
  }
  request.expiresAt = change.expiresAt;
  request.version += 1;
  return { kind: "accepted", platformRef: null };
}
